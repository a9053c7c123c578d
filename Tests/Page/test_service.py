"""The "Service" area: its health and its sections, with the stand-in of mock.py."""

import json
from datetime import timedelta

from playwright.sync_api import expect

from conftest import Visit, accessibility_faults
from data import text, now


def test_the_service_says_that_it_is_ready_and_what_it_warns_of(visit, target):
    visit.open("#/service")
    readiness = visit.page.locator("[data-panel=readiness]")
    expect(readiness).to_contain_text("ready The service can read and write its data, and warns of nothing.")
    expect(visit.page.locator("[data-panel=about]")).to_contain_text("700 MiB of 1 GiB")
    target.mock.readiness = 200, "text/plain", "ok\nSQLite 3.40.1\nwarning: the clock is behind\nwarning: <b>keys</b> are old\n"
    visit.page.reload()
    expect(readiness.get_by_role("listitem")).to_have_text(["the clock is behind", "<b>keys</b> are old"])
    target.mock.readiness = 503, "application/problem+json", json.dumps({"detail": "The disk is full."})
    visit.page.reload()
    expect(readiness).to_contain_text("not ready The disk is full.")
    for answer in ((404, "text/plain", ""), (200, "text/html", "<p>a page of a proxy</p>"), (503, "text/html", "<p>")):
        target.mock.readiness = answer
        visit.page.reload()
        expect(readiness).to_contain_text("The page cannot read /readyz.")


def test_the_last_backup_is_the_newest_in_the_log(visit, target):
    visit.open("#/service")
    backup = visit.page.locator("[data-panel=backup]")
    expect(backup).to_contain_text("The log has no backup")
    entry = {"actor": "command root", "action": "backed-up", "detail": ""}
    target.mock.photos["audit"] += [entry | {"number": 800 + index, "at": text(now() - timedelta(hours=hours))} for index, hours in enumerate((80, 30))]
    visit.page.reload()
    expect(backup).to_contain_text("old Begun yesterday")
    backup.get_by_role("link", name="Entries").click()
    expect(visit.page.locator("[data-panel=audit] tbody tr")).to_have_count(2)
    target.mock.photos["audit"].append(entry | {"number": 900, "at": text(now() - timedelta(hours=2))})
    visit.open("#/service")
    expect(backup).to_contain_text("Begun 2 hours ago")
    expect(backup.locator(".badge")).to_have_count(0)


def test_the_sections_are_one_area(browser, visit, target):
    visit.open("#/service")
    sections = visit.page.get_by_role("navigation", name="Sections of the service")
    assert sections.get_by_role("link").all_inner_texts() == ["Health", "Administrators", "API tokens", "Sessions", "Your account", "Log"]
    for text, title in (("Administrators", "Administrators"), ("API tokens", "API tokens"), ("Sessions", "Sessions"), ("Your account", "Your account"), ("Log", "Log of the service")):
        sections.get_by_role("link", name=text, exact=True).focus()
        visit.page.keyboard.press("Enter")
        expect(visit.page.get_by_role("heading", level=1)).to_have_text(title)
        expect(sections.get_by_role("link", name=text, exact=True)).to_have_attribute("aria-current", "true")
        expect(visit.page.locator(".navigation [aria-current]")).to_have_text("Service")
    viewer = Visit(browser.new_context(), target).log_in("viewer")
    viewer.open("#/service")
    assert viewer.page.get_by_role("navigation", name="Sections of the service").get_by_role("link").all_inner_texts() == ["Health", "Sessions", "Your account"]
    expect(viewer.page.locator("[data-panel=backup]")).to_contain_text("The log has no backup")
    assert not viewer.faults


def test_a_service_that_warns_is_accessible(browser, target):
    target.mock.readiness = 200, "text/plain", "ok\nSQLite 3.40.1\nwarning: the clock is behind\n"
    context = browser.new_context(bypass_csp=True, reduced_motion="reduce")
    visit = Visit(context, target).log_in()
    visit.open("#/service")
    assert not accessibility_faults(visit.page)
    assert max(visit.overflow(width) for width in (360, 768, 1440)) <= 0
    context.close()
