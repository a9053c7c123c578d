"""What a person does with the admin page, with the stand-in of mock.py, whose state the tests change meanwhile."""

import json
import re

import pytest
from playwright.sync_api import expect

from conftest import Visit, accessibility_faults
from data import HOSTILE, now, text
from mock import PASSWORD, SET_UP_SECRET


def scene_of(mock, scene="main"):
    return f"#/apps/{mock.photos['id']}/users/{mock.story['id']}/scenes/{scene}"


def user_of(mock):
    return f"#/apps/{mock.photos['id']}/users/{mock.story['id']}"


def settings_of(mock):
    return f"#/apps/{mock.photos['id']}/settings"


def archive_with(mock, key):
    return next(one for one in mock.story["scenes"]["main"] if one[key])


def add_first_screen(mock, **more):
    """Adds a first screen to the scene `editor`: it is captured after the work, and ordered below it."""
    archives, phone = mock.story["scenes"]["editor"], mock.story["devices"][0]
    first = archives[0] | {"id": mock.generator.id(), "device": phone["id"], "revision": 30, "capturedAt": text(now()), "receivedAt": text(now()),
                           "place": ["Log in"], "isHead": False, "isViewOnly": True, "isBelowAllWork": True} | more
    archives.append(first)
    return first


def serve_with_caution(visit):
    """Lets each explanation serve its archive with a caution: the device only offers it."""
    reason = {"code": "crashed-elsewhere", "archive": "crashed", "blocks": "automatic", "path": "Tabs",
              "text": "a restore of it crashed on another device with this idiom and version"}

    def explained(route):
        answer = route.fetch()
        body = answer.json()
        for candidate in body["candidates"]:
            if candidate["archive"]["id"] == body["served"]:
                candidate["reasons"].append(reason)
        route.fulfill(response=answer, json=body)

    visit.page.route(re.compile(r"/explanation(\?|$)"), explained)


def quarantine_head(mock):
    """Quarantines the head of the scene for phones with version 42: the view-only capture below it is served to a phone."""
    archive_with(mock, "isHead")["quarantines"] = [{"idiom": "phone", "bundleVersion": "42", "result": "crashed", "path": "Tabs"}]


# Hostile texts

def test_hostile_texts_are_shown_as_text_and_do_nothing(visit, target):
    user, app = target.mock.hostile, target.mock.weird
    base = f"#/apps/{app['id']}/users/{user['id']}"
    item = f"{base}/data-sources/photos/items/" + "%3Cimg%20src%3Dx%3E%00"
    archives = user["scenes"]["main"]
    addresses = ["#/", f"#/apps/{app['id']}", base, base + "/scenes/main", base + f"/scenes/main?device={user['devices'][1]['id']}",
                 base + f"/scenes/main/explain?device={user['devices'][1]['id']}", base + "/data-sources/photos", item, "#/tokens",
                 f"#/apps/{app['id']}/audit", f"#/apps/{app['id']}/settings", f"#/apps/{app['id']}/health", f"#/apps/{app['id']}/live",
                 base + f"/scenes/main/archives/{archives[0]['id']}/diff?with={archives[1]['id']}",
                 *(base + f"/scenes/main/archives/{one['id']}" for one in archives)]
    for address in addresses:
        visit.open(address)
        if address.endswith("/settings"):
            visit.page.fill("#setting-minimumBundleVersion", "43")
            visit.page.get_by_role("button", name="Try it").click()
            expect(visit.page.locator(".dry-run-change").first).to_be_visible()
        if address.endswith("/live"):
            expect(visit.page.locator(".event")).to_have_count(7)
            target.mock.emit(app, user, "restoreRefused", scene=HOSTILE["markup"])
            expect(visit.page.locator(".event")).to_have_count(8)
        for _ in range(3):
            visit.page.evaluate("document.querySelectorAll('main details').forEach(details => { details.open = true })")
            visit.page.wait_for_timeout(30)
        state = visit.page.evaluate("""() => ({
            hacked: "hacked" in window, images: [...document.images].filter(image => image.getAttribute('src') === 'x').length,
            scripts: document.scripts.length, failures: document.querySelectorAll('.failure').length,
            tall: [...document.querySelectorAll('.name')].filter(name => name.getBoundingClientRect().height > 200).length })""")
        assert state == {"hacked": False, "images": 0, "scripts": 1, "failures": 0, "tall": 0}, (address, state)
        for width in (360, 768, 1440):
            assert visit.overflow(width) <= 0, (address, width)


def test_controls_of_a_text_are_visible_and_isolated(visit, target):
    visit.open(f"#/apps/{target.mock.weird['id']}/users/{target.mock.hostile['id']}")
    text = visit.text("[data-panel=devices]")
    assert "invoice[U+202E]gpj.exe" in text and "before␀after" in text and "\u202e" not in text and "\x00" not in text
    assert visit.page.locator("[data-panel=devices] bdi").count() > 8


def test_a_cut_text_is_shown_whole_on_demand(visit, target):
    visit.open(f"#/apps/{target.mock.weird['id']}/users/{target.mock.hostile['id']}")
    visit.page.get_by_role("button", name="Show the whole subject, 10,000 characters").click()
    assert visit.text("dialog .whole") == HOSTILE["long"]
    visit.page.keyboard.press("Escape")
    assert visit.page.evaluate("document.activeElement.className") == "more"


# Sessions

def test_an_expired_session_keeps_what_was_typed_and_repeats_the_request(visit, target):
    visit.open(settings_of(target.mock))
    visit.page.fill("#setting-maximumAge", "12h")
    target.mock.expire_sessions()
    visit.page.get_by_role("button", name="Save").click()
    dialog = visit.page.get_by_role("dialog", name="Log in again")
    dialog.get_by_label("Password", exact=True).fill("wrong-password")
    dialog.get_by_role("button", name="Log in").click()
    # The title and the detail of this problem are the same sentence.
    expect(dialog.get_by_text(re.compile("^The name or the password is wrong\\.$"))).to_be_visible()
    assert visit.page.input_value("#setting-maximumAge") == "12h"
    dialog.get_by_label("Password", exact=True).fill(PASSWORD)
    visit.page.keyboard.press("Enter")
    expect(visit.page.get_by_text("The settings are saved.")).to_be_visible()
    assert target.mock.photos["settings"]["policy"]["maximumAge"] == "12h"


