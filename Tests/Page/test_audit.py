"""The audit logs: changes apart from reads, filters in the address, and words for each action, with the stand-in of mock.py."""

import pathlib
import re

from playwright.sync_api import expect

from conftest import Visit, accessibility_faults
from data import text, now
from test_operations import app_of

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "Sources/PlacekeeperService/Audit/AuditEntry.swift"


def actions_of_the_service():
    return set(re.findall(r'AuditAction\(rawValue: "([\w-]+)"\)', SOURCES.read_text()))


def test_the_command_knows_each_action():
    source = SOURCES.read_text()
    names = re.findall(r"static let (\w+) = AuditAction\(", source)
    listed = source.split("static let all: [AuditAction] = [")[1].split("]")[0]
    assert sorted(names) == sorted(re.findall(r"\.(\w+)", listed))


def test_each_action_that_the_service_knows_has_words(visit):
    actions = actions_of_the_service()
    assert len(actions) > 35
    words = visit.page.evaluate("actions => import('/admin/audit-actions.js').then(m => actions.map(m.actionText))", sorted(actions))
    assert not [word for word, action in zip(words, sorted(actions)) if word == action] and len(set(words)) == len(words)
    # Each is also in the filter of a log.
    listed = visit.page.evaluate("import('/admin/audit-actions.js').then(m => [...m.actionsIn('app', 'all'), ...m.actionsIn(undefined, 'all')].map(([code]) => code))")
    assert actions <= set(listed)


def entries_of(visit, target, filters=""):
    visit.open(app_of(target.mock) + "/audit" + filters)
    return visit.page.locator("[data-panel=audit]")


def test_the_log_shows_changes_first_and_reads_apart(visit, target):
    panel = entries_of(visit, target)
    expect(panel.locator("tbody tr").first).to_contain_text("Exported a user’s data")
    expect(panel).not_to_contain_text("Looked at")
    panel.get_by_role("link", name="Reads").click()
    visit.settle()
    expect(panel.locator("tbody tr").first).to_contain_text("Looked at a user’s data")
    expect(panel).not_to_contain_text("Exported")
    panel.get_by_role("link", name="All", exact=True).click()
    expect(panel).to_contain_text("Exported")
    expect(panel).to_contain_text("Looked at a user’s data")
    expect(panel.get_by_role("link", name="All", exact=True)).to_have_attribute("aria-current", "true")


