"""The client for web apps in Chromium: what its stored records survive, and what it never loses or mixes up."""

import json

import pytest

from client import launch, place, save, sign_in

FAIL = """() => {
    const { get } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.get = () => { throw new DOMException("", "UnknownError"); };
    window.mend = () => { IDBObjectStore.prototype.get = get; };
}"""

EDIT = """async () => {
    const [{ name }] = await indexedDB.databases();
    const finished = request => new Promise(resolve => { request.onsuccess = () => resolve(request.result); });
    const database = await finished(indexedDB.open(name));
    const store = database.transaction("records", "readwrite").objectStore("records");
    for (const key of await finished(store.getAllKeys())) {
        const changed = (CHANGE)(key, await finished(store.get(key)));
        if (changed !== undefined) await finished(store.put(changed, key));
    }
    database.close();
}"""


def problem(status, code):
    body = json.dumps({"type": "about:blank", "title": "", "status": status, "code": code, "detail": ""})
    return {"status": status, "headers": {"Content-Type": "application/problem+json"}, "body": body}


def hold(page, address):
    """Holds the next request to an address. Returns a function that waits for it."""
    held = []
    page.route(address, lambda route: held.append(route), times=1)

    def first():
        while not held:
            page.wait_for_timeout(20)
        return held[0]
    return first


def wait_for_pending(page, count):
    for _ in range(60):
        if (found := page.evaluate("async () => (await places.status()).pending")) == count:
            return
        page.wait_for_timeout(50)
    raise AssertionError(found)


# MARK: Records

def test_an_error_of_the_storage_makes_no_new_device(client, device):
    context = device()
    page = client.open(context)
    save(page, 1)
    registrations = []
    context.on("request", lambda request: registrations.append(request.url) if request.url.endswith("/v1/devices") else None)
    page.evaluate(FAIL)
    assert page.evaluate("place => scene.save(place).catch(error => error.code)", place(2)) == "storage-failed"
    page.evaluate("() => mend()")
    page.evaluate("() => places.flush()")
    save(page, 3)
    page.close()
    page = context.new_page()
    page.goto(client.url + "/")
    page.evaluate(FAIL)
    client.start(page)
    assert launch(page) == {"number": None, "offer": None, "reason": "storage-failed"}
    page.evaluate("() => mend()")
    assert launch(page)["number"] == 3
    assert len(page.evaluate("() => places.places()")) == 1
    assert registrations == []


def test_a_failed_write_hides_no_later_work_of_another_tab(client, device):
    context = device()
    page, other = client.open(context), client.open(context)
    save(page, 1)
    page.evaluate("""() => {
        const { put } = IDBObjectStore.prototype;
        IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
        window.mend = () => { IDBObjectStore.prototype.put = put; };
    }""")
    page.route("**/v1/**", lambda route: route.abort())
    assert page.evaluate("place => scene.save(place).catch(error => error.code)", place(2)) == "storage-failed"
    save(other, 3)
    assert launch(page)["number"] == 3
    page.evaluate("() => mend()")
    page.unroute("**/v1/**")
    page.evaluate("() => places.flush()")
    assert launch(other)["number"] == 3


def test_a_closed_database_is_opened_again(client, device):
    context = device()
    context.add_init_script("""(() => {
        const { open } = IDBFactory.prototype;
        IDBFactory.prototype.open = function (...rest) {
            const request = open.apply(this, rest);
            request.addEventListener("success", () => { window.database = request.result; });
            return request;
        };
    })()""")
    page = client.open(context)
    save(page, 1)
    page.evaluate("() => database.close()")
    save(page, 2)
    assert launch(page)["number"] == 2


@pytest.mark.parametrize("change", [
    "(key, { captures, last, sequence }) => key.startsWith('scene/') ? { captures, last, sequence } : undefined",
    "(key, record) => key.startsWith('scene/') ? { ...record, captures: [{ archive: crypto.randomUUID(), sequence: 1 }, null] } : undefined",
    "(key, record) => key.startsWith('folder/') ? null : undefined",
    "(key, record) => key.startsWith('scene/') ? { ...record, sequence: 1e300 } : undefined",
    "(key, record) => key.startsWith('scene/') ? { ...record, sequence: 'x', bad: [null], watches: {} } : undefined",
    "(key, record) => key === 'account' ? { ...record, registration: { device: 1 } } : undefined",
])
def test_survives_a_damaged_record(client, device, change):
    context = device()
    page = client.open(context)
    save(page, 1)
    page.close()
    page = context.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(client.url + "/")
    page.evaluate(EDIT.replace("CHANGE", change))
    client.start(page)
    assert launch(page)["number"] == 1
    save(page, 2)
    assert launch(page)["number"] == 2
    assert (page.evaluate("() => problems"), errors) == ([], [])