def test_an_expired_session_asks_once_for_all_panels(visit, target):
    target.mock.expire_sessions()
    visit.page.goto(visit.target.url + "/admin/" + user_of(target.mock))
    expect(visit.page.get_by_role("dialog")).to_have_count(1)
    visit.page.fill("#again-password", PASSWORD)
    visit.page.keyboard.press("Enter")
    expect(visit.page.locator("[data-panel=devices] table")).to_be_visible()
    visit.settle()
    assert visit.page.locator(".failure").count() == 0


def test_a_closed_log_in_leaves_the_view_with_a_way_back(visit, target):
    target.mock.expire_sessions()
    visit.page.goto(visit.target.url + "/admin/" + user_of(target.mock))
    expect(visit.page.get_by_role("dialog")).to_be_visible()
    # A panel whose request is refused after the dialog was closed asks again.
    visit.page.wait_for_load_state("networkidle")
    visit.page.keyboard.press("Escape")
    expect(visit.page.locator("[data-panel=devices] .failure")).to_be_visible()
    visit.page.locator("[data-panel=devices]").get_by_role("button", name="Try again").click()
    visit.page.fill("#again-password", PASSWORD)
    visit.page.keyboard.press("Enter")
    expect(visit.page.locator("[data-panel=devices] table")).to_be_visible()


def test_a_log_in_of_another_tab_does_not_spoil_this_one(visit, target):
    visit.open(settings_of(target.mock))
    other = Visit(visit.context, target)
    other.page.goto(target.url + "/admin/")
    other.page.wait_for_selector(".topbar")
    target.mock.expire_sessions()
    other.page.evaluate("location.hash = '#/service'")
    other.page.fill("#again-password", PASSWORD)
    other.page.keyboard.press("Enter")
    other.page.wait_for_selector("[data-panel=about] dl")
    visit.page.fill("#setting-retainedArchives", "30")
    visit.page.get_by_role("button", name="Save").click()
    expect(visit.page.get_by_text("The settings are saved.")).to_be_visible()


def test_the_one_time_link_makes_the_first_administrator(browser, target):
    target.mock.needs_set_up = True
    visit = Visit(browser.new_context(), target)
    visit.page.goto(target.url + "/admin/")
    expect(visit.page.get_by_text("This service has no administrator yet.")).to_be_visible()
    for secret in ("wrong", SET_UP_SECRET.replace("/", "%2F")):
        visit.page.goto(f"{target.url}/admin/#/set-up/{secret}")
        visit.page.wait_for_selector("h1:has-text('Set up')")
        visit.page.fill("#name", "First")
        visit.page.fill("#password", "short")
        visit.page.keyboard.press("Enter")
        expect(visit.page.get_by_text("Use at least 10 characters.")).to_be_visible()
        visit.page.fill("#password", "long-enough-1")
        visit.page.keyboard.press("Enter")
        if secret == "wrong":
            expect(visit.page.get_by_text("The set-up is refused.")).to_be_visible()
    visit.page.wait_for_selector(".topbar")
    assert SET_UP_SECRET not in visit.page.url and "set-up" not in visit.page.url
    assert [one["name"] for one in target.mock.administrators] == ["First"] and not visit.faults


def test_the_page_leaves_the_set_up_when_the_address_changes(browser, target):
    visit = Visit(browser.new_context(), target)
    for leave in ("the link", "the address"):
        visit.page.goto(f"{target.url}/admin/#/set-up/{SET_UP_SECRET}")
        visit.page.wait_for_selector("h1:has-text('Set up')")
        if leave == "the link":
            visit.page.get_by_role("link", name="Log in instead").click()
        else:
            visit.page.evaluate("location.hash = '#/apps'")
        visit.page.wait_for_selector("h1:has-text('Log in')")
    assert not visit.faults


# Two administrators, failures and restarts

def test_two_administrators_see_both_versions_and_lose_nothing(visit, target):
    visit.open(settings_of(target.mock))
    visit.page.fill("#setting-maximumAge", "12h")
    visit.page.fill("#setting-minimumBundleVersion", "41")
    target.mock.change_settings(target.mock.photos, maximumAge="90d", allowsPlace=False)
    visit.page.get_by_role("button", name="Save", exact=True).click()
    conflict = visit.page.locator(".conflict")
    row = conflict.locator("[data-key=maximumAge]")
    expect(row).to_contain_text("Before: 30d")
    assert "Theirs 90d" in row.inner_text() and "Yours 12h" in row.inner_text()
    assert visit.page.evaluate("document.activeElement.classList.contains('conflict')")
    row.get_by_label("Theirs").check()
    conflict.get_by_role("button", name="Save this choice").click()
    expect(visit.page.get_by_text("The settings are saved.")).to_be_visible()
    policy = target.mock.photos["settings"]["policy"]
    assert (policy["maximumAge"], policy["minimumBundleVersion"], policy["allowsPlace"]) == ("90d", "41", False)


def test_typed_settings_survive_a_reload_and_can_be_discarded(visit, target):
    visit.open(settings_of(target.mock))
    visit.page.fill("#setting-userBytes", "1GiB")
    visit.page.reload()
    visit.settle()
    assert visit.page.input_value("#setting-userBytes") == "1GiB"
    visit.page.get_by_role("button", name="Discard").click()
    assert visit.page.input_value("#setting-userBytes") == "256MiB"
    expect(visit.page.locator(".savebar")).to_be_hidden()


def test_a_wrong_setting_is_named_at_its_field(visit, target):
    visit.open(settings_of(target.mock))
    visit.page.fill("#setting-userBytes", "lots")
    visit.page.get_by_role("button", name="Save", exact=True).click()
    expect(visit.page.locator("#setting-userBytes-fault")).to_have_text("Write a size such as 512MiB.")
    assert visit.page.evaluate("document.activeElement.id") == "setting-userBytes"
    assert target.mock.photos["tag"] == 1


def test_only_changed_settings_are_sent_and_none_is_null(visit, target):
    visit.open(settings_of(target.mock))
    visit.page.fill("#setting-maximumAge", "")
    visit.page.check("#setting-acceptedIdioms-pad-mac")
    with visit.page.expect_request(lambda request: request.method == "PATCH") as sent:
        visit.page.get_by_role("button", name="Save", exact=True).click()
    assert json.loads(sent.value.post_data) == {"policy": {"maximumAge": None, "acceptedIdioms": {"pad": ["phone", "mac"]}}}
    assert sent.value.headers["if-match"] == '"1"'


