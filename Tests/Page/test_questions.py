"""The ten questions of a new operator, answered from the page of a running service: by the pointer with few clicks, and by keyboard.

run-service.sh fills the app com.example.questions for them.
"""

import os
import re

import pytest
from playwright.sync_api import expect

from conftest import Target, Visit

APP = "com.example.questions"
pytestmark = pytest.mark.skipif("PLACEKEEPER_PAGE_URL" not in os.environ, reason="needs a running service")


class Pointer:
    """Uses the page by clicks, and counts them."""

    def __init__(self, page):
        self.page, self.clicks = page, 0

    def go(self, locator):
        self.clicks += 1
        locator.click()

    def choose(self, locator, label):
        self.clicks += 1
        locator.select_option(label=label)

    def write(self, locator, text):
        self.clicks += 1
        locator.fill(text)
        self.page.keyboard.press("Enter")


class Keyboard(Pointer):
    """Uses the page by keys alone."""

    def reach(self, locator):
        expect(locator).to_be_visible()
        for _ in range(250):
            if locator.evaluate("element => element === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not lead to {locator}")

    def go(self, locator):
        self.reach(locator)
        self.page.keyboard.press("Space" if locator.evaluate("element => element.type === 'checkbox'") else "Enter")

    def choose(self, locator, label):
        self.reach(locator)
        self.page.keyboard.type(label)

    def write(self, locator, text):
        self.reach(locator)
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")


@pytest.fixture(scope="module")
def service(browser):
    """The page of an owner, who has let operators see the contents of the app."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    visit = Visit(context, Target())
    visit.page.set_default_timeout(30_000)
    visit.log_in()
    apps = call(visit, "GET", "/apps")["items"]
    visit.app = "/apps/" + next(one["id"] for one in apps if one["bundleIdentifier"] == APP)
    call(visit, "PATCH", visit.app + "/settings", {"showsContents": True, "policy": {"maximumAge": "14d"}})
    yield visit
    context.close()
    assert not visit.faults


@pytest.fixture(params=[Pointer, Keyboard])
def hand(request, service):
    service.open("#/")
    # What another test has typed or opened is gone.
    service.page.evaluate("sessionStorage.clear()")
    service.page.reload()
    service.settle()
    return request.param(service.page)


def call(visit, method, target, body=None):
    """Sends a request of the page's session."""
    return visit.page.evaluate("""([method, target, body]) => import('/admin/api.js').then(async ({ send }) => {
        const known = method === 'PATCH' ? await send('GET', target.replace('/settings', '')) : {};
        return (await send(method, target, { body: body ?? undefined, type: method === 'PATCH' ? 'application/merge-patch+json' : undefined, ifMatch: known.etag })).data;
    })""", [method, target, body])


def panel(service, name):
    return service.page.locator(f"[data-panel={name}]")


def open_app(service, hand, view=None):
    hand.go(panel(service, "apps").get_by_role("link", name=APP))
    if view:
        hand.go(service.page.get_by_role("navigation", name="Sections").get_by_role("link", name=view, exact=True))
    service.settle()


def refused_state(service):
    """A user's scene, and an iPad that did not get the scene's newest state from an iPhone."""
    users = call(service, "GET", f"{service.app}/users?limit=100&idiom=pad&signedIn=true")["items"]
    for user in users:
        person = f"{service.app}/users/{user['id']}"
        devices = {one["id"]: one for one in call(service, "GET", person)["devices"]}
        for answer in call(service, "GET", person + "/answers?limit=100")["items"]:
            newest = answer["candidates"][0]
            if devices.get(answer["device"], {}).get("idiom") == "pad" and newest["context"]["idiom"] == "phone" and newest.get("fidelity") is None:
                return user, devices[answer["device"]], answer["scene"], newest
    raise AssertionError("no iPad was refused a state of an iPhone")


def test_why_did_this_ipad_not_get_the_phones_state(service, hand):
    user, pad, scene, newest = refused_state(service)
    open_app(service, hand, "Users")
    hand.write(service.page.locator("#search"), user["subject"])
    hand.go(panel(service, "scenes").get_by_role("link", name=scene, exact=True))
    service.settle()
    hand.choose(service.page.locator("#asking"), pad["name"])
    service.settle()
    hand.go(service.page.locator(f'a[href*="/archives/{newest["archive"]}?answersOf="]'))
    expect(panel(service, "answers")).to_contain_text(newest["reasons"][-1]["text"], ignore_case=True)
    assert hand.clicks <= 6