def test_a_former_users_states_get_an_end(client, device):
    context = device()
    page = client.open(context)
    save(page, 1)
    page.close()
    page = context.new_page()
    page.goto(client.url + "/")
    page.evaluate(EDIT.replace("CHANGE", """(key, record) => {
        if (!key.startsWith("scene/")) return;
        store.put(record, "scene/former/reader");
        for (const folder of ["former", "empty"]) store.put({ user: "another", isSignedIn: false }, `folder/${folder}`);
    }"""))
    client.start(page)
    assert launch(page)["number"] == 1
    page.evaluate(EDIT.replace("CHANGE", "(key, record) => { (window.kept ??= {})[key] = record; }"))
    kept = page.evaluate("() => kept")
    assert "folder/empty" not in kept and kept["folder/former"]["left"], kept
    assert sum("left" in record for key, record in kept.items() if key.startswith("folder/")) == 1


@pytest.mark.parametrize("name", ["../users/self", ".", "..", "a/b", "", "é", "a" * 65])
def test_refuses_a_scene_name_that_changes_the_path(client, device, name):
    page = client.open(device())
    assert page.evaluate("name => { try { places.scene(name); } catch (error) { return error.code; } }", name) == "scene-name-invalid"


@pytest.mark.parametrize("progress, kept", [("NaN", None), ("1.0001", 1), ("-2", 0), ("Infinity", None), ("0.25", 0.25)])
def test_a_bad_progress_loses_no_place(client, device, progress, kept):
    page = client.open(device())
    page.evaluate(f"() => scene.save([{{ screen: 'a', progress: {progress} }}])")
    page.evaluate("() => places.flush()")
    assert page.evaluate("async () => (await scene.launch()).restore.steps[0].progress ?? null") == kept


# MARK: The answers of the service

def offer_only(page):
    """Lets the service's answers to launches offer places instead of restoring them."""
    page.route("**/latest**", lambda route: route.fulfill(response=(answer := route.fetch()), headers={
        **answer.headers, "Placekeeper-Restoration": "offer"}))
    launch(page)
    page.wait_for_timeout(300)
    assert launch(page)["number"] is None


def test_the_restoration_mode_becomes_automatic_again(client, device):
    context = device()
    page = client.open(context)
    save(page, 1)
    offer_only(page)
    page.unroute("**/latest**")
    assert launch(page)["number"] == 1


def test_accepts_its_own_offered_place_offline(client, device):
    context = device()
    page = client.open(context)
    save(page, 1)
    offer_only(page)
    page.close()
    page = client.open(context)
    page.route("**/v1/**", lambda route: route.abort())
    assert launch(page)["number"] is None
    assert page.evaluate("async () => (await scene.accept({ archive: offers.at(-1) })).steps[1].parameters.number") == 1
    assert page.evaluate("async () => (await places.status()).problem.code") == "offline"


def test_a_malformed_refusal_is_an_ordinary_one(client, device):
    page = client.open(device())
    refusal = problem(406, "nothing-compatible")
    refusal["body"] = json.dumps({**json.loads(refusal["body"]), "candidates": [{"reasons": [None]}]})
    page.route("**/latest**", lambda route: route.fulfill(**refusal))
    assert launch(page)["reason"] == "incompatible"


def test_a_clock_that_was_ahead_delays_nothing_for_long(client, device):
    context = device()
    page = client.open(context)
    save(page, 1)
    page.close()
    page = context.new_page()
    page.goto(client.url + "/")
    page.evaluate(EDIT.replace("CHANGE", """() => {
        store.put({ from: { wall: Date.now() / 1000 + 1e6, uptime: 0, page: "another" }, seconds: 1 }, "retry");
    }"""))
    client.start(page)
    save(page, 2, flush=False)
    wait_for_pending(page, 1)
    wait_for_pending(page, 0)


