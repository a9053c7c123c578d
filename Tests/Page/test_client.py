"""The client for web apps (Public/client) in Chromium, with a service of its own."""

import contextlib
import json

import pytest

from client import crash, join, launch, module, place, root, save


# MARK: Decisions

def test_decides_launches_as_the_client_in_swift(client, device):
    page = client.open(device())
    vectors = json.loads((root / "Tests/Vectors/launch.json").read_text())
    decided = page.evaluate("""async ([module, situations]) => {
        const { decideLaunch } = await import(module);
        return situations.map(situation => decideLaunch(situation));
    }""", [module, [vector["situation"] for vector in vectors]])
    assert len(vectors) > 700
    assert [(vector, mine) for vector, mine in zip(vectors, decided) if vector["decision"] != mine] == []


# MARK: Saving and restoring

def test_restores_its_own_place_after_a_restart(client, device):
    context = device()
    page = client.open(context)
    assert launch(page) == {"number": None, "offer": None, "reason": "nothing-stored"}
    save(page, 12)
    page.close()
    page = client.open(context)
    assert launch(page) == {"number": 12, "offer": None, "reason": "own-state"}


def test_a_new_device_of_the_person_restores_the_place(client, device):
    page, other = client.open(device()), client.open(device())
    save(page, 12)
    join(page, other)
    assert launch(other) == {"number": 12, "offer": None, "reason": "fresh-installation"}


def test_offers_the_place_of_another_device_and_remembers_its_dismissal(client, device):
    context = device()
    page, other = client.open(context), client.open(device())
    save(page, 1)
    join(page, other)
    assert launch(other)["number"] == 1
    save(other, 2)
    page.close()
    page = client.open(context)
    launched = launch(page)
    # The device's own place appears at once, and the other device's place is offered as soon as the service answers.
    assert launched["number"] == 1
    page.wait_for_function("() => offers.length > 0")
    offered = page.evaluate("() => offers.at(-1)")
    page.evaluate("archive => scene.dismiss({ archive })", offered)
    assert page.evaluate("() => offers.at(-1) ?? null") is None
    page.close()
    page = client.open(context)
    # After the answer, the client reads the description of a place that it is about to offer.
    with page.expect_response(lambda response: "/v1/places" in response.url):
        assert launch(page)["number"] == 1
    page.evaluate("() => places.places()")
    assert page.evaluate("() => offers") == []


def test_an_accepted_place_is_restored_and_stays_view_only_until_work(client, device):
    context = device()
    page, other = client.open(context), client.open(device())
    save(page, 1)
    join(page, other)
    launch(other)
    save(other, 2)
    page.close()
    page = client.open(context)
    page.evaluate("() => places.follow()")
    launch(page)
    page.wait_for_function("() => offers.at(-1)")
    restored = page.evaluate("async () => (await scene.accept({ archive: offers.at(-1) })).steps[1].parameters.number")
    assert restored == 2
    # The same place is only a look at it: the other device's work stays the head.
    save(page, 2)
    assert [one["device"]["isThisDevice"] for one in page.evaluate("() => places.places()") if one["isLatest"]] == [False]
    save(page, 3)
    assert [one["device"]["isThisDevice"] for one in page.evaluate("() => places.places()") if one["isLatest"]] == [True]


def test_asks_for_news_with_the_entity_tag(client, device):
    context = device()
    page = client.open(context)
    save(page, 12)
    for status in (200, 304):
        page.close()
        page = client.open(context)
        with page.expect_response(lambda response: "/latest" in response.url) as answer:
            assert launch(page)["number"] == 12
        assert answer.value.status == status
        page.evaluate("() => places.flush()")


def test_keeps_what_was_saved_offline(client, device):
    context = device()
    page = client.open(context)
    save(page, 1)
    context.set_offline(True)
    save(page, 2, flush=False)
    save(page, 3, flush=False)
    page.wait_for_function("() => problems.includes('offline')")
    assert page.evaluate("() => places.status()")["pending"] == 1
    context.set_offline(False)
    page.evaluate("() => places.flush()")
    other = client.open(device())
    join(page, other)
    assert launch(other)["number"] == 3


def test_launches_offline_with_its_own_place(client, device):
    context = device()
    page = client.open(context)
    save(page, 1)
    page.route("**/v1/**", lambda route: route.abort())
    save(page, 2, flush=False)
    assert launch(page)["number"] == 2


def test_sends_after_its_page_was_killed(client, device):
    context = device()
    page = client.open(context)
    save(page, 1)
    page.route("**/archives/**", lambda route: route.abort())
    save(page, 2, flush=False)
    with contextlib.suppress(Exception):
        page.goto("chrome://crash", timeout=2000)
    page.close()
    page = client.open(context)
    page.evaluate("() => places.flush()")
    other = client.open(device())
    join(page, other)
    assert launch(other)["number"] == 2


def test_two_tabs_send_each_place_once(client, device):
    context = device()
    page, other = client.open(context), client.open(context)
    uploads = []
    context.on("request", lambda request: uploads.append(request.url) if request.method == "PUT" else None)
    for number in range(6):
        save([page, other][number % 2], number, flush=False)
    page.evaluate("() => places.flush()")
    other.evaluate("() => places.flush()")
    assert len(uploads) == len(set(uploads)), uploads
    third = client.open(device())
    join(page, third)
    assert launch(third)["number"] == 5


