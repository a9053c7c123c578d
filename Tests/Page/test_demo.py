"""The demo (Public/demo) in Chromium, with a service of its own: each story once, and what a person then sees."""

import os

import pytest

from conftest import accessibility_faults

STORIES = ["Read on the phone, open on the tablet", "Go offline", "Come late", "Only look", "Slip and undo", "Crash", "Old version", "Link with a code"]
REPORT_VIOLATIONS = "addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => console.error(violatedDirective, blockedURI))"


class Demo:
    """The demo in a browser of its own, with the faults that the browser noticed."""

    def __init__(self, client, browser, address="/demo/?pace=0", **options):
        self.context = browser.new_context(**{"viewport": {"width": 1440, "height": 960}, "reduced_motion": "reduce", **options})
        self.context.add_init_script(REPORT_VIOLATIONS)
        self.faults = []
        self.page = self.context.new_page()
        self.page.set_default_timeout(20_000)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", self.note)
        self.page.goto(f"{client.url}{address}#key={client.key}")

    def note(self, message):
        # The browser reports each answer of 400 and above by itself: nothing is stored at first.
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
            self.faults.append(message.text)

    def wait(self):
        self.page.wait_for_selector(".caption:has-text('One person, two devices')")
        return self

    def device(self, kind):
        return self.page.frame_locator(f".handheld[data-kind={kind}] iframe")

    def shown(self, kind):
        """The title and the marked paragraph of the page that a device shows."""
        device = self.device(kind)
        return device.locator("article h2").inner_text(), device.locator("p.here").inner_text()

    def offer(self, kind):
        return self.device(kind).locator("[data-card=offer] p").inner_text()

    def said(self, text):
        return self.page.locator(".log li", has_text=text)

    def latest(self):
        """The device that has the person's newest place, by the service."""
        return self.page.evaluate("""async () => {
            const { places } = document.querySelector("[data-kind=phone] iframe").contentWindow.reader;
            return (await places.places()).find(({ isLatest }) => isLatest).device.name;
        }""")

    def play(self, number):
        self.page.click(f".stories li:nth-child({number}) button")
        self.page.wait_for_selector(".look:not(:empty)")
        assert self.page.inner_text(".caption h2") == STORIES[number - 1]
        assert self.page.inner_text(".look").startswith("Look:"), (self.page.inner_text(".caption"), self.page.inner_text(".log"))
        assert self.page.locator(f".stories li:nth-child({number}) button[data-done]").count() == 1


@pytest.fixture
def open_demo(client, browser):
    opened = []

    def make(*arguments, **options):
        opened.append(Demo(client, browser, *arguments, **options))
        return opened[-1]

    yield make
    for demo in opened:
        demo.context.close()
    assert [demo.faults for demo in opened if demo.faults] == []


@pytest.fixture
def demo(open_demo):
    return open_demo().wait()


# MARK: The stories

def test_what_the_phone_reads_opens_on_the_tablet(demo):
    assert [button.inner_text() for button in demo.page.locator(".story").all()] == STORIES
    demo.play(1)
    assert demo.shown("tablet") == demo.shown("phone")
    assert demo.said("Stored. This is now the person’s newest place.").count() > 0
    assert demo.device("tablet").locator("[data-act=undo]").is_visible()


def test_the_paragraph_stays_if_the_lines_break_elsewhere(demo):
    demo.play(1)
    before = demo.shown("tablet")
    marked = demo.device("tablet").locator("p.here")
    top, height = (marked.bounding_box()[side] for side in ("y", "height"))
    # Each width follows before the browser has told the app of the scrolling for the one before it.
    demo.page.evaluate("""() => {
        const frame = document.querySelector("[data-kind=tablet] iframe"), widths = ["15rem", "27rem", "15rem", "27rem", "15rem"];
        const change = () => { if (widths.length) frame.parentElement.style.width = widths.shift(); };
        new frame.contentWindow.ResizeObserver(() => setTimeout(change)).observe(frame.contentDocument.getElementById("screen"));
    }""")
    demo.page.wait_for_function("""([top, height]) => {
        const frame = document.querySelector("[data-kind=tablet] iframe"), box = frame.contentDocument.querySelector("p.here").getBoundingClientRect();
        return Math.abs(frame.getBoundingClientRect().top + box.top - top) < 3 && box.height > height;
    }""", arg=[top, height])
    assert demo.shown("tablet") == before


def test_a_place_from_airplane_mode_is_offered_afterward(demo):
    demo.play(2)
    assert demo.shown("phone")[0] in demo.offer("tablet")
    assert demo.latest() == "Phone"


def test_a_late_place_does_not_replace_newer_work(demo):
    demo.play(3)
    assert demo.said("it came late").count() == 1
    assert demo.shown("tablet")[0] in demo.offer("phone")
    assert demo.latest() == "Tablet"


def test_a_look_does_not_replace_work(demo):
    demo.play(4)
    assert demo.said("Stored as a look").count() > 0
    assert demo.shown("tablet") == demo.shown("phone")
    assert demo.latest() == "Phone"
    assert demo.device("phone").locator("[data-card]").count() == 0


def test_an_opened_offer_can_be_taken_back(demo):
    demo.play(5)
    slipped, own = demo.shown("tablet"), demo.shown("phone")
    assert own[0] != slipped[0] and own[0] in demo.offer("tablet")
    assert demo.latest() == "Phone"