def test_a_launch_keeps_its_deadline_while_the_storage_waits(client, device):
    context = device()
    page = client.open(context)
    save(page, 1)
    page.evaluate("""() => {
        const { transaction } = IDBDatabase.prototype;
        IDBDatabase.prototype.transaction = function (...rest) {
            const blocked = transaction.apply(this, rest), store = blocked.objectStore("records"), end = Date.now() + 1000;
            const wait = () => { if (Date.now() < end) store.get("x").onsuccess = wait; };
            wait();
            return blocked;
        };
    }""")
    assert launch(page, deadline=300)["reason"] == "deadline"


def test_sends_what_was_saved_during_a_pass(client, device):
    page = client.open(device())
    save(page, 1)
    first = hold(page, "**/archives/**")
    save(page, 2, flush=False)
    held = first()
    page.evaluate("place => places.scene('other').save(place)", place(3))
    page.wait_for_timeout(300)
    held.continue_()
    wait_for_pending(page, 0)


def test_a_scene_that_cannot_be_sent_blocks_no_other(client, device):
    page = client.open(device())
    save(page, 1)
    page.route("**/scenes/a/**", lambda route: route.fulfill(**problem(500, "internal")))
    page.evaluate("place => Promise.all(['a', 'b'].map(name => places.scene(name).save(place)))", place(2))
    wait_for_pending(page, 1)


def test_forget_keeps_what_is_saved_meanwhile(client, device):
    page = client.open(device())
    save(page, 1)
    first = hold(page, "**/scenes/reader")
    page.evaluate("() => { window.forgot = scene.forget(); }")
    held = first()
    save(page, 2, flush=False)
    page.wait_for_timeout(300)
    held.continue_()
    page.evaluate("() => forgot")
    page.evaluate("() => places.flush()")
    assert launch(page)["number"] == 2


# MARK: Accounts

def test_saves_nothing_for_the_next_user_until_a_launch(client, device):
    context = device()
    page, other = client.open(context), client.open(context)
    save(page, 1)
    launch(page)
    other.evaluate("() => places.erase()")
    for tab in (page, page, other):
        assert tab.evaluate("place => scene.save(place).catch(error => error.code)", place(2)) == "account-changed"
    assert launch(other)["number"] is None
    save(other, 3)
    assert launch(page)["number"] == 3


@pytest.mark.parametrize("is_answered", [True, False])
def test_an_account_whose_token_is_refused_is_not_erased(client, device, is_answered):
    page = client.open(device())
    sign_in(client, page, f"refused {is_answered}")
    save(page, 1)
    erase = "() => places.erase().then(() => 'done', error => error.code)"
    if not is_answered:
        page.route("**/users/self", lambda route: route.abort(), times=1)
        assert page.evaluate(erase) == "offline"
    page.route("**/v1/**", lambda route: route.fulfill(**problem(401, "unauthorized")))
    assert page.evaluate(erase) == ("unauthorized" if is_answered else "sign-in-required")
    assert page.evaluate("async () => (await places.status()).needsSignIn")
    assert page.evaluate(erase) == "sign-in-required"
    page.unroute("**/v1/**")
    sign_in(client, page, f"refused {is_answered}")
    assert len(page.evaluate("() => places.places()")) == 1
    assert page.evaluate(erase) == "done"


def test_a_save_reads_no_other_scenes(client, device):
    context = device()
    page = client.open(context)
    page.evaluate("place => places.scene('other').save(place)", place(1))
    save(page, 2)
    page.close()
    page = client.open(context, sendDelay=600)
    assert launch(page)["number"] == 2
    # What a page sends looks at all scenes, so it must be done before.
    page.evaluate("() => places.flush()")
    page.evaluate("""() => {
        window.read = new Set();
        const { get } = IDBObjectStore.prototype;
        IDBObjectStore.prototype.get = function (key) { read.add(key); return get.call(this, key); };
        IDBObjectStore.prototype.getAll = () => { throw new Error("reads all"); };
    }""")
    save(page, 3, flush=False)
    assert {key.split("/")[-1] for key in page.evaluate("() => [...read]") if key.startswith("scene/")} == {"reader"}


def test_erases_the_places_of_a_device_that_is_not_registered(client, device):
    page = client.open(device(), registersAnonymously=False)
    save(page, 1, flush=False)
    page.evaluate("() => places.erase()")
    assert launch(page)["number"] is None
    assert page.evaluate("async () => (await places.status()).pending") == 0
