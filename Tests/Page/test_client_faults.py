"""The client for web apps in Chromium: bad input, missing features of the browser, and accounts."""

import http.server
import json
import threading

import pytest

from client import join, launch, module, place, root, save, sign_in


# MARK: Bad input

def test_a_page_of_an_origin_that_is_not_listed_gets_one_clear_error(client, device):
    class Quiet(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = b"<!DOCTYPE html>" if self.path == "/" else (root / "Public" / self.path[1:]).read_bytes()
            self.send_response(200)
            self.send_header("Content-Type", "text/javascript" if self.path.endswith(".js") else "text/html")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments): pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as elsewhere:
        threading.Thread(target=elsewhere.serve_forever, daemon=True).start()
        origin = f"http://127.0.0.1:{elsewhere.server_port}"
        page = device().new_page()
        page.goto(origin)
        # The service's copy of the module may be loaded from anywhere.
        assert page.evaluate("url => import(url).then(({ Placekeeper }) => typeof Placekeeper)", client.url + module) == "function"
        client.start(page)
        assert launch(page) == {"number": None, "offer": None, "reason": "offline"}
        save(page, 1, flush=False)
        page.wait_for_function("() => problems.length > 0")
        assert page.evaluate("() => places.status()")["pending"] == 1
        assert page.evaluate("async () => (await places.status()).problem.message").endswith(f"the app's webOrigins do not list {origin}.")
        client.run("app", "policy", "com.example.reader", "--set", f"webOrigins={origin}")
        page.wait_for_timeout(1500)
        page.evaluate("() => places.flush()")
        elsewhere.shutdown()
    assert page.evaluate("() => places.status()")["pending"] == 0


@pytest.mark.parametrize("status, headers, body", [
    (200, {}, "<html>"), (200, {"Content-Type": "application/json"}, "[1"), (200, {}, ""),
    (302, {"Location": "https://example.invalid/"}, ""), (401, {}, "log in"), (503, {"Retry-After": "1e999"}, ""),
    (200, {"Placekeeper-Archive": "__proto__", "Placekeeper-Device": "x", "Placekeeper-Revision": "99999999999999999999",
           "Placekeeper-Fidelity": "full"}, '{"format": 1, "steps": []}'),
    (200, {"Placekeeper-Archive": "00000000-0000-4000-8000-000000000000", "Placekeeper-Device": "x", "Placekeeper-Revision": "1",
           "Placekeeper-Fidelity": "place"}, '{"format": 1, "steps": ' + "[" * 100_000 + "]" * 100_000 + "}"),
])
def test_a_hostile_answer_changes_nothing(client, device, status, headers, body):
    context = device()
    page = client.open(context)
    save(page, 1)
    page.close()
    page = client.open(context)
    page.route("**/v1/**", lambda route: route.fulfill(status=status, headers=headers, body=body))
    assert launch(page)["number"] == 1
    save(page, 2, flush=False)
    page.unroute("**/v1/**")
    page.close()
    page = client.open(context)
    assert launch(page)["number"] == 2


@pytest.mark.parametrize("body", ["{}", '{"format": 1, "steps": [{"screen": 1}]}', '{"format": 1, "steps": [{"screen": "a", "references": [0]}]}',
                                  '{"format": 1, "steps": [{"screen": "a", "parameters": {"n": {"$integer": "x"}}}]}'])
def test_restores_nothing_from_a_malformed_place(client, device, body):
    page, other = client.open(device()), client.open(device())
    save(page, 1)
    join(page, other)

    def answer(route):
        response = route.fetch()
        route.fulfill(response=response, body=body)

    other.route("**/latest**", answer)
    assert launch(other) == {"number": None, "offer": None, "reason": "answer-unreadable"}


