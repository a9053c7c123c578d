"""Past answers: why a device did not get a state, asked afterwards, with the stand-in of mock.py."""

import re

from playwright.sync_api import expect

from conftest import Visit, accessibility_faults
from test_page import archive_with, scene_of, user_of


def answers_of(visit, target, filters=""):
    visit.open(scene_of(target.mock) + filters)
    if not filters:
        assert not any("/answers" in url for url in visit.requests)
        visit.page.get_by_text("Answers that devices got", exact=True).click()
    panel = visit.page.locator("[data-panel=answers]")
    expect(panel.locator(".candidate").first).to_be_visible()
    return panel


def test_past_answers_say_what_a_device_got_and_why_nothing_newer(visit, target):
    mock, story = target.mock, target.mock.story
    phone, pad, mac = story["devices"]
    archives = story["scenes"]["main"]
    newer, older = next(one for one in archives if one["device"] == mac["id"]), archive_with(mock, "hasScreenshot")
    ahead = newer | {"context": newer["context"] | {"stateVersion": 2}}
    mock.answer(story, phone, 0, [ahead, older], stateVersion=1)
    mock.answer(story, mac, 0, [ahead], bundleVersion="43", stateVersion=1)
    panel = answers_of(visit, target)
    nothing, got = panel.locator(".candidate").nth(0), panel.locator(".candidate").nth(1)
    expect(nothing).to_contain_text(re.compile("Mac15,3.*as Mac, version 43"))
    expect(nothing).to_contain_text(re.compile("Got nothing.*was not served: its state version 2 is newer than 1.", re.S))
    expect(got).to_contain_text("Got the full state of the archive captured")
    expect(got).to_contain_text("was not served: it is from a mac, not from a phone; its state version 2 is newer than 1.")
    assert got.locator("a").evaluate_all("links => links.map(link => link.getAttribute('href'))") == [
        user_of(mock) + f"?device={phone['id']}", *(scene_of(mock) + f"/archives/{one['id']}" for one in (older, newer))]
    expect(panel.locator(".candidate").nth(3)).to_contain_text("Got the place of the archive captured")


def test_past_answers_are_filtered_by_device_in_the_address_and_read_on(visit, target):
    panel, pad = answers_of(visit, target), target.mock.story["devices"][1]
    expect(panel.locator(".candidate")).to_have_count(50)
    panel.get_by_role("button", name="Show more").click()
    expect(panel.locator(".candidate")).to_have_count(70)
    expect(panel.get_by_role("button", name="Show more")).to_have_count(0)
    assert visit.page.evaluate("document.activeElement.closest('.candidate') === document.querySelectorAll('[data-panel=answers] .candidate')[50]")
    visit.page.select_option("#answers-of", pad["id"])
    expect(panel.locator(".candidate")).to_have_count(23)
    visit.page.wait_for_url(f"**?answersOf={pad['id']}")
    visit.page.reload()
    visit.settle()
    expect(panel.locator(".candidate")).to_have_count(23)
    assert visit.page.input_value("#answers-of") == pad["id"]


def test_a_cold_load_with_the_answers_of_a_device_makes_few_requests(browser, visit, target):
    context = browser.new_context()
    context.add_cookies(visit.context.cookies())
    cold, requests = Visit(context, target), []
    cold.page.on("request", lambda request: requests.append(request.url))
    cold.page.goto(f"{target.url}/admin/{scene_of(target.mock)}?answersOf={target.mock.story['devices'][0]['id']}")
    cold.page.wait_for_selector("[data-panel=answers] .candidate")
    cold.page.wait_for_load_state("networkidle")
    context.close()
    asked = [url for url in requests if "/admin/api/" in url]
    assert any("/answers?" in url for url in asked) and len(asked) <= 6 and len(set(requests)) == len(requests), requests


def test_an_explanation_has_the_answers_that_the_device_got(visit, target):
    pad = target.mock.story["devices"][1]
    visit.open(scene_of(target.mock) + f"/explain?device={pad['id']}")
    assert not any("/answers" in url for url in visit.requests)
    visit.page.get_by_text("Answers that the device got", exact=True).click()
    panel = visit.page.locator("[data-panel=answers]")
    expect(panel.locator(".candidate")).to_have_count(23)
    assert visit.page.input_value("#answers-of") == pad["id"]
    visit.page.select_option("#answers-of", "")
    expect(panel.locator(".candidate")).to_have_count(50)
    visit.page.wait_for_url(f"**/explain?device={pad['id']}")
    visit.open(scene_of(target.mock) + "/explain?mode=context&idiom=pad&bundleVersion=42")
    visit.page.get_by_text("Answers that devices got", exact=True).click()
    expect(panel.locator(".candidate")).to_have_count(50)
    assert visit.page.input_value("#answers-of") == ""