def test_switching_restoring_off_is_confirmed(visit, target):
    visit.open(settings_of(target.mock))
    visit.page.select_option("#setting-restoration", "off")
    visit.page.get_by_role("button", name="Save", exact=True).click()
    expect(visit.page.get_by_role("dialog")).to_contain_text("All devices of com.example.photos stop restoring")
    assert target.mock.photos["settings"]["restoration"] == "auto"
    visit.page.get_by_role("button", name="Switch restoring off").click()
    expect(visit.page.get_by_text("The settings are saved.")).to_be_visible()
    assert target.mock.photos["settings"]["restoration"] == "off"


def test_a_panel_fails_alone_and_loads_on_retry(visit, target):
    target.mock.failures["/data-sources"] = (503, "store-unavailable")
    visit.open(user_of(target.mock))
    failed = visit.page.locator("[data-panel=data-sources]")
    expect(failed.locator(".failure")).to_contain_text("The store failed.")
    assert visit.page.locator(".failure").count() == 1 and visit.page.locator("[data-panel=devices] table").is_visible()
    target.mock.failures.clear()
    failed.get_by_role("button", name="Try again").click()
    expect(failed.locator("table")).to_be_visible()


def test_a_restart_loses_nothing_and_the_page_goes_on_by_itself(visit, target):
    visit.open(settings_of(target.mock))
    visit.page.fill("#setting-retainedArchives", "33")
    target.mock.is_down = True
    visit.page.get_by_role("button", name="Save", exact=True).click()
    expect(visit.page.locator(".banner")).to_contain_text("The service does not answer.")
    assert visit.page.input_value("#setting-retainedArchives") == "33"
    # The page has the files of this view already, so each panel says what is missing.
    visit.page.evaluate(f"location.hash = '{user_of(target.mock)}'")
    expect(visit.page.locator("main .failure").first).to_be_visible()
    target.mock.is_down = False
    target.mock.expire_sessions()
    visit.page.fill("#again-password", PASSWORD)
    visit.page.keyboard.press("Enter")
    expect(visit.page.locator("[data-panel=devices] table")).to_be_visible()
    expect(visit.page.locator(".banner")).to_have_count(0)
    visit.open(settings_of(target.mock))
    assert visit.page.input_value("#setting-retainedArchives") == "33"
    visit.page.get_by_role("button", name="Save", exact=True).click()
    expect(visit.page.get_by_text("The settings are saved.")).to_be_visible()


# Tasks

def test_the_start_page_turns_green_when_the_first_device_registers(visit, target):
    app = target.mock.empty
    visit.open(f"#/apps/{app['id']}/start")
    live = visit.page.locator(".live")
    expect(live).to_contain_text("Waiting for the first device")
    code = visit.text("[data-panel=swift] pre")
    assert target.url in code and app["publishableKey"] in code
    app["users"].append(target.mock.generator.plain_user())
    expect(live).to_have_attribute("data-state", "good", timeout=8_000)
    expect(live).to_contain_text("The first device is here")


def test_the_timeline_says_why_each_archive_is_not_the_head(visit, target):
    visit.open(scene_of(target.mock))
    rows = {kind: visit.page.locator(f".entry.{kind}").first.inner_text() for kind in ("head", "late", "view-only", "older")}
    assert "The head: no newer interaction" in rows["head"]
    assert "it arrived 2 hours 18 minutes after its capture" in rows["late"] and "Mac15,3 had a newer capture" in rows["late"]
    assert "a view-only capture. The device had restored the archive of Anna’s iPhone" in rows["view-only"]
    assert "2 hours 11 minutes before the head" in rows["older"] and "Not the head" not in rows["older"]
    expect(visit.page.get_by_text("Quarantined for iPhones with version 42: a restore crashed the app at")).to_be_visible()
    assert visit.page.locator(".drawing .arc").count() == 2


def test_the_timeline_says_that_a_first_screen_is_below_all_work(visit, target):
    first = add_first_screen(target.mock)
    visit.open(scene_of(target.mock, "editor"))
    rows = visit.page.locator(".entry").all_inner_texts()
    assert "The head: no newer interaction" in rows[0] and len(rows) == 2
    assert "First screen" in rows[1] and "Not the head: a first screen. The device had restored nothing, or an archive that no longer exists" in rows[1]
    assert "below all work" in visit.text(".legend")
    visit.page.focus(".drawing")
    visit.page.keyboard.press("End")
    visit.page.keyboard.press("ArrowLeft")
    expect(visit.page.locator(".readout")).to_contain_text("a first screen")
    # The Mac gets its work. The first screen has a later time, and is not refused.
    visit.open(scene_of(target.mock, "editor") + f"?device={target.mock.story['devices'][2]['id']}")
    expect(visit.page.locator(".entry.served")).to_contain_text("This device gets")
    assert visit.page.locator(".verdict").count() == 1
    target.mock.story["scenes"]["editor"][:] = [first | {"isHead": True}]
    visit.open(scene_of(target.mock, "editor"))
    expect(visit.page.locator(".entry.head")).to_contain_text("The head, although the user did not interact: this scene has no newer work.")


def test_a_state_that_crashed_another_device_is_only_offered(visit, target):
    phone = target.mock.story["devices"][0]["id"]
    serve_with_caution(visit)
    words = "The app only offers it, because a restore of it crashed on another device with this idiom and version."
    visit.open(scene_of(target.mock) + f"/explain?device={phone}")
    answer = visit.page.locator("[data-panel=answer]")
    expect(answer).to_contain_text(f"because it is the newest. {words}")
    assert "The full state is refused" not in answer.inner_text()
    visit.page.get_by_text("Candidates and rules").click()
    candidate = visit.page.locator(".candidate").first
    expect(candidate).to_contain_text(f"It is the newest archive that this device may restore. {words}")
    assert candidate.locator("tr", has_text="crashed-elsewhere").inner_text().split("\t")[0] == "Crash elsewhere"
    expect(candidate.locator("tr", has_text="crashed-elsewhere")).to_contain_text("only offered")
    visit.open(scene_of(target.mock) + f"?device={phone}")
    expect(visit.page.locator(".verdict.good").first).to_have_text(f"This device gets the full state. {words}")
    answers = target.mock.story["answers"]
    for answer in answers:
        for logged in answer["candidates"]:
            logged["reasons"] = [{"code": "crashed-elsewhere", "text": "a restore of it crashed on another device with this idiom and version"}
                                 if logged["archive"] == answer["served"]["archive"] else {"code": "too-old", "text": "it is too old"}]
            logged["fidelity"] = answer["served"]["fidelity"] = "full"
    visit.open(scene_of(target.mock) + "?answersOf=")
    expect(visit.page.locator("[data-panel=answers] .candidate").first).to_contain_text(words)


