"""The list of users, the search for items, and what cannot be undone: with the stand-in of mock.py."""

import re

from playwright.sync_api import expect

from conftest import Visit, accessibility_faults
from test_operations import app_of
from test_page import settings_of, user_of


def users_of(visit, target, filters=""):
    visit.open(app_of(target.mock) + "/users" + filters)
    return visit.page.locator("[data-panel=users]")


def test_the_user_who_was_seen_last_is_first_with_the_subject(browser, visit, target):
    panel = users_of(visit, target)
    assert panel.locator("tbody tr").first.inner_text().split("\t")[0].startswith("anna@example.com")
    visit.page.select_option("#sort", label="Most stored")
    visit.page.wait_for_url("**/users?sort=bytes")
    visit.wait_for_request("/users?sort=bytes")
    expect(panel.locator("tbody tr").first).to_contain_text("anna@example.com")
    viewer = Visit(browser.new_context(), target).log_in("viewer")
    expect(users_of(viewer, target).locator("tbody th").first).to_have_text(target.mock.story["id"])


def test_users_are_filtered_and_the_address_keeps_the_filters(visit, target):
    target.mock.story["failed"] = True
    panel = users_of(visit, target)
    rows = panel.locator("tbody tr")
    visit.page.select_option("#only", label="A restore failed in the last 24 hours")
    expect(rows).to_have_count(1)
    visit.page.select_option("#signedIn", label="Anonymous")
    expect(panel).to_contain_text("No user fits the filters")
    visit.page.select_option("#signedIn", label="With an account")
    visit.page.select_option("#idiom", label="iPhones")
    visit.page.fill("#version", "42")
    visit.page.keyboard.press("Enter")
    visit.page.wait_for_url("**/users?only=failed&signedIn=true&idiom=phone&version=42")
    visit.wait_for_request("/users?failed=true&signedIn=true&idiom=phone&version=42")
    expect(rows).to_have_count(1)
    visit.page.select_option("#only", label="Near a quota")
    expect(panel).to_contain_text("No user fits the filters")
    panel.get_by_role("link", name="Show all users").click()
    expect(rows).to_have_count(50)


def test_a_page_without_a_fitting_user_leads_to_the_next_one(visit, target):
    visit.page.route(re.compile("/users.failed=true$"), lambda route: route.fulfill(json={"items": [], "next": "7"}))
    panel = users_of(visit, target, "?only=failed")
    expect(panel).to_contain_text("No match among the users searched so far.")
    panel.get_by_role("link", name="Next page").click()
    visit.page.wait_for_url("**/users?only=failed&cursor=7")


def test_the_search_finds_whose_item_it_is(visit, target):
    target.mock.story["found"] = {"p12": 1, "p13": 2}
    visit.open(app_of(target.mock) + "/users")
    visit.page.fill("#search", "p12")
    visit.page.keyboard.press("Enter")
    expect(visit.page.get_by_role("heading", level=1)).to_have_text("Item p12")
    visit.settle()
    visit.open(app_of(target.mock) + "/users?text=p13")
    hits = visit.page.locator("[data-panel=found] li")
    expect(hits).to_have_count(2)
    expect(hits.first).to_contain_text("Item p13 in photos of anna@example.com")


def searched(visit, target, text, page_of):
    """Opens a search whose pages are made by a function of the cursor."""
    def answer(route):
        found = re.search("cursor=([^&]+)", route.request.url)
        route.fulfill(json=page_of(found and found[1]))

    visit.page.route(re.compile("/find.text="), answer)
    visit.open(app_of(target.mock) + f"/users?text={text}")
    return visit.page.locator("[data-panel=found]")


def hits_of(user, count):
    return [{"kind": "item", "user": user["id"], "subject": user["subject"], "device": user["devices"][0]["id"], "dataSource": "photos", "identifier": "p14"} for _ in range(count)]


def test_the_search_goes_on_by_itself_until_all_users_were_searched(visit, target):
    pages = {None: ([], "40000000-0000"), "40000000-0000": (hits_of(target.mock.story, 2), "80000000-0000"), "80000000-0000": (hits_of(target.mock.story, 1), None)}
    panel = searched(visit, target, "p14", lambda cursor: {"items": pages[cursor][0]} | ({"next": pages[cursor][1]} if pages[cursor][1] else {}))
    expect(panel.locator("li")).to_have_count(3)
    expect(panel.locator("li").last).to_contain_text("of anna@example.com")
    expect(panel).to_contain_text("All users searched: 3 hits.")
    expect(panel.get_by_role("button")).to_have_count(0)
    pages["80000000-0000"] = pages["40000000-0000"] = ([], None)
    panel = searched(visit, target, "p15", lambda cursor: {"items": pages[cursor][0]} | ({"next": pages[cursor][1]} if pages[cursor][1] else {}))
    expect(panel).to_contain_text("Nothing has exactly this subject or id")
    expect(panel.get_by_role("progressbar")).to_have_count(0)


def test_a_long_search_shows_how_far_it_is_and_stops_and_goes_on_by_keyboard(visit, target):
    held = []
    visit.page.route(re.compile("/find.text=p14&cursor="), lambda route: held.append(route))
    visit.page.route(re.compile("/find.text=p14$"), lambda route: route.fulfill(json={"items": [], "next": "40000000-0000"}))
    visit.open(app_of(target.mock) + "/users?text=p14")
    panel = visit.page.locator("[data-panel=found]")
    expect(panel).to_contain_text("About 25 % of the users searched. 0 hits so far.")
    stop = panel.get_by_role("button", name="Stop")
    stop.press("Enter")
    expect(panel.get_by_role("button", name="Search on")).to_be_focused()
    held.pop().fulfill(json={"items": hits_of(target.mock.story, 1), "next": "80000000-0000"})
    expect(panel).to_contain_text("About 50 % of the users searched. 1 hit so far.")
    assert not held and panel.locator("li").count() == 1
    visit.page.keyboard.press("Enter")
    expect(stop).to_be_focused()
    visit.page.wait_for_timeout(50)
    held.pop().fulfill(status=503, json={"title": "Try later", "status": 503, "code": "store-unavailable"})
    expect(panel.get_by_role("alert")).to_contain_text("Try later")
    panel.get_by_role("button", name="Try again").click()
    visit.page.wait_for_timeout(50)
    held.pop().fulfill(json={"items": []})
    expect(panel).to_contain_text("All users searched: 1 hit.")


