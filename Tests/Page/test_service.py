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
    for document in ("null", "{}", '{"detail": 7}'):
        target.mock.readiness = 503, "application/problem+json", document
        visit.page.reload()
        expect(readiness.get_by_role("alert")).to_have_text("not ready ")
    for answer in ((404, "text/plain", ""), (200, "text/html", "<p>a page of a proxy</p>"), (503, "text/html", "<p>")):
        target.mock.readiness = answer
        visit.page.reload()
        expect(readiness).to_contain_text("The page cannot read /readyz.")


def test_alerts_and_the_last_backup_are_shown(visit, target):
    visit.open("#/service")
    about = visit.page.locator("[data-panel=about]")
    expect(about).to_contain_text("This instance has no alerts.")
    expect(about.locator(".badge.poor")).to_have_text("none")
    expect(about).to_contain_text("3 GiB of 10 GiB")
    expect(about).to_contain_text("none that this instance knows. Make one: placekeeper backup create")

    def backup(hours):
        return {"endedAt": text(now() - timedelta(hours=hours)), "milliseconds": 61_000, "bytes": 2_097_152}

    alert = {"kind": "disk-low", "subject": "the disk", "message": "90 of 10240 MiB are <b>free</b>.", "startedAt": text(now() - timedelta(hours=2))}
    target.mock.about = {"alerts": [alert], "lastBackup": backup(30)}
    visit.page.reload()
    expect(about.get_by_role("listitem")).to_have_text("90 of 10240 MiB are <b>free</b>. Started 2 hours ago.")
    expect(about).to_contain_text("old yesterday, 2 MiB in 1 minute")
    target.mock.about = {"lastBackup": backup(3), "backupFailure": {"at": text(now() - timedelta(hours=1)), "message": "No space is left."}}
    visit.page.reload()
    expect(about).to_contain_text("failed 1 hour ago: No space is left. 3 hours ago, 2 MiB")
    expect(about.locator(".badge.poor")).to_have_count(0)
    expect(about).to_contain_text("none. Run placekeeper backup verify")
    last = backup(3)
    for made, said in ((last["endedAt"], "1 hour ago, of the last backup"), (text(now() - timedelta(days=2)), "1 hour ago, of the backup made 2 days ago"), (None, "1 hour ago, of another file")):
        proof = {"at": text(now() - timedelta(hours=1))} | ({"endedAt": made} if made else {})
        target.mock.about = {"lastBackup": last, "backupProof": proof}
        visit.page.reload()
        expect(about).to_contain_text(said)


def test_instances_and_sizes_are_shown(visit, target):
    at = text(now() - timedelta(minutes=10))
    target.mock.about = {"instances": [{"name": "web-1 :80", "version": "0.1.0", "lastSeenAt": text(now())}, {"name": "<b>web-2</b>", "version": "0.2.0", "lastSeenAt": at}]}
    visit.open("#/service")
    about = visit.page.locator("[data-panel=about]")
    expect(about).to_contain_text("<b>web-2</b>: 0.2.0, last seen 10 minutes ago")
    expect(about).to_contain_text("Size of the write-ahead log4 MiB")
    target.mock.about |= {"logBytes": None}
    visit.page.reload()
    expect(about).to_contain_text("Size of its files800 MiB")
    expect(about).not_to_contain_text("write-ahead log")


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
    expect(viewer.page.locator("[data-panel=about]")).to_contain_text("no alerts")
    assert not viewer.faults


def test_a_service_that_warns_is_accessible(browser, target):
    target.mock.readiness = 200, "text/plain", "ok\nSQLite 3.40.1\nwarning: the clock is behind\n"
    target.mock.about = {"alerts": [{"kind": "disk-low", "subject": "the disk", "message": "The disk is full.", "startedAt": text(now())}]}
    context = browser.new_context(bypass_csp=True, reduced_motion="reduce")
    visit = Visit(context, target).log_in()
    visit.open("#/service")
    assert not accessibility_faults(visit.page)
    assert max(visit.overflow(width) for width in (360, 768, 1440)) <= 0
    context.close()