def test_the_timeline_of_a_device_shows_refusals(visit, target):
    quarantine_head(target.mock)
    visit.open(scene_of(target.mock))
    visit.page.focus("#asking")
    visit.page.select_option("#asking", label="Anna’s iPhone")
    expect(visit.page.locator(".verdict.bad").first).to_contain_text("Refused: it is quarantined, since a restore of it crashed.")
    expect(visit.page.locator("#asking")).to_be_focused()
    assert "device=" in visit.page.url
    visit.page.select_option("#only", "quarantined")
    expect(visit.page.locator(".entry")).to_have_count(2)
    visit.page.go_back()
    expect(visit.page.locator(".entry")).to_have_count(50)


def test_an_archive_below_the_served_one_is_not_needed_and_not_refused(visit, target):
    quarantine_head(target.mock)
    visit.open(scene_of(target.mock) + f"?device={target.mock.story['devices'][0]['id']}")
    verdicts = visit.page.locator(".verdict").all_inner_texts()
    assert verdicts[0].startswith("Refused") and verdicts[1].startswith("This device gets the place.")
    assert len(verdicts) == 2
    expect(visit.page.locator(".entry.served")).to_have_count(1)
    assert visit.page.locator(".drawing .verdict-none").count() == 1 and visit.page.locator(".drawing .verdict-place").count() == 1


def test_an_explanation_compares_each_rule(visit, target):
    visit.open(scene_of(target.mock) + "/explain")
    visit.page.get_by_role("button", name="Any other device").click()
    visit.page.fill("#bundleVersion", "41")
    visit.page.get_by_role("button", name="Explain", exact=True).click()
    expect(visit.page.locator("[data-panel=answer]")).to_contain_text(
        re.compile("This device gets the place, without the layout, of the archive captured .* The full state is refused: .*its bundle version 42 is newer than 41"))
    visit.page.get_by_text("Candidates and rules").click()
    row = visit.page.locator(".candidate").first.locator("tr", has_text="bundle-version-newer")
    assert row.inner_text().split("\t")[:3] == ["Bundle version", "42", "41"]
    row.get_by_role("link", name="Setting").click()
    expect(visit.page.locator("#setting-allowsNewerBundleVersion")).to_be_focused()


def test_an_explanation_names_the_neighbor_of_an_item_that_has_not_come(visit, target):
    visit.open(scene_of(target.mock) + "/explain")
    visit.page.get_by_text("References of the served archive").click()
    pending = visit.page.locator(".reference", has_text="Not on this device yet")
    expect(pending).to_contain_text(re.compile("Not on this device yet.*other devices have the item; until it comes, the list shows item-32"))
    pending.get_by_text("Evidence").click()
    expect(pending).to_contain_text(re.compile(r"Neighbor by\s*position"))


def test_an_explanation_begins_with_the_device_that_was_used_last(visit, target):
    phone, pad, _ = target.mock.story["devices"]
    visit.open(scene_of(target.mock) + "/explain")
    assert visit.page.input_value("#device") == phone["id"]
    answer = visit.page.locator("[data-panel=answer]")
    expect(answer.locator(".callout")).to_contain_text(re.compile(r"^Served: Anna’s iPhone gets the full state of the archive captured .*, because it is the newest\."))
    expect(answer.locator("details.panel[open]")).to_have_count(0)
    quarantine_head(target.mock)
    visit.page.select_option("#device", pad["id"])
    expect(answer.locator(".callout")).to_contain_text("Served: iPad in the kitchen gets the place")
    visit.page.select_option("#device", phone["id"])
    expect(answer.locator(".callout")).to_contain_text("because the newer archive is refused: it is quarantined")


def test_a_destructive_act_names_what_goes(visit, target):
    head = archive_with(target.mock, "isHead")
    visit.open(scene_of(target.mock) + f"/archives/{head['id']}")
    visit.page.get_by_role("button", name="Delete…").click()
    dialog = visit.page.get_by_role("dialog")
    for text in (head["id"], "Pastéis de Nata", "scene", "Then the head is the archive captured", "on iPad in the kitchen", "The archive is deleted with its state, place and 2 outcomes."):
        expect(dialog).to_contain_text(text, ignore_case=True)
    assert visit.page.evaluate("document.activeElement.textContent") == "Cancel"
    dialog.get_by_role("button", name=f"Delete {head['id'][:8]}").click()
    expect(visit.page.get_by_text(f"The archive {head['id'][:8]} is deleted.")).to_be_visible()
    assert head not in target.mock.story["scenes"]["main"]


def test_an_older_archive_becomes_the_head(visit, target):
    older = archive_with(target.mock, "hasScreenshot")
    visit.open(scene_of(target.mock) + f"/archives/{older['id']}")
    visit.page.get_by_role("button", name="Make it the head").click()
    visit.page.get_by_role("dialog").get_by_role("button", name="Make it the head").click()
    expect(visit.page.locator(".entry.head")).to_contain_text("Castle")


def test_making_a_quarantined_archive_the_head_warns_that_the_copy_may_fail_again(visit, target):
    archive = archive_with(target.mock, "quarantines")
    visit.open(scene_of(target.mock) + f"/archives/{archive['id']}")
    visit.page.get_by_role("button", name="Make it the head").click()
    dialog = visit.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Quarantined for iPhones with version 42: a restore crashed the app at Tabs/Albums/Photo")
    expect(dialog).to_contain_text("The copy is not quarantined: these devices get the state again, and may fail again.")
    dialog.get_by_role("button", name="Cancel").click()
    visit.open(scene_of(target.mock) + f"/archives/{archive_with(target.mock, 'hasScreenshot')['id']}")
    visit.page.get_by_role("button", name="Make it the head").click()
    expect(dialog).to_be_visible()
    assert "quarantined" not in dialog.inner_text()