def test_values_survive(client, device):
    page, other = client.open(device()), client.open(device())
    page.evaluate("""() => {
        window.values = () => ({ big: 2n ** 60n, date: new Date(1700000000123), bytes: new Uint8Array([0, 255]), nan: NaN, end: -Infinity,
            none: null, list: [1, "a", { b: true }], item: 1.5, $mark: { $date: 1 }, ["__proto__"]: "own", constructor: "c" });
        return scene.save([{ screen: "page", parameters: values() }]).then(() => places.flush());
    }""")
    join(page, other)
    seen = other.evaluate("""async () => {
        const { big, date, bytes, nan, end, none, list, item, $mark, ...rest } = (await scene.launch()).restore.steps[0].parameters;
        return [big === 2n ** 60n, date.getTime(), [...bytes], Number.isNaN(nan), end === -Infinity, none, list, item, $mark, Object.entries(rest).sort()];
    }""")
    assert seen == [True, 1700000000123, [0, 255], True, True, None, [1, "a", {"b": True}], 1.5, {"$date": 1},
                    [["__proto__", "own"], ["constructor", "c"]]]


@pytest.mark.parametrize("step", ["{}", "{ screen: 1 }", "{ screen: '\\ud800' }", "{ screen: 'a', parameters: { f() {} } }",
                                  "{ screen: 'a', parameters: { d: new Date(NaN) } }", "{ screen: 'a', items: [{}] }",
                                  "{ screen: 'a', parameters: { n: 2n ** 63n } }", "...Array(65).fill({ screen: 'a' })",
                                  "{ screen: 'a'.repeat(131072) }", "{ screen: 'a', parameters: { m: new Map([[1, 2]]) } }",
                                  "{ screen: 'a', parameters: new Map([['m', 2]]) }", "{ screen: 'a', parameters: { f: new Float64Array(1) } }"])
def test_refuses_a_place_that_cannot_be_sent(client, device, step):
    page = client.open(device())
    assert page.evaluate(f"() => scene.save([{step}]).catch(error => error.code)") == "place-invalid"


def test_a_full_disk_is_one_clear_error_and_the_place_is_sent(client, device):
    page, other = client.open(device()), client.open(device())
    save(page, 1)
    page.evaluate("""() => {
        const put = IDBObjectStore.prototype.put;
        IDBObjectStore.prototype.put = function () { throw new DOMException("full", "QuotaExceededError"); };
        window.restorePut = () => { IDBObjectStore.prototype.put = put; };
    }""")
    assert page.evaluate("place => scene.save(place).catch(error => error.code)", place(2)) == "storage-failed"
    page.evaluate("() => places.flush()")
    join(page, other)
    assert launch(other)["number"] == 2


def test_a_new_device_with_a_full_disk_sends_its_place(client, device):
    context = device()
    context.add_init_script("""IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); }""")
    page, other = client.open(context), client.open(device())
    assert page.evaluate("place => scene.save(place).catch(error => error.code)", place(2)) == "storage-failed"
    page.evaluate("() => places.flush()")
    join(page, other)
    assert launch(other)["number"] == 2


def test_waits_as_long_as_the_service_asked_even_in_a_later_page(client, device):
    context = device()
    page = client.open(context)
    save(page, 1)
    asked = []
    problem = json.dumps({"type": "about:blank", "title": "", "status": 503, "code": "overloaded", "detail": "Later."})

    def refuse(route):
        asked.append(route.request.url)
        route.fulfill(status=503, headers={"Retry-After": "600", "Content-Type": "application/problem+json"}, body=problem)

    context.route("**/v1/**", refuse)
    save(page, 2, flush=False)
    page.wait_for_function("() => problems.includes('busy')")
    page.close()
    page = client.open(context)
    count = len(asked)
    assert launch(page)["number"] == 2
    page.wait_for_timeout(500)
    assert len(asked) == count


# MARK: Browsers without a feature