@pytest.mark.parametrize("script", ["", "Object.defineProperty(Navigator.prototype, 'locks', { get() {} })"])
def test_two_new_tabs_register_one_device(client, device, script):
    context = device()
    context.add_init_script(script)
    tabs = [client.open(context) for _ in range(2)]
    registrations = []
    context.on("request", lambda request: registrations.append(request.url) if request.url.endswith("/v1/devices") else None)
    for tab in tabs:
        tab.evaluate("() => { window.launched = scene.launch({ deadline: 5000 }); }")
    for tab in tabs:
        assert tab.evaluate("async () => (await launched).reason") == "nothing-stored"
    assert len(registrations) == 1


@pytest.mark.parametrize("length, isKept", [(10, "PUT"), (70_000, None)])
def test_sends_the_last_place_of_a_page_that_is_left(client, device, length, isKept):
    context = device()
    page, other = client.open(context, sendDelay=60), client.open(device())
    save(page, 1)
    join(page, other)
    page.evaluate("""() => {
        const fetch = window.fetch;
        window.fetch = (url, options) => {
            if (options.keepalive) localStorage.setItem("kept", options.method);
            return fetch(url, options);
        };
    }""")
    save(page, 2, flush=False)
    page.evaluate("([place, text]) => scene.save([...place, { screen: text }])", [place(2), "a" * length])
    page.goto("about:blank")
    page.close()
    # A browser sends at most 64 KiB for a page that is gone. The next page sends the rest.
    page = client.open(context)
    page.wait_for_function("isKept => localStorage.getItem('kept') === isKept", arg=isKept)
    page.evaluate("() => places.flush()")
    assert launch(other)["number"] == 2


def test_a_restored_tab_never_replaces_the_work_of_another_tab(client, device):
    context = device()
    page = client.open(context)
    save(page, 1)
    page.close()
    page, other = client.open(context), client.open(context)
    assert launch(page)["number"] == 1
    save(other, 2)
    page.evaluate("() => scene.report('restored')")
    third = client.open(context)
    assert launch(third)["number"] == 2


def test_the_first_screen_is_nobodys_work(client, device):
    page, other = client.open(device()), client.open(device())
    save(page, 1)
    join(page, other)
    save(other, 0, interaction="viewing")
    assert launch(other) == {"number": 1, "offer": None, "reason": "fresh-installation"}


# MARK: Crashes

def test_does_not_restore_a_place_again_that_crashed_the_page(client, device):
    context = device()
    page = client.open(context)
    save(page, 1)
    page.close()
    page = client.open(context)
    assert launch(page)["number"] == 1
    crash(page)
    page = client.open(context)
    launched = launch(page)
    assert (launched["number"], launched["reason"]) == (None, "crashed"), launched


def test_offers_no_place_that_crashed_the_page_also_if_the_service_forgot_the_crash(client, device):
    context = device()
    page, other = client.open(context), client.open(device())
    save(other, 1)
    join(other, page)
    assert launch(page)["number"] == 1
    crash(page)
    context.route("**/outcomes", lambda route: route.fulfill(status=204))
    page = client.open(context)
    assert launch(page)["reason"] == "crashed"
    with page.expect_response(lambda response: "/v1/places" in response.url):
        page.evaluate("() => places.follow()")
    # Another request, so the answer before it was worked on.
    page.evaluate("() => places.places()")
    assert page.evaluate("() => offers") == []


def crash_of(page):
    """Launches, and returns the report of the crash of the page before."""
    with page.expect_request(lambda request: "/outcomes" in request.url and "crashed" in request.post_data) as sent:
        launch(page)
    return json.loads(sent.value.post_data)


def test_a_place_that_was_accepted_after_a_return_to_the_page_can_crash_it(client, device):
    context = device()
    page, other = client.open(context), client.open(device())
    save(page, 1)
    join(page, other)
    launch(other)
    save(other, 2)
    page.close()
    page = client.open(context)
    launch(page)
    page.wait_for_function("() => offers.at(-1)")
    page.evaluate("""() => {
        for (const hidden of [true, false]) {
            Object.defineProperties(document, {
                hidden: { value: hidden, configurable: true },
                visibilityState: { value: hidden ? "hidden" : "visible", configurable: true },
            });
            document.dispatchEvent(new Event("visibilitychange"));
        }
        return scene.accept({ archive: offers.at(-1) });
    }""")
    crash(page)
    assert crash_of(client.open(context))["result"] == "crashed"


def test_a_crash_that_a_later_version_reports_is_of_the_version_that_crashed(client, device):
    context = device()
    page = client.open(context, bundleVersion="1")
    save(page, 1)
    page.close()
    page = client.open(context, bundleVersion="1")
    assert launch(page)["number"] == 1
    crash(page)
    page = client.open(context, bundleVersion="2")
    assert crash_of(page)["bundleVersion"] == "1"
    assert launch(page)["number"] == 1


def test_a_page_that_was_left_has_not_crashed(client, device):
    context = device()
    page = client.open(context)
    save(page, 1)
    for leave in (lambda page: page.reload(), lambda page: page.goto("about:blank")):
        page.close()
        page = client.open(context)
        assert launch(page)["number"] == 1
        leave(page)
    page.close()
    page = client.open(context)
    assert launch(page)["number"] == 1


def test_another_living_tab_has_not_crashed(client, device):
    context = device()
    page = client.open(context)
    save(page, 1)
    page.close()
    page, other = client.open(context), client.open(context)
    assert launch(page)["number"] == 1
    assert launch(other)["number"] == 1