def test_each_part_of_an_archive_is_opened_and_found(visit, target):
    visit.open(scene_of(target.mock) + f"/archives/{archive_with(target.mock, 'isHead')['id']}")
    tree = visit.page.locator(".tree")
    expect(tree.get_by_text("· 42 %").first).to_be_visible()
    visit.page.get_by_label("Find in the contents").fill("ink")
    expect(visit.page.get_by_text("1 match", exact=True)).to_be_visible()
    expect(tree.get_by_text("blue")).to_be_visible()
    visit.page.reload()
    visit.settle()
    visit.page.get_by_role("button", name="Expand all").click()
    expect(tree.get_by_text("blue")).to_be_visible()
    expect(tree.locator("details:not([open])")).to_have_count(0)
    visit.page.get_by_role("button", name="Collapse all").click()
    expect(tree.locator("details[open]")).to_have_count(0)


def test_outcomes_name_the_device_and_lead_to_it(visit, target):
    archive = archive_with(target.mock, "isHead")
    visit.open(scene_of(target.mock) + f"/archives/{archive['id']}")
    visit.page.locator("[data-panel=outcomes]").get_by_role("link", name="Anna’s iPhone").first.click()
    row = visit.page.locator("[data-panel=devices] tr.hit")
    expect(row).to_contain_text("Anna’s iPhone")
    expect(row).to_be_in_viewport()


def test_the_differences_say_which_archive_is_which(visit, target):
    older, newer = archive_with(target.mock, "hasScreenshot"), archive_with(target.mock, "isHead")
    visit.open(scene_of(target.mock) + f"/archives/{older['id']}/diff?with={newer['id']}")
    before, after = visit.page.locator("[data-panel=older]"), visit.page.locator("[data-panel=newer]")
    expect(before).to_contain_text(older["id"][:8])
    expect(before).to_contain_text("Castle")
    expect(after).to_contain_text(newer["id"][:8])
    expect(after).to_contain_text("Anna’s iPhone")
    difference = visit.page.locator("[data-panel=difference]")
    expect(difference).to_contain_text("4 differences: 1 added, 1 removed, 2 changed.")
    assert [text.split()[0] for text in difference.locator(".badge").all_inner_texts()] == ["±", "±", "+", "−"]
    # The older one is on the left, whichever comes first in the address.
    visit.open(scene_of(target.mock) + f"/archives/{newer['id']}/diff?with={older['id']}")
    expect(before).to_contain_text(older["id"][:8])
    expect(difference).to_contain_text("4 differences: 1 added, 1 removed, 2 changed.")


def test_the_differences_name_an_archive_below_the_newest_hundred(visit, target):
    mock, user = target.mock, target.mock.story
    user["scenes"]["main"] += [mock.generator.archive("main", user["devices"][0], -100 - index, mock.generator.ago(days=9), mock.generator.ago(days=9), ["Far below"])
                               for index in range(40)]
    visit.open(scene_of(mock) + f"/archives/{user['scenes']['main'][0]['id']}/diff?with={user['scenes']['main'][-1]['id']}")
    expect(visit.page.locator("[data-panel=older]")).to_contain_text("Far below")


def test_an_archive_is_downloaded_and_its_screenshot_is_shown_on_demand(visit, target):
    archive = archive_with(target.mock, "hasScreenshot")
    visit.open(scene_of(target.mock) + f"/archives/{archive['id']}")
    with visit.page.expect_download() as download:
        visit.page.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == f"main-{archive['id'][:8]}.plist"
    assert not any("screenshot" in url for url in visit.requests)
    visit.page.get_by_role("button", name="Show the screenshot").click()
    expect(visit.page.get_by_role("img", name="The screen when the state was captured")).to_be_visible()


def test_a_reference_leads_to_the_item_and_a_decision(visit, target):
    visit.open(scene_of(target.mock) + f"/archives/{archive_with(target.mock, 'isHead')['id']}")
    visit.page.locator("[data-panel=references]").get_by_role("link", name="x-coredata://7F2C/Photo/p128").click()
    visit.settle()
    expect(visit.page.locator("[data-panel=item] table")).to_contain_text("iPad in the kitchen")
    visit.page.get_by_text("Decisions", exact=True).click()
    visit.page.get_by_text("Decide about two items").click()
    visit.page.fill("#second", "item-31")
    visit.page.fill("#note", "one photo")
    visit.page.get_by_role("button", name="Decide", exact=True).click()
    expect(visit.page.locator(".decisions")).to_contain_text("one photo")
    assert target.mock.story["decisions"][0]["first"]["identifier"] == "x-coredata://7F2C/Photo/p128"
    visit.page.get_by_role("button", name="Take back…").click()
    visit.page.get_by_role("button", name="Take it back").click()
    expect(visit.page.get_by_text("Nothing is decided")).to_be_visible()


def test_a_token_is_shown_once(visit):
    visit.open("#/tokens")
    visit.page.get_by_role("button", name="New token").click()
    visit.page.fill("#token-label", "backup check")
    visit.page.get_by_role("button", name="Make the token").click()
    expect(visit.page.get_by_role("dialog", name="The token")).to_contain_text("pka_")
    visit.page.keyboard.press("Escape")
    expect(visit.page.get_by_role("row", name="backup check")).to_be_visible()
    expect(visit.page.get_by_role("dialog")).to_have_count(0)
    assert "pka_" not in visit.page.content()


def test_the_last_owner_stays_and_the_page_says_why(visit):
    visit.open("#/administrators")
    visit.page.get_by_role("button", name="Remove owner").click()
    visit.page.get_by_role("button", name="Remove", exact=True).click()
    expect(visit.page.locator(".notice.bad")).to_contain_text("Make another administrator an owner first.")


