"""The second factor, invitations and sessions of administrators."""

import re

from playwright.sync_api import expect

from conftest import Visit, accessibility_faults
from mock import CODE, PASSWORD


def add_second_factor(visit):
    visit.open("#/account")
    visit.page.get_by_role("button", name="Add a second factor").click()
    dialog = visit.page.get_by_role("dialog")
    key = dialog.locator(".identifier code").inner_text().replace(" ", "")
    assert re.fullmatch("[A-Z2-7]{32}", key)
    assert f"secret={key}&issuer=Placekeeper" in dialog.get_by_role("link").get_attribute("href")
    dialog.get_by_label("Code", exact=True).fill("1")
    dialog.get_by_label("Password", exact=True).fill(PASSWORD)
    dialog.get_by_role("button", name="Add", exact=True).click()
    expect(dialog.get_by_text("The code is wrong.")).to_be_visible()
    assert not accessibility_faults(visit.page)
    dialog.get_by_label("Code", exact=True).fill(CODE)
    dialog.get_by_role("button", name="Add", exact=True).click()
    codes = visit.page.get_by_role("dialog").locator("pre").inner_text().split()
    assert len(codes) == 10
    visit.page.keyboard.press("Escape")
    expect(visit.page.get_by_role("button", name="Remove the second factor")).to_be_visible()
    return codes


def test_a_log_in_asks_for_a_code_of_the_second_factor(browser, visit, target):
    codes = add_second_factor(visit)
    other = Visit(browser.new_context(), target)
    for code in (CODE, codes[0]):
        other.page.goto(target.url + "/admin/")
        expect(other.page.locator("#code")).to_be_hidden()
        other.page.fill("#name", target.name)
        other.page.fill("#password", PASSWORD)
        other.page.keyboard.press("Enter")
        expect(other.page.locator("#code")).to_be_focused()
        assert not accessibility_faults(other.page)
        other.page.keyboard.type("000000")
        other.page.keyboard.press("Enter")
        expect(other.page.get_by_text("The code is wrong, or was used before.")).to_be_visible()
        assert other.page.input_value("#password") == PASSWORD
        other.page.fill("#code", code)
        other.page.keyboard.press("Enter")
        other.page.wait_for_selector(".topbar")
        target.mock.expire_sessions()
        other.page.context.clear_cookies()
    assert not other.faults


def test_a_second_factor_is_removed(visit, target):
    add_second_factor(visit)
    visit.page.get_by_role("button", name="Remove the second factor").click()
    dialog = visit.page.get_by_role("dialog")
    dialog.get_by_label("Password", exact=True).fill(PASSWORD)
    dialog.get_by_label("Code", exact=True).fill(CODE)
    dialog.get_by_role("button", name="Remove", exact=True).click()
    expect(visit.page.get_by_role("button", name="Add a second factor")).to_be_visible()


def test_an_invited_administrator_sets_a_password(browser, visit, target):
    visit.open("#/administrators")
    visit.page.get_by_role("button", name="New administrator").click()
    visit.page.fill("#new-name", "cleo")
    visit.page.get_by_role("button", name="Invite", exact=True).click()
    link = visit.page.get_by_role("dialog").locator("pre").inner_text()
    assert link.startswith(target.url + "/admin/#/invitation/")
    assert not accessibility_faults(visit.page)
    other = Visit(browser.new_context(), target)
    other.page.goto(link)
    other.page.wait_for_selector("h1:has-text('Welcome')")
    other.page.fill("#password", "short")
    other.page.keyboard.press("Enter")
    expect(other.page.get_by_text("Use at least 10 characters.")).to_be_visible()
    assert not accessibility_faults(other.page)
    other.page.fill("#password", "a new password")
    other.page.keyboard.press("Enter")
    other.page.wait_for_selector(".topbar")
    assert "invitation" not in other.page.url
    other.page.goto("about:blank")
    other.page.goto(link)
    other.page.fill("#password", "a new password")
    other.page.keyboard.press("Enter")
    expect(other.page.get_by_text("The link was used")).to_be_visible()
    assert not other.faults


def test_a_new_link_replaces_a_password(visit, target):
    visit.open("#/administrators")
    visit.page.get_by_role("button", name="New link for viewer").click()
    visit.page.get_by_role("button", name="Make a link", exact=True).click()
    expect(visit.page.get_by_role("dialog").locator("pre")).to_contain_text("/admin/#/invitation/")
    assert next(one for one in target.mock.administrators if one["name"] == "viewer")["password"] is None


def test_sessions_are_listed_and_ended(browser, visit, target):
    other = Visit(browser.new_context(), target).log_in()
    visit.open("#/sessions")
    rows = visit.page.locator("[data-panel=sessions] tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.filter(has_text="(this one)").get_by_role("button")).to_have_count(0)
    rows.filter(has_not_text="(this one)").get_by_role("button", name="End").click()
    expect(rows).to_have_count(1)
    other.page.evaluate("location.hash = '#/service'")
    expect(other.page.get_by_role("dialog")).to_be_visible()