def test_a_place_that_crashed_the_app_is_refused_with_the_reason(demo):
    demo.play(6)
    assert demo.said("Noted the crash.").count() == 1
    crashed, own = demo.shown("phone"), demo.shown("tablet")
    assert own[0] != crashed[0]
    assert demo.page.locator(".why").first.inner_text() == f"“{crashed[0]}” is refused: it is quarantined, since a restore of it crashed."


def test_an_old_version_keeps_its_own_place_until_its_update(demo):
    demo.play(7)
    newer = demo.shown("tablet")[0]
    assert demo.page.locator(".why").first.inner_text() == f"“{newer}” is refused: its state version 2 is newer than 1."
    assert demo.shown("phone")[0] != newer and newer in demo.offer("phone")


def test_a_new_tablet_joins_with_the_code_and_opens_the_place(demo):
    demo.play(8)
    assert demo.said("Opened the person’s newest place without a question").count() == 1
    assert demo.shown("tablet") == demo.shown("phone")
    assert demo.device("phone").locator("dialog[open]").count() == 0


def test_the_stories_can_be_played_one_after_the_other_and_again(demo):
    for number in [6, 7, 8, 5, 4, 3, 2, 1, 7, 6, 6]:
        demo.play(number)


# MARK: A person's own steps

def test_in_airplane_mode_the_place_waits_on_the_device(demo):
    phone = demo.device("phone")
    demo.page.click("[data-kind=phone] button:has-text('Airplane mode')")
    with demo.page.expect_request(lambda request: request.method == "PUT") as sent:
        phone.locator("[data-book=maps] button").click()
        phone.get_by_text("● Kept here").wait_for()
        phone.locator("[data-act=chapter-0]").click()
        flush = "() => reader.places.flush({ deadline: 500 }).then(() => 'sent', ({ code }) => code)"
        assert phone.locator("body").evaluate(flush) == "unsent-states"
        demo.page.click("[data-kind=phone] button[aria-pressed=true]")
    assert "/archives/" in sent.value.url
    phone.get_by_text("✓ Sent").wait_for()
    demo.device("tablet").locator("[data-card=offer]", has_text="The wrong street").wait_for()


def test_a_reload_of_the_page_restores_both_devices(demo):
    demo.play(7)
    before = demo.shown("phone"), demo.shown("tablet")
    demo.page.reload()
    demo.wait()
    assert (demo.shown("phone"), demo.shown("tablet")) == before
    assert [version.inner_text() for version in demo.page.locator(".handheld header .quiet").all()] == ["version 2.1", "version 2.1"]
    assert demo.said("Registered as a new device.").count() == 0


def test_a_phone_alone_joins_with_a_code(demo, open_demo):
    demo.play(1)
    demo.device("phone").locator("[data-act=link]").click()
    demo.device("phone").locator("[data-act=make-code]").click()
    code = demo.device("phone").locator(".link-code:not(:empty)").inner_text()
    alone = open_demo("/demo/?device=phone", viewport={"width": 390, "height": 800}).page
    alone.click("[data-act=link]")
    alone.fill("#code", "wrong")
    alone.click("[data-act=use-code]")
    alone.wait_for_selector("dialog .fault:not(:empty)")
    alone.fill("#code", code.lower())
    alone.click("[data-act=use-code]")
    alone.wait_for_selector("dialog", state="hidden")
    assert alone.inner_text("article h2") == demo.shown("phone")[0]


def test_works_without_a_secure_context_as_on_a_phone_in_the_network(client, browser):
    other = browser.browser_type.launch(executable_path=os.environ.get("PLACEKEEPER_BROWSER", "/usr/bin/chromium"), args=[
        "--no-sandbox", "--disable-dev-shm-usage", "--host-resolver-rules=MAP phone.test 127.0.0.1"])
    try:
        client_there = type("Address", (), {"url": client.url.replace("127.0.0.1", "phone.test"), "key": client.key})
        demo = Demo(client_there, other).wait()
        assert demo.page.evaluate("() => [isSecureContext, navigator.locks === undefined]") == [False, True]
        # A page that starts again may have to wait for the lease of the page before it: docs/web.md.
        for number in (1, 3):
            demo.play(number)
        assert demo.faults == []
    finally:
        other.close()


def test_says_where_the_key_comes_from(client, browser):
    context = browser.new_context()
    page = context.new_page()
    page.goto(client.url + "/demo/")
    page.get_by_text("Open this page with the link that make run prints.").wait_for()
    context.close()


# MARK: Everybody can use it

@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 360])
def test_is_accessible(open_demo, scheme, width):
    demo = open_demo(color_scheme=scheme, viewport={"width": width, "height": 900}).wait()
    for story in (None, 7):
        if story:
            demo.play(story)
        assert [fault for frame in demo.page.frames for fault in accessibility_faults(frame)] == []
    assert demo.page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0


def test_colors_apply_to_both_devices_and_stay(demo):
    demo.page.select_option("select", "dark")
    for document in (demo.page.locator("html"), demo.device("phone").locator("html"), demo.device("tablet").locator("html")):
        assert document.get_attribute("data-theme") == "dark"
    demo.page.reload()
    assert demo.wait().device("phone").locator("html").get_attribute("data-theme") == "dark"


def test_can_be_used_with_the_keyboard_alone(demo):
    demo.page.locator(".story").first.focus()
    demo.page.keyboard.press("Enter")
    demo.page.wait_for_selector(".look:not(:empty)")
    demo.device("tablet").locator("[data-act=undo]").focus()
    demo.page.keyboard.press("Enter")
    demo.device("tablet").locator("[data-book]").first.wait_for()