def test_a_viewer_cannot_press_what_needs_another_role(browser, target):
    visit = Visit(browser.new_context(), target).log_in("viewer")
    visit.open(scene_of(target.mock) + f"/archives/{archive_with(target.mock, 'isHead')['id']}")
    expect(visit.page.get_by_role("button", name="Delete…")).to_be_disabled()
    expect(visit.page.locator("[data-panel=contents]")).to_contain_text("Values are hidden")
    visit.open(settings_of(target.mock))
    expect(visit.page.locator("#setting-restoration")).to_be_disabled()
    assert visit.page.get_by_role("link", name="API tokens").count() == 0 and not visit.faults


def test_the_requests_of_a_view_are_given_as_curl(visit, target):
    visit.open(user_of(target.mock))
    visit.page.get_by_role("button", name="As curl").click()
    text = visit.text("dialog")
    assert f"'{target.url}/admin/api/apps/{target.mock.photos['id']}/users/{target.mock.story['id']}/data-sources?limit=100'" in text
    assert 'curl -sS -H "Authorization: Bearer $PLACEKEEPER_TOKEN"' in text
    visit.page.get_by_role("dialog").get_by_role("button", name="Copy").first.click()
    assert visit.page.evaluate("navigator.clipboard.readText()").startswith("curl -sS")


# Dialogs and pages outside the frame

@pytest.mark.parametrize("theme", ["light", "dark"])
def test_log_in_set_up_menus_and_dialogs_are_accessible_and_fit(browser, target, theme):
    context = browser.new_context(color_scheme=theme, reduced_motion="reduce", bypass_csp=True, viewport={"width": 360, "height": 800})
    visit, faults = Visit(context, target), []

    def check(name):
        # The bar at the top covers parts of the controls below it after scrolling.
        visit.page.evaluate("scrollTo(0, 0)")
        overflow = visit.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        faults.extend([f"{name}: overflow by {overflow}"] if overflow > 0 else [])
        faults.extend(f"{name}: {fault}" for fault in accessibility_faults(visit.page))

    def check_dialog(address, button):
        visit.open(address)
        visit.page.get_by_role("button", name=button, exact=True).first.click()
        expect(visit.page.get_by_role("dialog")).to_be_visible()
        check(button)
        visit.page.keyboard.press("Escape")
        expect(visit.page.get_by_role("dialog")).to_have_count(0)

    visit.page.goto(target.url + "/admin/")
    visit.page.wait_for_selector("#password")
    check("log-in")
    target.mock.needs_set_up = True
    visit.page.goto(f"{target.url}/admin/#/set-up/{SET_UP_SECRET}")
    visit.page.wait_for_selector("h1:has-text('Set up')")
    check("set-up")
    target.mock.needs_set_up = False
    visit.page.goto(target.url + "/admin/#/")
    visit.page.wait_for_selector("h1:has-text('Log in')")
    visit.log_in()
    archive = scene_of(target.mock) + f"/archives/{archive_with(target.mock, 'hasScreenshot')['id']}"
    quarantined = scene_of(target.mock) + f"/archives/{archive_with(target.mock, 'quarantines')['id']}"
    health = f"#/apps/{target.mock.photos['id']}/health"
    target.mock.photos["settings"]["stoppedRestores"] = [{"sourceVersion": "41", "idiom": "pad", "by": "administrator"}]
    target.mock.story["deleted"]["main"] = [target.mock.deleted(target.mock.story["scenes"]["main"].pop())]
    for address, button in (("#/", "New app"), ("#/administrators", "New administrator"), ("#/administrators", "Change viewer"),
                            ("#/administrators", "Remove viewer"), ("#/tokens", "New token"), ("#/tokens", "Revoke nightly report"),
                            (archive, "Make it the head"), (quarantined, "Make it the head"), (archive, "Delete…"), (user_of(target.mock), "As curl"),
                            (health, "Stop archives of version 43 on iPhones with version 42"), (health, "Stop all archives on iPhones with version 42"), (health, "Allow archives of version 41 on iPads with any version again")):
        check_dialog(address, button)
    visit.open(settings_of(target.mock))
    visit.page.fill("#setting-minimumBundleVersion", "43")
    visit.page.get_by_role("button", name="Try it").click()
    visit.page.locator(".dry-run-change summary").first.click()
    check("dry-run")
    visit.open(scene_of(target.mock))
    visit.page.get_by_text("Deleted archives", exact=True).click()
    expect(visit.page.locator("[data-panel=deleted] table")).to_be_visible()
    check("deleted archives")
    visit.page.get_by_text("Answers that devices got", exact=True).click()
    expect(visit.page.locator("[data-panel=answers] .candidate").first).to_be_visible()
    check("answers")
    visit.open(scene_of(target.mock) + "/explain")
    visit.page.get_by_text("Candidates and rules").click()
    check("candidates")
    visit.open(user_of(target.mock))
    for menu in ("#app-menu", "#display-menu", "#account-menu"):
        visit.page.click(f"{menu} summary")
        expect(visit.page.locator(f"{menu} .menu-body")).to_be_visible()
        check(menu)
    target.mock.expire_sessions()
    visit.page.goto(target.url + "/admin/#/service")
    expect(visit.page.get_by_role("dialog", name="Log in again")).to_be_visible()
    check("log in again")
    context.close()
    assert not faults and not visit.faults


def test_the_apps_are_switched_by_a_menu(visit, target):
    visit.open(user_of(target.mock))
    assert not any("/admin/api/apps?" in url for url in visit.requests[-3:])
    visit.page.click("#app-menu summary")
    visit.page.locator("#app-menu").get_by_role("link", name="com.example.notes").click()
    expect(visit.page.get_by_role("heading", level=1)).to_have_text("com.example.notes")


def test_decisions_of_a_data_source_are_loaded_on_demand(visit, target):
    visit.open(user_of(target.mock) + "/data-sources/photos")
    assert not any("decisions" in url for url in visit.requests)
    visit.page.get_by_text("Decisions", exact=True).click()
    expect(visit.page.get_by_text("Nothing is decided")).to_be_visible()


def test_a_data_source_without_a_declaration_says_how_its_items_return(visit, target):
    visit.open(user_of(target.mock) + "/data-sources/tags")
    items = visit.page.locator("[data-panel=items]")
    expect(items).to_contain_text("The app does not declare this data source")
    expect(items).to_contain_text("--declare tags=registered")
    expect(visit.page.locator(".failure")).to_have_count(0)


# Keyboard, display

