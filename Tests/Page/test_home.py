"""What an operator sees first: what needs somebody, the success of restores, and the worst releases, with the stand-in of mock.py."""

import copy
import re

from playwright.sync_api import expect

from conftest import Visit, accessibility_faults
from test_operations import app_of, live, stops_of
from mock import ROLES
from test_page import archive_with, quarantine_head, scene_of, settings_of, user_of
from test_views import PAGE


# Home

def test_home_says_what_needs_somebody_and_leads_to_it(visit, target):
    visit.open("#/")
    needs = visit.page.locator("[data-panel=needs]")
    expect(needs).to_contain_text("2 things need you")
    expect(needs).to_contain_text("com.example.photos: version 42 fails too often. Show it")
    needs.get_by_role("listitem").filter(has_text="com.example.photos").get_by_role("link").click()
    expect(visit.page.get_by_role("heading", level=1)).to_have_text("Restoration health")
    for app in target.mock.apps:
        if "health" in app:
            app["health"]["breaker"]["pairs"] = []
    target.mock.photos["settings"]["restoration"] = "off"
    visit.open("#/")
    expect(needs).to_contain_text("1 thing needs you")
    expect(needs).to_contain_text("com.example.photos: restoring is switched off")
    target.mock.photos["settings"]["restoration"] = "auto"
    visit.page.reload()
    expect(needs).to_contain_text("Nothing needs you.")


def test_each_app_has_its_success_with_its_change_its_restores_and_its_alerts(visit, target):
    visit.open("#/")
    row = visit.page.locator("[data-panel=apps] tbody tr", has_text="com.example.photos")
    expect(row).to_contain_text("1 alert")
    cells = [cell.strip() for cell in row.inner_text().split("\t")]
    assert re.match(r"\d[\d.]* %\s*(▲|▼|unchanged)", cells[1]) and int(cells[2].replace(",", "")) > 500 and cells[4] == "121"
    empty = visit.page.locator("[data-panel=apps] tbody tr", has_text="com.example.notes")
    expect(empty).to_contain_text("none")


def test_the_apps_are_sorted_by_a_column_and_the_address_keeps_it(visit, target):
    visit.open("#/")
    page, names = visit.page, visit.page.locator("[data-panel=apps] tbody th")
    expect(page.locator("[data-panel=needs]")).to_contain_text("need you")
    page.get_by_role("button", name="Users").click()
    expect(names.first).to_contain_text("com.example.photos")
    expect(page.get_by_role("columnheader", name="Users")).to_have_attribute("aria-sort", "descending")
    page.keyboard.press("Enter")
    expect(names.first).to_contain_text("com.example.notes")
    page.wait_for_url("**?sort=-4")
    page.reload()
    expect(page.get_by_role("columnheader", name="Users")).to_have_attribute("aria-sort", "ascending")
    expect(names.first).to_contain_text("com.example.notes")
    # An app without a restore has no success to compare.
    for _ in range(2):
        page.get_by_role("button", name="Success").click()
        expect(names.last).to_contain_text("com.example.notes")
    assert not accessibility_faults(page)


def test_an_app_whose_health_cannot_be_read_does_not_hide_the_others(visit, target):
    visit.page.route(f"**/apps/{target.mock.photos['id']}/health?*", lambda route: route.fulfill(status=503, json={"title": "The store failed.", "code": "store-unavailable"}))
    visit.open("#/")
    expect(visit.page.locator("[data-panel=needs]")).to_contain_text("1 thing needs you")
    expect(visit.page.locator("[data-panel=apps] tbody tr", has_text="com.example.photos")).to_contain_text("not read")


def test_the_status_page_leads_to_the_administration(visit, target):
    visit.page.goto(target.url + "/")
    visit.page.get_by_role("link", name="Administration").click()
    visit.page.wait_for_selector(".topbar")


# Overview