def test_a_log_without_answers_says_what_it_keeps(visit, target):
    target.mock.story["answers"].clear()
    visit.open(scene_of(target.mock))
    visit.page.get_by_text("Answers that devices got", exact=True).click()
    panel = visit.page.locator("[data-panel=answers]")
    expect(panel).to_contain_text("The log keeps each answer that differs from the one before it, the newest 10,000 of an app for 30 days.")


def ask_about_the_late_state(mock):
    """The pad was refused a state of the Mac, and got another one. Returns the state and the pad."""
    story = mock.story
    pad, mac = story["devices"][1:]
    archives = story["scenes"]["main"]
    newer = next(one for one in archives if one["device"] == mac["id"])
    ahead = newer | {"context": newer["context"] | {"stateVersion": 2}}
    mock.answer(story, pad, 18, [ahead, archive_with(mock, "hasScreenshot")], stateVersion=1)
    story["answers"][0] |= {"held": True, "repeats": 3, "lastAt": story["answers"][1]["at"], "omitted": 2}
    return newer, pad


def test_the_timeline_of_a_device_leads_by_keyboard_to_why_it_did_not_get_a_state(visit, target):
    newer, pad = ask_about_the_late_state(target.mock)
    visit.open(scene_of(target.mock) + f"?device={pad['id']}")
    visit.page.locator(f"#archive-{newer['id']}").focus()
    for _ in range(10):
        visit.page.keyboard.press("Tab")
        if "Did this device get it?" in visit.page.evaluate("document.activeElement.textContent"):
            break
    visit.page.keyboard.press("Enter")
    panel = visit.page.locator("[data-panel=answers]")
    expect(panel.locator(".candidate")).to_have_count(1)
    expect(panel).to_contain_text("Did not get this archive: it is from a mac, not from a pad; its state version 2 is newer than 1.")
    expect(panel).to_contain_text("Already had the place of the archive captured")
    expect(panel).to_contain_text("The same answer 3 more times, until")
    expect(panel).to_contain_text("2 earlier answers were not logged: the log was full.")
    assert visit.page.evaluate("document.activeElement.textContent").startswith("Which devices got it")
    visit.page.wait_for_url(f"**/archives/{newer['id']}?answersOf={pad['id']}")
    visit.page.reload()
    expect(panel.locator(".candidate")).to_have_count(1)
    visit.page.select_option("#answers-of", target.mock.story["devices"][0]["id"])
    expect(panel).to_contain_text("The log has no answer to this device about this archive")
    expect(panel).not_to_contain_text("No device was given")
    panel.get_by_role("button", name="Show the answers to all devices").press("Enter")
    expect(panel.locator(".candidate")).to_have_count(1)
    expect(visit.page.locator("#answers-of")).to_be_focused()
    assert visit.page.input_value("#answers-of") == "" and visit.page.url.endswith(f"/archives/{newer['id']}")
    target.mock.story["answers"].clear()
    visit.page.reload()
    visit.page.get_by_text("Which devices got it, and why others did not").click()
    expect(panel).to_contain_text("In the entries that the log still has, no device was given this archive, and none was refused it")


def test_answers_that_come_late_leave_the_focus_where_the_person_moved_it(visit, target):
    held = []
    visit.page.route(re.compile(f"/users/{target.mock.story['id']}$"), lambda route: held.append(route))
    visit.page.goto(f"{target.url}/admin/{scene_of(target.mock)}?answersOf=")
    visit.page.locator(".folded .bones").first.wait_for()
    visit.page.locator("#display-menu summary").focus()
    assert held
    for route in held:
        route.continue_()
    expect(visit.page.locator("[data-panel=answers] .candidate").first).to_be_visible()
    expect(visit.page.locator("#display-menu summary")).to_be_focused()


def test_the_answers_to_a_device_are_below_the_devices_of_its_user(visit, target):
    pad = target.mock.story["devices"][1]
    target.mock.answer(target.mock.story, pad, 0, scene="editor")
    visit.open(user_of(target.mock))
    visit.page.locator("[data-panel=devices]").get_by_role("link", name="Its answers").nth(1).click()
    panel = visit.page.locator("[data-panel=answers]")
    expect(panel.locator(".candidate")).to_have_count(24)
    expect(panel.locator(".candidate").first).to_contain_text("Scene editor")
    assert visit.page.input_value("#answers-of") == pad["id"]


def test_an_archive_with_its_answers_is_accessible(browser, target):
    newer, _ = ask_about_the_late_state(target.mock)
    context = browser.new_context(bypass_csp=True, reduced_motion="reduce")
    visit = Visit(context, target).log_in()
    visit.open(scene_of(target.mock) + f"/archives/{newer['id']}")
    visit.page.get_by_text("Which devices got it, and why others did not").click()
    expect(visit.page.locator("[data-panel=answers] .candidate").first).to_be_visible()
    assert not accessibility_faults(visit.page)
    assert max(visit.overflow(width) for width in (360, 768, 1440)) <= 0
    context.close()