def test_the_tasks_work_by_keyboard(visit, target):
    page = visit.open(f"#/apps/{target.mock.photos['id']}/users").page
    page.keyboard.press("/")
    page.keyboard.type("anna@example.com")
    page.keyboard.press("Enter")
    page.wait_for_selector(".scenes a")
    assert page.evaluate("document.activeElement.localName") == "h1"
    visit.open(scene_of(target.mock))
    page.locator(".entry-link").first.focus()
    for key in ("ArrowDown", "j", "j", "k"):
        page.keyboard.press(key)
    links = page.locator(".entry-link")
    assert links.nth(2).evaluate("link => link === document.activeElement")
    page.keyboard.press("Enter")
    page.wait_for_selector("h1:has-text('Archive')")


def test_the_only_hit_of_a_search_is_shown_and_back_leads_before_the_search(visit, target):
    mock, page = target.mock, visit.page
    visit.open(f"#/apps/{mock.photos['id']}/audit")
    visit.open(f"#/apps/{mock.photos['id']}/users")
    archive = archive_with(mock, "isHead")
    page.fill("#search", archive["id"])
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Archive {archive['id'][:8]}")
    page.go_back()
    expect(page.locator("[data-panel=users] table")).to_be_visible()
    assert page.input_value("#search") == ""


def test_a_part_of_an_id_finds_nothing_and_the_page_says_what_is_needed(visit, target):
    visit.open(f"#/apps/{target.mock.photos['id']}/users?text={target.mock.story['id'][:8]}")
    expect(visit.page.locator("[data-panel=found]")).to_contain_text("The search needs a whole id (36 characters), a whole subject or a whole identifier.")


def test_the_key_slash_goes_to_the_search_from_each_view_of_an_app(visit, target):
    page = visit.page
    for address in (f"#/apps/{target.mock.photos['id']}", scene_of(target.mock), settings_of(target.mock)):
        visit.open(address)
        page.keyboard.press("/")
        expect(page.locator("#search")).to_be_focused()
        assert page.input_value("#search") == ""
    visit.open(settings_of(target.mock))
    page.focus("#setting-minimumBundleVersion")
    page.keyboard.press("/")
    assert page.input_value("#setting-minimumBundleVersion") == "/" and page.url.endswith("/settings")
    visit.open(scene_of(target.mock))
    page.click("#display-menu summary")
    page.get_by_label("Does nothing").check()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.wait_for_timeout(100)
    assert "/scenes/main" in page.url


