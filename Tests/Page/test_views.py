"""What holds for each view of the admin page, with the stand-in or with a running service (see conftest.py)."""

import gzip
import pathlib
import re

import pytest

from conftest import Target, Visit, accessibility_faults, discover

PAGE = pathlib.Path(__file__).resolve().parents[2] / "Public/admin"
ICON = "/mark.svg"
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


def test_a_cold_load_of_each_view_makes_at_most_ten_requests_and_no_report(browser, shared_target):
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
    assert not [f"{name}: {' '.join(requests)}" for name, requests in counts.items() if len(set(requests) | {ICON}) > 10 or len(set(requests)) < len(requests)]
    assert not faults and not (shared_target.mock and shared_target.mock.reports)


def test_the_first_view_is_usable_within_a_second(browser, shared_target):
    context = browser.new_context()
    visit = Visit(context, shared_target).log_in()
    visit.page.reload()
    visit.page.wait_for_selector("main table")
    took = visit.page.evaluate("performance.now()")
    context.close()
    assert took < 1_000


def test_each_file_has_a_name_of_its_own():
    names = [path.name for path in PAGE.parent.rglob("*") if path.is_file()]
    assert len(names) > 10 and len(names) == len(set(names)), sorted(names)


def test_the_page_is_small():
    sizes = {path.name: len(gzip.compress(path.read_bytes(), 6)) for path in PAGE.rglob("*") if path.is_file()}
    assert sum(sizes.values()) <= 100_000, sizes


@pytest.mark.parametrize("pattern", [
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|srcdoc",
    r"\beval\(|new Function|setTimeout\(\s*[\"'`]", r"setAttribute\(\s*[\"']style", r"\son\w+\s*=\s*[\"']", r"<style|<script(?![^>]*\ssrc=)|\sstyle=",
    r"https?://(?!www\.w3\.org/2000/svg)[a-z]",
])
def test_no_file_of_the_page_has(pattern):
    hits = [f"{path.name}: {line}" for path in PAGE.rglob("*") if path.suffix in (".js", ".html", ".css")
            for line in path.read_text().splitlines() if re.search(pattern, line)]
    assert not hits
