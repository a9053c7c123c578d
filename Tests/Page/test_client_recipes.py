"""The recipes of docs/web.md, and the integrity value of the client for web apps, in Chromium."""

import re

import pytest

from client import module, root

GUIDE = (root / "docs/web.md").read_text()
RECIPES = "".join(re.findall(r"```js\n(.*?)```", GUIDE, re.S))
INTEGRITY = re.findall(r"sha384-[A-Za-z0-9+/=]+", GUIDE)


def open_page(client, context, body=""):
    """A page of an app with the recipes and a body."""
    page = context.new_page()
    html = f"<!DOCTYPE html><title>Reader</title><script>{RECIPES}</script>{body}"
    page.route(client.url + "/", lambda route: route.fulfill(content_type="text/html", body=html))
    page.goto(client.url + "/")
    return client.start(page)


def test_restores_the_address(client, device):
    context = device()
    page = open_page(client, context)
    start = "async () => { window.shown = []; window.go = await keepAddress(scene, () => shown.push(location.pathname + location.search)); }"
    page.evaluate(start)
    page.evaluate("() => go('/books/17?page=3')")
    page.evaluate("() => places.flush()")
    page.close()
    page = open_page(client, context)
    page.evaluate(start)
    assert page.evaluate("() => shown") == ["/books/17?page=3"]
    # The page that the person goes back to is shown and saved.
    page.evaluate("() => go('/books/17?page=4')")
    page.go_back()
    page.wait_for_function("() => shown.length === 3")
    assert page.evaluate("() => shown.at(-1)") == "/books/17?page=3"
    # A link that the person opens wins.
    page.evaluate("() => history.replaceState(null, '', '/books/18')")
    page.evaluate(start)
    assert page.evaluate("() => shown") == ["/books/18"]


def test_an_address_of_another_origin_is_not_opened(client, device):
    context = device()
    page = open_page(client, context)
    page.evaluate("() => scene.save([{ screen: 'page', parameters: { address: '@evil.example/' } }])")
    page.close()
    page = open_page(client, context)
    assert page.evaluate("async () => { const shown = []; await keepAddress(scene, () => shown.push(location.pathname)); return shown; }") == ["/"]


def test_restores_the_first_visible_item_of_a_list(client, device):
    rows = "".join(f"<div data-item='{number}' style='height: 40px'>{number}</div>" for number in range(100))
    body = f"<div id=list style='height: 200px; overflow: auto'>{rows}</div>"
    start = """async () => {
        const list = document.getElementById("list");
        const scrollTo = keepScroll(list, "Book", item =>
            scene.save([{ screen: "shelf", items: [item] }], { interaction: "now" }).then(() => { window.saved = item.id; }));
        scrollTo((await scene.launch()).restore?.steps[0].items);
        return list.scrollTop;
    }"""
    context = device()
    page = open_page(client, context, body)
    assert page.evaluate(start) == 0
    page.evaluate("() => { document.getElementById('list').scrollTop = 400; }")
    page.wait_for_function("() => window.saved === '10'")
    page.evaluate("() => places.flush()")
    page.close()
    page = open_page(client, context, body)
    assert page.evaluate(start) == 400


def test_restores_a_draft_without_secrets(client, device):
    body = """<form><input name=title><textarea name=text></textarea><input name=password type=password><input name=code autocomplete=off>
        <input name=card autocomplete=cc-number><input name=old autocomplete=current-password><input name=token type=hidden value=t></form>
        <form autocomplete=off><input name=secret></form>"""
    start = """async () => {
        const fill = keepDraft(document.forms[0], draft => { window.draft = scene.save([{ screen: "letter", parameters: { draft } }]); });
        keepDraft(document.forms[1], draft => { window.leaked = draft; });
        fill((await scene.launch()).restore?.steps[0].parameters.draft);
        return Object.fromEntries(new FormData(document.forms[0]));
    }"""
    context = device()
    page = open_page(client, context, body)
    page.evaluate(start)
    # A button that shows the password makes its field one of text.
    page.evaluate("() => { document.forms[0].password.type = 'text'; }")
    names = ["title", "text", "password", "code", "card", "old"]
    for name in names:
        page.fill(f"[name={name}]", f"my {name}")
    page.fill("[name=secret]", "my secret")
    assert page.evaluate("() => Object.keys(window.leaked)") == []
    page.evaluate("async () => { await draft; await places.flush(); }")
    page.close()
    page = open_page(client, context, body)
    assert page.evaluate(start) == {**dict.fromkeys(names, ""), "title": "my title", "text": "my text", "token": "t"}


@pytest.mark.parametrize("integrity, loads", [(INTEGRITY[0], True), (INTEGRITY[0].replace("sha384-", "sha384-AAAA")[:71], False)])
def test_a_browser_checks_the_integrity_of_the_module(client, device, integrity, loads):
    assert set(INTEGRITY) == {INTEGRITY[0]}
    page = device().new_page()
    page.goto(client.url + "/")
    assert page.evaluate("""async ([href, integrity]) => {
        const link = Object.assign(document.createElement("link"), { rel: "modulepreload", crossOrigin: "", integrity, href });
        await new Promise(resolve => { link.onload = link.onerror = resolve; document.head.append(link); });
        return import(href).then(() => true, () => false);
    }""", [module, integrity]) == loads
