"""The browser, the service and the walk through the page's views, for the tests of the admin page.

Without settings, the tests use the stand-in of mock.py. PLACEKEEPER_PAGE_URL names a running service instead, with
PLACEKEEPER_PAGE_NAME and PLACEKEEPER_PAGE_PASSWORD of an owner. Tests that change the service's state from outside need
the stand-in: they are in test_page.py, and are left out with a running service. PLACEKEEPER_BROWSER names the browser.
"""

import contextlib
import os
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from client import Client
from mock import PASSWORD, Service


class Target:
    def __init__(self):
        self.url = os.environ.get("PLACEKEEPER_PAGE_URL")
        self.service = None if self.url else Service()
        self.url = (self.url or self.service.url).rstrip("/")
        self.mock = self.service and self.service.mock
        self.name = os.environ.get("PLACEKEEPER_PAGE_NAME", "owner")
        self.password = os.environ.get("PLACEKEEPER_PAGE_PASSWORD", PASSWORD)

    def stop(self):
        if self.service:
            self.service.stop()


class Visit:
    """A page of the browser with the faults that it noticed."""

    def __init__(self, context, target):
        self.target, self.page, self.faults, self.requests = target, context.new_page(), [], []
        self.page.set_default_timeout(8_000)
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("console", self.note)
        self.page.on("request", lambda request: self.requests.append(request.url) if "/admin/api/" in request.url else None)

    def note(self, message):
        # The browser reports each answer of 400 and above by itself; the page shows these.
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
            self.faults.append(f"console: {message.text}")

    def log_in(self, name=None):
        self.page.goto(self.target.url + "/admin/")
        self.page.fill("#name", name or self.target.name)
        self.page.fill("#password", self.target.password)
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector(".topbar")
        self.settle()
        return self

    def open(self, address):
        """Opens a view, and waits until its panels have loaded."""
        self.page.goto(f"{self.target.url}/admin/{address if address.startswith('#') else '#' + address}")
        self.settle()
        return self

    def settle(self):
        """Waits until the view of the page's address is shown, and its panels have loaded."""
        self.page.wait_for_function("""() => {
            const { address } = document.getElementById("main")?.dataset ?? {};
            return (address === undefined || address === location.hash) && !document.querySelector("[aria-busy=true]");
        }""", polling=50)

    def wait_for_request(self, part):
        """Waits until the page has sent a request with this in its address: a list may look the same before it."""
        for _ in range(160):
            if any(part in url for url in self.requests):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError((part, self.requests))

    def text(self, selector="main"):
        return self.page.inner_text(selector)

    def overflow(self, width):
        """How far the page is wider than the window, or a table that cannot be scrolled is wider than its place."""
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.wait_for_timeout(60)
        return self.page.evaluate("""() => Math.max(document.documentElement.scrollWidth - innerWidth,
            ...[...document.querySelectorAll("main table")].filter(table => !table.closest(".scroll"))
                .map(table => Math.floor(table.getBoundingClientRect().width - table.parentElement.clientWidth)))""")


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("PLACEKEEPER_BROWSER", "/usr/bin/chromium"),
                                             args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield browser
        browser.close()


@pytest.fixture
def target():
    target = Target()
    yield target
    target.stop()


@pytest.fixture
def visit(browser, target):
    """A logged-in owner at a service of the test's own. The page must have made no error at the end."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce", permissions=["clipboard-read", "clipboard-write"])
    visit = Visit(context, target)
    visit.context = context
    yield visit.log_in()
    faults, reports = visit.faults, target.mock.reports if target.mock else []
    context.close()
    assert not faults and not reports, (faults, reports)


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    client = Client(tmp_path_factory.mktemp("client"))
    yield client
    client.stop()


@pytest.fixture
def device(browser):
    """Makes devices: contexts of the browser with a storage of their own."""
    with contextlib.ExitStack() as stack:
        def make():
            context = browser.new_context()
            stack.callback(context.close)
            return context
        yield make


def accessibility_faults(page):
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]})
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found.response["violations"]]


def discover(visit):
    """Finds an address of each view by following the page's own links from the first app on."""
    def links(pattern):
        hrefs = visit.page.eval_on_selector_all("main a[href]", "links => links.map(link => link.getAttribute('href'))")
        return [href for href in hrefs if re.search(pattern, href)]

    views = {"apps": "#/", "administrators": "#/administrators", "tokens": "#/tokens", "account": "#/account", "service": "#/service", "sessions": "#/sessions",
             "log of the service": "#/audit"}
    app = links(r"^#/apps/[^/]+$")[0]
    views |= {"overview": app, "health": app + "/health", "live": app + "/live", "overview of 30 days": app + "?hours=720", "start": app + "/start", "settings": app + "/settings",
              "audit": app + "/audit", "search": app + "/users?text=nobody", "users": app + "/users"}
    user = visit.open(views["users"]) and links(r"/users/[^/]+$")[0]
    scene = visit.open(user) and links(r"/scenes/[^/]+$")[0]
    views |= {"user": user, "timeline": scene, "data sources": user + "/data-sources", "question": scene + "/explain",
              "explanation": scene + "/explain?mode=context&idiom=pad&bundleVersion=42"}
    devices = visit.open(scene) and visit.page.eval_on_selector_all("#asking option", "options => options.map(option => option.value)")
    views["timeline for a device"] = f"{scene}?device={devices[-1]}"
    archives = links(r"/archives/[^/?]+$")
    views |= {"archive": archives[0], "difference": f"{archives[0]}/diff?with={archives[-1].rsplit('/', 1)[1]}"}
    people = visit.open(views["users"]) and links(r"/users/[^/]+$")
    sources = next((found for person in people if visit.open(person + "/data-sources") and (found := links(r"/data-sources/[^/]+$"))), None)
    if sources:
        views["data source"] = sources[0]
        items = visit.open(sources[0]) and links(r"/items/")
        views |= {"item": items[0]} if items else {}
    return views
