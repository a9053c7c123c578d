"""What holds for each view of the admin page, with the stand-in or with a running service (see conftest.py)."""

import gzip
import pathlib
import re

import pytest

from conftest import Target, Visit, accessibility_faults, discover

PAGE = pathlib.Path(__file__).resolve().parents[2] / "Public/admin"
WIDTHS = (360, 768, 1024, 1440)


@pytest.fixture(scope="module")
def shared_target():
    target = Target()
    yield target
    target.stop()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_view_loads_is_accessible_and_fits(browser, shared_target, theme):
    # The checker changes the page in ways that the policy forbids, so the policy is tested without it below.
    context = browser.new_context(color_scheme=theme, reduced_motion="reduce", bypass_csp=True)
    visit = Visit(context, shared_target).log_in()
    faults = []
    for name, address in discover(visit).items():
        visit.open(address)
        headings = visit.page.locator("h1").count()
        failures = visit.page.locator(".failure").all_inner_texts()
        faults += [f"{name} ({address}): {headings} headings, failures: {failures}"] if headings != 1 or failures else []
        faults += [f"{name}: {width} px overflow by {over}" for width in WIDTHS if (over := visit.overflow(width)) > 0]
        faults += [f"{name}: {fault}" for fault in accessibility_faults(visit.page)]
    context.close()
    assert not faults + visit.faults


def test_a_cold_load_of_each_view_is_small_and_makes_no_report(browser, shared_target):
    context = browser.new_context()
    visit = Visit(context, shared_target).log_in()
    views = discover(visit) | {"log-in": "#/log-in"}
    cookies, counts, faults = context.cookies(), {}, visit.faults
    context.close()
    for name, address in views.items():
        # A new context has an empty cache, and the session alone.
        context = browser.new_context()
        context.add_cookies([] if name == "log-in" else cookies)
        cold, requests = Visit(context, shared_target), []
        cold.page.on("request", lambda request: requests.append(request.url.removeprefix(shared_target.url)))
        cold.page.goto(f"{shared_target.url}/admin/{address}")
        cold.page.wait_for_selector("h1")
        cold.settle()
        cold.page.wait_for_load_state("networkidle")
        counts[name], faults = requests, faults + cold.faults
        context.close()
    assert len(counts) > 15
    # The page's files are read once. Beside them, a view of one thing needs few requests; the list of apps needs two for each app.
    asked = {name: [one for one in requests if one.startswith("/admin/api/")] for name, requests in counts.items()}
    assert not [f"{name}: {' '.join(asked[name])}" for name, requests in counts.items()
                if name != "apps" and len(asked[name]) > 6 or len(set(requests)) < len(requests)]
    assert not faults and not (shared_target.mock and shared_target.mock.reports)


def test_the_first_view_is_usable_within_a_second(browser, shared_target):
    context = browser.new_context()
    visit, took = Visit(context, shared_target).log_in(), []
    # The best of five: the page's own time, and not that of what else the machine does.
    for _ in range(5):
        visit.page.reload()
        visit.page.wait_for_selector("main table")
        took.append(visit.page.evaluate("performance.now()"))
    context.close()
    assert min(took) < 1_000, took


def test_each_file_has_a_name_of_its_own():
    # A folder's page has the name that web servers give it.
    names = [path.name for path in PAGE.parent.rglob("*") if path.is_file() and path.name != "index.html"]
    assert len(names) > 10 and len(names) == len(set(names)), sorted(names)


def test_the_page_is_small():
    sizes = {path.name: len(gzip.compress(path.read_bytes(), 6)) for path in PAGE.rglob("*") if path.is_file()}
    assert sum(sizes.values()) <= 150_000, sizes


def imports():
    """The modules that each module of the page imports, also on demand."""
    return {path.name: set(re.findall(r"""(?:from |import\()"\./([^"]+)\"""", path.read_text())) for path in PAGE.glob("*.js")}


def test_no_module_imports_itself_through_others():
    left = imports()
    assert len(left) > 30 and not set().union(*left.values()) - set(left)
    while leaves := [name for name, needed in left.items() if not needed & set(left)]:
        left = {name: needed for name, needed in left.items() if name not in leaves}
    assert not left, left


def test_each_module_is_preloaded():
    page = (PAGE / "admin.html").read_text()
    assert set(re.findall(r'rel="modulepreload" href="([^"]+)"', page)) | {"start.js"} == set(imports())


@pytest.mark.parametrize("pattern", [
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|srcdoc",
    r"\beval\(|new Function|setTimeout\(\s*[\"'`]", r"setAttribute\(\s*[\"']style", r"\son\w+\s*=\s*[\"']", r"<style|<script(?![^>]*\ssrc=)|\sstyle=",
    r"https?://(?!www\.w3\.org/2000/svg)[a-z]",
])
def test_no_file_of_the_page_has(pattern):
    hits = [f"{path.name}: {line}" for path in PAGE.rglob("*") if path.suffix in (".js", ".html", ".css")
            for line in path.read_text().splitlines() if re.search(pattern, line)]
    assert not hits