def test_a_month_is_drawn_by_days_and_its_last_day_is_marked(visit, target):
    visit.open(app_of(target.mock) + "?hours=720")
    panel = visit.page.locator("[data-panel=outcome]")
    expect(panel).to_contain_text("reports per day")
    expect(panel).to_contain_text("The last column is not finished.")
    panel.get_by_text("As a table").click()
    rows = panel.locator("tbody tr")
    expect(rows.last).to_contain_text("(not finished)")
    assert rows.count() in (30, 31) and "(not finished)" in rows.last.inner_text() and re.match(r"\d+ \w+ \d{4}\t", rows.nth(3).inner_text())
    assert panel.locator("rect.unfinished").count() > 0
    panel.locator(".plot").focus()
    visit.page.keyboard.press("End")
    expect(panel.locator(".readout")).to_contain_text("not finished")


def test_refusals_are_named_by_words(visit, target):
    visit.open(app_of(target.mock))
    refusals = visit.page.locator("[data-panel=refusal] .legend")
    expect(refusals).to_contain_text("another kind of device")
    assert "idiom-not-accepted" not in refusals.inner_text()


def test_failed_and_crashed_have_colors_that_differ_in_both_themes(visit, target):
    visit.open(app_of(target.mock))
    for theme in ("light", "dark"):
        visit.page.emulate_media(color_scheme=theme)
        fills = visit.page.eval_on_selector_all("[data-panel=outcome] .legend li", """items => Object.fromEntries(items.map(item =>
            [item.innerText.trim().split(/\\s/)[0], getComputedStyle(item.querySelector("svg")).fill.match(/\\d+/g).map(Number)]))""")
        # Red has much more red than blue; the color of a crash does not.
        assert fills["failed"][0] - fills["failed"][2] > 80 and fills["crashed"][2] >= fills["crashed"][0], (theme, fills)


# Health

def test_the_worst_ten_are_shown_first_and_all_on_demand(visit, target):
    restores = target.mock.photos["health"]["restores"]
    restores += [copy.deepcopy(restores[1]) | {"source": {"idiom": "phone", "bundleVersion": str(100 + index)}, "failed": index} for index in range(20)]
    visit.open(app_of(target.mock) + "/health")
    panel = visit.page.locator("[data-panel=restores]")
    expect(panel.locator("tbody tr")).to_have_count(10)
    expect(panel.locator("tbody tr").first).to_contain_text("iPhone 43 → iPhone 42")
    expect(panel.locator("tbody tr").nth(1)).to_contain_text("iPhone 119")
    panel.get_by_role("button", name="Show all 24").click()
    expect(panel.locator("tbody tr")).to_have_count(24)
    assert visit.overflow(360) <= 0
    assert visit.page.evaluate("document.documentElement.scrollHeight") < 9_000


def test_a_release_that_fails_in_several_ways_has_one_alert_and_one_stop(visit, target):
    pair = target.mock.photos["health"]["breaker"]["pairs"][0]
    target.mock.photos["health"]["breaker"]["pairs"] = [
        pair | {"sourceVersion": source, "targetVersion": "43", "idiom": idiom} for source, idiom in (("42", "phone"), ("43", "phone"), ("43", "pad"))]
    visit.open(app_of(target.mock) + "/health")
    switches = visit.page.locator("[data-panel=switches]")
    expect(switches.locator(".callout")).to_have_count(1)
    expect(switches.locator(".callout")).to_contain_text("Version 43 fails too often")
    switches.get_by_role("button", name="Stop").click()
    dialog = visit.page.get_by_role("dialog")
    expect(dialog).to_contain_text("iPhones with version 43 start fresh until you allow restores again.")
    expect(dialog).to_contain_text("iPads with version 43 get no archive of version 43 until you allow restores again.")
    dialog.get_by_role("button", name="Stop", exact=True).click()
    expect(switches).to_contain_text("Stopped: all archives on iPhones with version 43")
    assert stops_of(target.mock) == [{"targetVersion": "43", "idiom": "phone", "by": "administrator"},
                                     {"sourceVersion": "43", "targetVersion": "43", "idiom": "pad", "by": "administrator"}]


# Timeline

def test_the_timeline_marks_what_the_device_gets_that_asked_last(visit, target):
    quarantine_head(target.mock)
    visit.open(scene_of(target.mock))
    expect(visit.page.locator("#asking")).to_have_value(target.mock.story["devices"][0]["id"])
    expect(visit.page.locator(".callout").first).to_contain_text(re.compile("Anna’s iPhone gets the place of the archive captured .* on iPad in the kitchen"))
    expect(visit.page.locator(".entry.served")).to_contain_text("Served")
    expect(visit.page.locator(".entry.served.head")).to_have_count(0)
    assert visit.page.locator(".drawing .mark.served").count() == 1
    visit.page.select_option("#asking", label="No device")
    visit.settle()
    assert visit.page.url.endswith("device=none") and visit.page.locator(".entry.served").count() == 0