def test_the_search_waits_after_many_hits(visit, target):
    panel = searched(visit, target, "p14", lambda cursor: {"items": hits_of(target.mock.story, 90), "next": f"{int(cursor or '0', 16) + 0x1000_0000:08x}"})
    expect(panel.locator("li")).to_have_count(360)
    panel.get_by_role("button", name="Search on").click()
    expect(panel.locator("li")).to_have_count(630)
    expect(panel.get_by_role("button", name="Search on")).to_be_visible()


def test_a_user_who_is_found_is_shown_although_more_items_may_be(visit, target):
    hit = {"kind": "user", "user": target.mock.story["id"]}
    visit.page.route(re.compile("/find.text="), lambda route: route.fulfill(json={"items": [hit], "next": "7"}))
    visit.open(app_of(target.mock) + "/users?text=anna")
    visit.page.wait_for_url(f"**/users/{hit['user']}")
    # Another user may have an item with this identifier too.
    hit |= hits_of(target.mock.story, 1)[0]
    visit.page.route(re.compile("/find.text=p12&cursor="), lambda route: None)
    visit.open(app_of(target.mock) + "/users?text=p12")
    expect(visit.page.locator("[data-panel=found] li")).to_have_count(1)
    expect(visit.page.get_by_role("button", name="Stop")).to_be_visible()


def test_a_device_is_revoked_after_a_confirmation(visit, target):
    visit.open(user_of(target.mock))
    devices = visit.page.locator("[data-panel=devices] tbody tr")
    devices.nth(1).get_by_role("button", name="Revoke iPad in the kitchen").click()
    dialog = visit.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Those that it stored stay.")
    dialog.get_by_role("button", name="Cancel").click()
    expect(devices).to_have_count(3)
    devices.nth(1).get_by_role("button", name="Revoke iPad in the kitchen").click()
    dialog.get_by_role("button", name="Revoke", exact=True).click()
    expect(devices).to_have_count(2)
    assert len(target.mock.story["devices"]) == 2
    expect(visit.page.get_by_role("heading", level=1)).to_be_focused()


def test_a_user_is_exported_and_erased(visit, target):
    story = target.mock.story
    visit.open(user_of(target.mock))
    with visit.page.expect_download() as download:
        visit.page.get_by_role("button", name="Export").click()
    assert download.value.suggested_filename == f"user-{story['id'][:8]}.ndjson"
    visit.page.get_by_role("button", name="Erase…").click()
    erase = visit.page.get_by_role("dialog").get_by_role("button", name="Erase", exact=True)
    expect(erase).to_be_disabled()
    visit.page.keyboard.type("wrong")
    expect(erase).to_be_disabled()
    visit.page.keyboard.press("Enter")
    expect(erase).to_be_visible()
    visit.page.fill("#typed", story["id"][:8])
    visit.page.keyboard.press("Enter")
    expect(visit.page.get_by_role("heading", level=1)).to_have_text("Users")
    assert story not in target.mock.photos["users"]


def test_an_app_is_deleted_after_its_name_is_typed(visit, target):
    visit.open(settings_of(target.mock))
    visit.page.get_by_role("button", name="Delete the app…").click()
    dialog = visit.page.get_by_role("dialog")
    expect(dialog).to_contain_text(re.compile(r"121 users and \d+ archives are deleted"))
    delete = dialog.get_by_role("button", name="Delete the app", exact=True)
    visit.page.keyboard.type("com.example.photo")
    expect(delete).to_be_disabled()
    visit.page.keyboard.type("s")
    delete.click()
    expect(visit.page.get_by_role("heading", level=1)).to_have_text("Home")
    expect(visit.page.locator("[data-panel=apps] tbody tr", has_text="com.example.photos")).to_contain_text("being deleted")
    assert target.mock.photos["beingDeleted"]


def test_viewers_see_who_may_delete(browser, target):
    visit = Visit(browser.new_context(), target).log_in("viewer")
    visit.open(user_of(target.mock))
    expect(visit.page.locator("[data-panel=user]")).to_contain_text("Only an owner can erase a user. You are a viewer.")
    expect(visit.page.get_by_role("button", name="Revoke iPad in the kitchen")).to_have_attribute("title", "Only an operator or an owner can revoke a device. You are a viewer.")
    visit.open(settings_of(target.mock))
    expect(visit.page.locator("[data-panel=deletion]")).to_contain_text("Only an owner can delete apps. You are a viewer.")
    assert not visit.faults


def test_the_confirmation_by_typing_is_accessible(browser, target):
    context = browser.new_context(bypass_csp=True, reduced_motion="reduce")
    visit = Visit(context, target).log_in()
    visit.open(user_of(target.mock))
    assert not accessibility_faults(visit.page)
    visit.page.get_by_role("button", name="Erase…").click()
    assert not accessibility_faults(visit.page)
    visit.page.keyboard.press("Escape")
    visit.open(app_of(target.mock) + "/users?only=failed")
    assert not accessibility_faults(visit.page)
    assert max(visit.overflow(width) for width in (360, 768, 1440)) <= 0
    context.close()