def test_which_version_fails_on_pads(service, hand):
    hand.go(panel(service, "needs").get_by_role("link", name="Show it"))
    expect(panel(service, "switches")).to_contain_text(re.compile("Version 43 fails too often.*on iPads with version 43", re.S))
    assert hand.clicks <= 1


def test_whose_item_is_it(service, hand):
    open_app(service, hand, "Users")
    hand.write(service.page.locator("#search"), "x-coredata://phone/Album/p2")
    expect(panel(service, "found").locator("li").first).to_contain_text(re.compile(r"in albums of user-\d+"))
    assert hand.clicks <= 3


def test_who_stores_most(service, hand):
    open_app(service, hand, "Users")
    hand.choose(service.page.locator("#sort"), "Most stored")
    service.page.wait_for_url("**sort=bytes")
    expect(panel(service, "users").locator("tbody tr").first).to_contain_text("KiB")
    assert hand.clicks <= 3


def test_who_changed_the_policy_and_from_what(service, hand):
    open_app(service, hand, "Audit log")
    row = panel(service, "audit").locator("tbody tr").filter(has_text="Maximum age").first
    expect(row).to_contain_text("30d → 14d")
    expect(row).to_contain_text(service.target.name)
    assert hand.clicks <= 2


def test_what_if_pads_accepted_phones(service, hand):
    open_app(service, hand, "Settings")
    hand.go(service.page.get_by_role("group", name="iPads also restore the full state of").get_by_role("checkbox", name="iPhones"))
    hand.go(service.page.get_by_role("button", name="Try it"))
    expect(service.page.locator(".dry-run")).to_contain_text("What still blocks the newest archive")
    assert hand.clicks <= 4


def test_whose_restores_crashed_today(service, hand):
    open_app(service, hand, "Health")
    hand.choose(service.page.locator("#result"), "Crashes (proven by the next launch)")
    service.page.wait_for_url("**result=crashed**")
    service.settle()
    hand.go(panel(service, "failures").get_by_role("link", name="By user"))
    expect(panel(service, "failures").locator("tbody tr").first).to_contain_text(re.compile(r"user-\d+|User \w{8}"))
    assert hand.clicks <= 4


def test_is_the_service_healthy_and_backed_up(service, hand):
    hand.go(service.page.get_by_role("navigation", name="Sections").get_by_role("link", name="Service", exact=True))
    expect(service.page.locator("main")).to_contain_text("The service can read and write its data")
    expect(service.page.locator("main")).to_contain_text("Last backup")
    assert hand.clicks <= 1


def test_a_deletion_is_undone(service, hand):
    user = call(service, "GET", f"{service.app}/users?limit=1&signedIn=true")["items"][0]
    open_app(service, hand, "Users")
    hand.write(service.page.locator("#search"), user["subject"])
    hand.go(panel(service, "scenes").get_by_role("link", name="main", exact=True))
    service.settle()
    hand.go(service.page.locator(".entry-link").first)
    hand.go(service.page.get_by_role("button", name="Delete…"))
    hand.go(service.page.get_by_role("dialog").get_by_role("button", name=re.compile("^Delete ")))
    hand.go(service.page.locator(".notice").get_by_role("button", name="Undo"))
    expect(service.page.locator(".notice").filter(has_text="is back")).to_be_visible()
    assert hand.clicks <= 8


def test_a_colleague_gets_read_only_access(service, hand):
    hand.go(service.page.get_by_role("navigation", name="Sections").get_by_role("link", name="Service", exact=True))
    hand.go(service.page.get_by_role("link", name="Administrators"))
    hand.go(service.page.get_by_role("button", name="New administrator"))
    hand.write(service.page.locator("#new-name"), f"colleague-{type(hand).__name__.lower()}")
    expect(service.page.get_by_role("dialog")).to_contain_text("/admin/#/invitation/")
    service.page.keyboard.press("Escape")
    expect(panel(service, "administrators").get_by_role("row").filter(has_text="colleague-" + type(hand).__name__.lower())).to_contain_text("viewer")
    assert hand.clicks <= 4