def test_the_arrow_keys_move_between_the_archives_of_the_drawing(visit, target):
    page = visit.open(scene_of(target.mock)).page
    drawing, readout = page.locator(".drawing"), page.locator("[data-panel=timeline] .readout")
    drawing.focus()
    page.keyboard.press("ArrowLeft")
    expect(readout).to_contain_text("Anna’s iPhone, the head")
    page.keyboard.press("ArrowLeft")
    expect(readout).to_contain_text("iPad in the kitchen, view only")
    expect(drawing.locator(".chosen")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    expect(readout).to_contain_text("the head")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    assert page.locator(".entry.view-only .entry-link").first.evaluate("link => link === document.activeElement")


def test_the_skip_link_leads_past_the_navigation(visit):
    visit.page.reload()
    visit.page.wait_for_selector("h1")
    visit.page.keyboard.press("Tab")
    assert visit.page.evaluate("document.activeElement.id") == "skip"
    visit.page.keyboard.press("Enter")
    assert visit.page.evaluate("document.activeElement.localName") == "h1" and not visit.page.url.endswith("#main")


def test_a_chart_is_read_by_keyboard_and_has_a_table(visit, target):
    visit.open(f"#/apps/{target.mock.photos['id']}")
    panel = visit.page.locator("[data-panel=outcome]")
    panel.locator(".plot").focus()
    visit.page.keyboard.press("End")
    assert "restored" in panel.locator(".readout").inner_text()
    panel.get_by_text("As a table").click()
    expect(panel.locator("tbody tr")).to_have_count(24)


def test_a_menu_closes_by_escape_and_choices_last(visit, target):
    visit.open(scene_of(target.mock))
    summary = visit.page.locator("#display-menu summary")
    summary.click()
    visit.page.get_by_label("UTC").check()
    visit.page.get_by_label("Dark").check()
    visit.page.keyboard.press("Escape")
    assert summary.evaluate("summary => summary === document.activeElement && !summary.parentElement.open")
    expect(visit.page.locator(".entry-link").first).to_contain_text("UTC")
    visit.page.reload()
    visit.settle()
    assert visit.page.evaluate("getComputedStyle(document.body).colorScheme") == "dark"
    expect(visit.page.locator(".entry-link").first).to_contain_text("UTC")


@pytest.mark.parametrize("module, expression, value", [
    ("formats.js", "m.bytes(1536)", "1.5 KiB"), ("formats.js", "m.readBytes('1.5 GiB')", 1610612736), ("formats.js", "m.readBytes('many')", None),
    ("formats.js", "m.exactBytes(268435456)", "256MiB"), ("formats.js", "m.exactBytes(1000)", "1000"), ("formats.js", "m.percent(0.9999)", "99.9 %"),
    ("formats.js", "m.duration(11105)", "3 hours 5 minutes"), ("formats.js", "m.absolute('2026-11-21T03:40:00.125Z', 'utc', 'exact')", "21 Nov 2026, 03:40:00.125 UTC"),
    ("charts.js", "m.ceiling(81)", 100), ("charts.js", "m.ceiling(0)", 4),
    ("addresses.js", "m.path`/a/${'x/y\\u0000\\ud800'}`", "/a/x%2Fy%00%EF%BF%BD"), ("addresses.js", "m.query({a: undefined, b: '&', c: ''})", "?b=%26"),
    ("views-health.js", """m.releases([["43", "pad", "43"], ["42", "pad", "43"], ["43", "phone", "43"], ["42", "mac", "9"]].map(([sourceVersion, idiom, targetVersion]) => ({ sourceVersion, idiom, targetVersion })))
        .map(({ version, stops }) => [version, stops])""", [["43", [{"targetVersion": "43", "idiom": "pad"}, {"sourceVersion": "43", "targetVersion": "43", "idiom": "phone"}]], ["9", [{"sourceVersion": "42", "targetVersion": "9", "idiom": "mac"}]]]),
    ("curl.js", """m.curl({method: 'POST', target: '/x', body: {note: "it's"}}).split(" -d ")[1].split(" 'http")[0]""", """'{"note":"it'\\''s"}'"""),
    ("texts.js", "m.visible('a\\u202eb\\u0000')", "a[U+202E]b␀"), ("texts.js", "m.cut('e' + '\\u0301'.repeat(500), 10)", {"text": "e" + "\u0301" * 4, "isCut": True}),
    ("texts.js", "m.cut('👩‍👩‍👧', 60)", {"text": "👩‍👩‍👧", "isCut": False}),
    ("reasons.js", "m.reasonText({code: 'bundle-version-newer', text: \"it is newer than 1$'\"})", "it is newer than 1$'"),
    ("reasons.js", "m.reasonText({code: 'constructor'})", "constructor"), ("icons.js", "m.icon('constructor').firstChild.getAttribute('d')", "M5 5h10v10H5z"),
    ("settings-fields.js", "JSON.stringify(m.patch([[['constructor', 'b'], 1], [['__proto__', 'c'], 2]]))", '{"constructor":{"b":1},"__proto__":{"c":2}}'),
    ("settings-fields.js", "m.patch([[['a', 'b'], 1], [['a', 'c'], null]])", {"a": {"b": 1, "c": None}}),
    ("settings-fields.js", "m.groupsFor({later: {word: 'x'}}).at(-1)[1][0].path", ["later", "word"]),
])
def test_function(visit, module, expression, value):
    assert visit.page.evaluate(f"import('/admin/{module}').then(m => {expression})") == value


def test_the_ambiguous_aliases_of_a_data_source_lead_to_their_items(visit, target):
    mock, page = target.mock, visit.page
    visit.open(f"#/apps/{mock.photos['id']}/users/{mock.story['id']}/data-sources/photos")
    page.get_by_text("Ambiguous aliases").first.click()
    panel = page.locator("[data-panel=ambiguous-aliases]")
    expect(panel.locator("tbody tr")).to_have_count(3)
    expect(panel).to_contain_text("url:untitled-12")
    page.evaluate("scrollTo(0, 0)")
    assert not accessibility_faults(page)
    panel.get_by_role("link", name="p13").first.click()
    expect(page.locator("h1")).to_contain_text("p13")
    visit.open(f"#/apps/{mock.photos['id']}/users/{mock.story['id']}/data-sources/albums")
    page.get_by_text("Ambiguous aliases").first.click()
    expect(panel).to_contain_text("No alias is ambiguous")


def test_more_ambiguous_aliases_are_read_on_demand(visit, target):
    target.mock.ambiguous = 130
    visit.open(user_of(target.mock) + "/data-sources/photos")
    visit.page.get_by_text("Ambiguous aliases").first.click()
    panel = visit.page.locator("[data-panel=ambiguous-aliases]")
    expect(panel.locator("tbody tr")).to_have_count(100)
    panel.get_by_role("button", name="Show more").click()
    expect(panel.locator("tbody tr")).to_have_count(130)
    expect(panel.locator("tbody tr").last).to_contain_text("url:untitled-141")
    expect(panel.get_by_role("button", name="Show more")).to_have_count(0)
    assert visit.page.evaluate("document.activeElement.closest('tr') === document.querySelectorAll('[data-panel=ambiguous-aliases] tbody tr')[100]")
    assert "placekeeper identity" not in panel.inner_text()


def test_the_log_of_an_app_shows_the_changes_of_settings(visit, target):
    visit.open(f"#/apps/{target.mock.photos['id']}/audit")
    row = visit.page.locator("tbody tr", has_text="Changed settings").first
    assert row.get_by_role("listitem").all_inner_texts() == [
        "Maximum age: 30d → 14d", "Changed: iPads also restore the full state of", "Minimum app version: none → 41"]


def test_a_word_of_the_service_that_names_an_inherited_member_is_shown_as_it_is(visit, target):
    """The tables of words are objects, which inherit `constructor`."""
    mock, word = target.mock, "constructor"
    mock.photos["settings"]["restoration"] = mock.photos["settings"]["breaker"]["mode"] = word
    for archive in mock.story["scenes"]["main"]:
        archive["outcomes"], archive["context"] = {word: 1}, archive["context"] | {"idiom": word}
        archive["quarantines"] = [{"idiom": word, "bundleVersion": "42", "result": word}]
    for answer in mock.story["answers"]:
        for candidate in answer["candidates"]:
            candidate["reasons"] = [{"code": word, "text": word}]
    archives = [scene_of(mock) + f"/archives/{one['id']}" for one in mock.story["scenes"]["main"][:2]]
    device = mock.story["devices"][0]["id"]

    def with_word(route):
        answer = route.fetch()
        text = re.sub(r'"(kind|step|code|state|result)": "[^"]*"', rf'"\1": "{word}"', answer.text())
        route.fulfill(response=answer, body=text)

    visit.page.route(re.compile(r"/(diff|explanation|health|references|items/[^/]+)(\?|$)"), with_word)
    for address in ("#/", f"#/apps/{mock.photos['id']}", f"#/apps/{mock.photos['id']}/health", scene_of(mock) + f"?device={device}&only={word}",
                    scene_of(mock) + f"/explain?device={device}", archives[0], f"{archives[0]}/diff?with={archives[1].rsplit('/', 1)[1]}",
                    user_of(mock) + "/data-sources/photos/items/p12", user_of(mock) + f"?device={device}"):
        visit.open(address)
        visit.page.evaluate("document.querySelectorAll('main details').forEach(details => { details.open = true })")
        visit.page.wait_for_timeout(60)
        visit.settle()
        assert visit.page.locator(".failure").count() == 0, (address, visit.text())
        assert "native code" not in visit.page.content(), address


def test_a_view_of_a_user_names_the_app_after_the_list_of_apps_was_shown(visit, target):
    mock, page = target.mock, visit.page
    visit.open("#/")
    expect(page.get_by_role("link", name="com.example.photos")).to_be_visible()
    visit.open(f"#/apps/{mock.photos['id']}/users/{mock.story['id']}")
    expect(page.locator("nav[aria-label=Breadcrumb], .crumbs").first).to_contain_text("com.example.photos")