def test_the_filters_by_person_action_and_day_are_in_the_address(visit, target):
    day = text(now())[:10]
    target.mock.photos["audit"] += [
        {"number": 900, "at": f"{day}T00:00:00.000Z", "actor": "administrator anna", "action": "settings-changed", "detail": "policy.allowsPlace: true to false; x.y: 1 to 2; policy.acceptedIdioms.pad: none to [phone, mac]; userBytes: 268435456 to 1000; webOrigins: [] to [https://a.example, https://b.example]; policy.acceptedIdioms.mac: [pad] to []; restoration: auto to offer"},
        {"number": 901, "at": f"{day}T00:00:01.000Z", "actor": "token nightly", "action": "erased", "detail": ""},
        {"number": 902, "at": "2020-02-03T10:00:00.000Z", "actor": "administrator anna", "action": "restores-failing", "detail": "43 42 phone"}]
    panel = entries_of(visit, target)
    panel.get_by_role("link", name="anna").first.click()
    visit.settle()
    rows = panel.locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(panel).to_contain_text("Archives of version 43 on iPhones with version 42")
    visit.page.select_option("#action", label="Changed settings")
    expect(rows).to_have_count(1)
    assert rows.get_by_role("listitem").all_inner_texts() == [
        "Allows the place: on → off", "x.y: 1 → 2", "iPads also restore the full state of: none → iPhones, Macs", "Bytes of a user: 256MiB → 1,000 bytes",
        "Origins of web pages: none → https://a.example, https://b.example", "Macs also restore the full state of: iPads → none",
        "Restoration: Restore → Ask the user"]
    visit.page.focus("#day")
    visit.page.keyboard.type("02032020")
    visit.page.wait_for_timeout(100)
    assert visit.page.input_value("#day") == "2020-02-03" and "day=" not in visit.page.url
    visit.page.keyboard.press("Enter")
    expect(panel).to_contain_text("No entry fits the filters")
    expect(visit.page.locator("#day")).to_be_focused()
    visit.page.wait_for_url("**/audit?actor=administrator%20anna&action=settings-changed&day=2020-02-03")
    visit.page.select_option("#action", "")
    expect(rows).to_have_count(1)
    visit.page.fill("#actor", "anna")
    assert "actor=anna" not in visit.page.url
    visit.page.keyboard.press("Enter")
    visit.page.wait_for_url("**actor=anna**")
    expect(rows).to_have_count(1)
    visit.page.fill("#day", "")
    visit.page.keyboard.press("Enter")
    expect(rows).to_have_count(2)
    assert visit.page.locator("#actors option").evaluate_all("options => options.map(one => one.value)") == ["administrator anna", "user", "breaker"]
    visit.page.fill("#actor", "nobody")
    visit.page.keyboard.press("Enter")
    visit.page.wait_for_url("**actor=nobody**")
    expect(panel).to_contain_text("No entry fits the filters")
    expect(visit.page.locator("#actor")).to_be_focused()
    panel.get_by_role("link", name="Show all changes").click()
    expect(panel).to_contain_text("API token nightly")
    visit.settle()
    visit.page.wait_for_url("**/audit")


def test_a_day_counts_when_the_person_leaves_the_filter_and_the_focus_is_not_lost(visit, target):
    day = text(now())[:10]
    panel = entries_of(visit, target)
    visit.page.fill("#day", day)
    for _ in range(4):
        # A date input has a stop for each part of a day, and one for its calendar.
        visit.page.keyboard.press("Tab")
    visit.page.wait_for_url(f"**/audit?day={day}")
    visit.settle()
    expect(panel.locator("tbody tr").first).to_be_visible()
    expect(visit.page.locator("#day")).to_be_focused()
    visit.page.fill("#actor", "not sent")
    visit.page.go_back()
    visit.settle()
    visit.page.wait_for_url("**/audit")


def test_a_page_without_a_fitting_entry_leads_to_the_next_one(visit, target):
    visit.page.route(re.compile("/audit.action=erased$|/audit.kind=changes&action=erased$"), lambda route: route.fulfill(json={"items": [], "next": "7"}))
    panel = entries_of(visit, target, "?action=erased")
    expect(panel).to_contain_text("None of the entries on this page fits")
    panel.get_by_role("link", name="Next page").click()
    visit.page.wait_for_url("**/audit?action=erased&cursor=7")
    expect(panel).to_contain_text("No entry fits the filters")


def test_the_log_of_the_service_shows_failed_log_ins(visit, target):
    target.mock.log.append({"number": 9, "at": text(now()), "actor": "unknown", "action": "log-in-failed", "detail": "12 attempts"})
    visit.open("#/audit?kind=log-ins")
    row = visit.page.locator("[data-panel=audit] tbody tr").first
    expect(row).to_contain_text("Unknown person")
    expect(row).to_contain_text("Failed to log in")
    expect(row).to_contain_text("12 attempts")


def test_the_filtered_log_is_accessible_and_fits(browser, target):
    context = browser.new_context(bypass_csp=True, reduced_motion="reduce")
    visit = Visit(context, target).log_in()
    for address in (app_of(target.mock) + "/audit?kind=all", app_of(target.mock) + "/audit?action=erased", f"#/apps/{target.mock.weird['id']}/audit?kind=all"):
        visit.open(address)
        assert not accessibility_faults(visit.page)
        assert max(visit.overflow(width) for width in (360, 768, 1440)) <= 0, address
    context.close()