@pytest.mark.parametrize("script, persists", [
    ("Object.defineProperty(Navigator.prototype, 'locks', { get() {} })", True),
    ("LockManager.prototype.request = LockManager.prototype.query = () => Promise.reject(new DOMException('', 'SecurityError'))", True),
    ("Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('', 'SecurityError'); } })", True),
    ("Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('', 'SecurityError'); } })", False),
    ("IDBFactory.prototype.open = () => { throw new DOMException('', 'UnknownError'); }", False),
])
def test_works_without_a_feature_of_the_browser(client, device, script, persists):
    context = device()
    context.add_init_script(script)
    page, other = client.open(context), client.open(device())
    save(page, 1)
    save(page, 2)
    assert page.evaluate("() => places.status()")["isPersistent"] == persists
    join(page, other)
    assert launch(other)["number"] == 2
    assert launch(page)["number"] == 2
    if not persists:
        return
    second = client.open(context)
    assert launch(second)["number"] == 2
    save(second, 3)
    page.close()
    second.reload()
    client.start(second)
    assert launch(second) == {"number": 3, "offer": None, "reason": "own-state"}


# MARK: Accounts

def test_a_sign_out_sends_what_is_pending_and_leaves_nothing(client, device):
    context = device()
    page, other = client.open(context, sendDelay=60), client.open(device())
    sign_in(client, page, "ada")
    sign_in(client, other, "ada")
    save(page, 2, flush=False)
    page.evaluate("() => { window.changes = 0; places.addEventListener('accountchange', () => changes++); return places.signOut(); }")
    page.wait_for_function("() => changes === 1")
    assert launch(other)["number"] == 2
    page.close()
    page = client.open(context)
    assert launch(page) == {"number": None, "offer": None, "reason": "not-registered"}


def test_work_that_was_kept_at_a_sign_out_waits_for_its_user(client, device):
    context = device()
    page, other = client.open(context, sendDelay=60), client.open(device())
    sign_in(client, page, "bea")
    sign_in(client, other, "bea")
    save(page, 1, flush=False)
    page.evaluate("() => places.signOut({ unsent: 'keep' })")
    sign_in(client, page, "cem")
    page.evaluate("() => places.flush()")
    assert launch(other)["reason"] == "nothing-stored"
    assert launch(page)["reason"] == "nothing-stored"
    page.evaluate("() => places.signOut()")
    sign_in(client, page, "bea")
    page.evaluate("() => places.flush()")
    assert launch(other)["number"] == 1


def test_a_sign_out_that_cannot_send_fails_and_changes_nothing(client, device):
    page = client.open(device())
    save(page, 1)
    page.route("**/archives/**", lambda route: route.abort())
    save(page, 2, flush=False)
    assert page.evaluate("() => places.signOut({ deadline: 300 }).catch(error => error.code)") == "unsent-states"
    page.unroute("**/archives/**")
    page.evaluate("() => places.flush()")
    assert launch(page)["number"] == 2


def test_work_after_another_tab_signed_out_is_not_the_next_users(client, device):
    context = device()
    page, other = client.open(context), client.open(context)
    save(page, 1)
    launch(page)
    other.evaluate("() => places.erase()")
    assert page.evaluate("place => scene.save(place).catch(error => error.code)", place(2)) == "account-changed"
    launch(page)
    save(page, 3)
    assert len(page.evaluate("() => places.places()")) == 1


def test_pending_work_moves_to_the_user_whom_the_device_joins(client, device):
    page, other = client.open(device()), client.open(device(), sendDelay=60)
    save(page, 1)
    save(other, 2, flush=False)
    join(page, other)
    other.evaluate("() => places.flush()")
    assert len(page.evaluate("() => places.places()")) == 2


def test_registers_again_when_its_token_ended(client, device):
    page, other = client.open(device()), client.open(device())
    save(page, 1)
    join(page, other)
    problem = json.dumps({"status": 401, "code": "unauthorized", "detail": ""})
    page.route("**/archives/**", lambda route: route.fulfill(
        status=401, headers={"Content-Type": "application/problem+json"}, body=problem), times=1)
    save(page, 2, flush=False)
    page.wait_for_function("() => problems.includes('revoked')")
    page.evaluate("() => places.flush()")
    assert launch(other)["number"] == 2
    launch(page)
    save(page, 3)