# Roles

def test_a_disabled_control_says_why_and_who_can(browser, target):
    visit = Visit(browser.new_context(), target).log_in("viewer")
    words = "Only an operator or an owner can download, restore or delete an archive. You are a viewer."
    head = scene_of(target.mock) + f"/archives/{archive_with(target.mock, 'isHead')['id']}"
    visit.open(head)
    expect(visit.page.locator("[data-panel=archive]")).to_contain_text(words)
    expect(visit.page.get_by_role("button", name="Delete…")).to_have_attribute("title", words)
    for address in ("#/", settings_of(target.mock), app_of(target.mock) + "/health", head):
        visit.open(address)
        unexplained = visit.page.eval_on_selector_all("main :is(button, input, select, textarea):disabled", "all => all.filter(one => !one.title).map(one => one.outerHTML)")
        assert not unexplained, (address, unexplained)
    visit.open(user_of(target.mock) + "/data-sources/photos")
    visit.page.get_by_text("Decisions", exact=True).click()
    expect(visit.page.locator("main")).to_contain_text("Only an operator or an owner can see decisions. You are a viewer.")
    assert not visit.faults


def test_the_service_says_which_role_an_operation_needs(browser, target):
    target.mock.roles |= {"trySettings": "owner", "deleteUsersArchive": "viewer"}
    visit = Visit(browser.new_context(), target).log_in("operator")
    visit.open(settings_of(target.mock))
    expect(visit.page.locator("[data-panel=dry-run]")).to_contain_text("Only an owner can try a policy. You are an operator.")
    visit = Visit(browser.new_context(), target).log_in("viewer")
    visit.open(scene_of(target.mock) + f"/archives/{archive_with(target.mock, 'isHead')['id']}")
    expect(visit.page.get_by_role("button", name="Delete…")).to_be_enabled()
    expect(visit.page.get_by_role("button", name="Download")).to_be_disabled()


def test_the_page_asks_for_roles_by_operations_of_the_service():
    # The service lists no operation that a viewer may use, so a wrong name would let viewers try. Most names are arguments;
    # lists have others, which begin with a verb of the description's operations.
    operations = re.findall(r"operationId: (\w+)", (PAGE.parents[1] / "openapi.yaml").read_text())
    verbs = "|".join({re.match("[a-z]+", operation).group() for operation in operations})
    code = "".join(file.read_text() for file in PAGE.glob("*.js"))
    asked = set(re.findall(r'\b(?:may|denied|deniedNote|leastRole)\("(\w+)"', code) + re.findall(r'\bactButton\("[^"]*", "[^"]*", "(\w+)"', code))
    named = {word for word in re.findall(rf'"((?:{verbs})[A-Z]\w*)"', code) if not word.endswith("View")} - {"signIn", "linkOnly"}
    assert {"revokeUsersDevice", "eraseUsersData", "deleteApp"} <= asked and {"listServiceAudit", "downloadArchive"} <= named
    assert asked | named <= set(ROLES), (asked | named) - set(ROLES)


# Live

def test_an_effect_is_above_its_cause_whichever_arrives_first(visit, target):
    mock, events = target.mock, live(visit, target)
    device = mock.story["devices"][0]["id"][:8]
    expect(events).to_have_count(200)
    at = "2031-01-01T00:00:00.000Z"
    for kind in ("outcomeReported", "restoreServed", "archiveStored"):
        mock.emit(mock.photos, mock.story, kind, at=at, result="restored")
    expect(events).to_have_count(203)
    texts = [text.replace("\n", " ") for text in events.all_inner_texts()[:3]]
    assert "restored an archive" in texts[0] and "and got an archive" in texts[1] and "stored an archive" in texts[2], texts
    assert re.search(r"\d\d:\d\d:\d\d[.,]\d{3}", texts[0]) and device in texts[0]
