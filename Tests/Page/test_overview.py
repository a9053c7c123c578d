"""The charts of the overview: their grouping, their filters, and the response times of the service, with the stand-in of mock.py."""

import pytest
from playwright.sync_api import expect

from conftest import accessibility_faults


def overview_of(mock, query=""):
    return f"#/apps/{mock.photos['id']}{query}"


def legend(visit, name):
    """The texts of a chart's legend without their counts, and the counts."""
    items = [text.rsplit(None, 1) for text in visit.page.locator(f"[data-panel={name}] .legend li").all_inner_texts()]
    return {label: int(count.replace(",", "")) for label, count in items}


def test_the_charts_add_up_the_groups_of_a_label(visit, target):
    visit.open(overview_of(target.mock))
    assert list(legend(visit, "upload")) == ["stored"] and set(legend(visit, "restore")) == {"full", "place"}
    expect(visit.page.get_by_role("link", name="Kind", exact=True)).to_have_attribute("aria-current", "true")


def test_the_charts_can_be_grouped_by_idiom_and_version(visit, target):
    visit.open(overview_of(target.mock))
    stored = legend(visit, "upload")["stored"]
    visit.page.get_by_role("link", name="Version", exact=True).click()
    visit.settle()
    visit.page.wait_for_url("**?by=version")
    versions = legend(visit, "upload")
    assert list(versions)[:2] == ["42", "43"] and set(versions) == {"42", "43", "unknown", "other"} and sum(versions.values()) == stored
    visit.page.get_by_role("link", name="Idiom", exact=True).click()
    visit.settle()
    assert list(legend(visit, "outcome"))[:2] == ["phone", "pad"] and list(legend(visit, "refusal")) == ["unknown"]
    visit.page.go_back()
    visit.settle()
    assert set(legend(visit, "upload")) == set(versions)


def test_a_group_has_the_same_color_in_each_chart(visit, target):
    visit.open(overview_of(target.mock, "?by=idiom"))
    colors = [dict(visit.page.eval_on_selector_all(f"[data-panel={name}] .legend li", "items => items.map(item => [item.innerText.trim().split(/\\s/)[0], item.querySelector('svg').classList[1]])"))
               for name in ("upload", "refusal", "outcome")]
    assert colors[0] == colors[2] and colors[1]["unknown"] not in colors[0].values()


def test_the_filters_restrict_the_charts_and_stay_in_the_address(visit, target):
    visit.open(overview_of(target.mock))
    every = legend(visit, "upload")["stored"]
    visit.page.get_by_label("Version", exact=True).select_option("42")
    visit.settle()
    of_version = legend(visit, "upload")["stored"]
    assert 0 < of_version < every * 0.75
    visit.page.get_by_label("Idiom", exact=True).focus()
    visit.page.get_by_label("Idiom", exact=True).select_option("phone")
    visit.settle()
    assert "version=42" in visit.page.url and "idiom=phone" in visit.page.url
    expect(visit.page.get_by_label("Idiom", exact=True)).to_be_focused()
    assert 0 < legend(visit, "upload")["stored"] < of_version
    expect(visit.page.locator("[data-panel=refusal]")).to_contain_text("Nothing in this period fits the filters")
    visit.page.get_by_role("link", name="7 days").click()
    visit.settle()
    assert "version=42" in visit.page.url and "hours=168" in visit.page.url
    visit.page.reload()
    visit.settle()
    expect(visit.page.get_by_label("Version", exact=True)).to_have_value("42")
    visit.page.get_by_label("Version", exact=True).select_option("")
    visit.settle()
    assert "version" not in visit.page.url


def test_the_response_times_are_shown_as_bounds(visit, target):
    visit.open(overview_of(target.mock, "?idiom=pad"))
    panel = visit.page.locator("[data-panel=latency]")
    expect(panel).to_contain_text("All apps together")
    rows = [row.split("\t") for row in panel.locator(".table.stacks tbody tr").all_inner_texts()]
    assert rows == [["Upload", "100", "≤ 5 ms", "≤ 10 ms", "≤ 25 ms"], ["Latest archive", "1,000", "≤ 0.5 ms", "≤ 1 ms", "≤ 2.5 ms"],
                    ["Outcome", "1", "≤ 2.5 ms", "≤ 2.5 ms", "≤ 2.5 ms"], ["Changes of items", "0", "–", "–", "–"],
                    ["Registration", "3", "≤ 10 ms", "≤ 10 ms", "≤ 10 ms"]]
    assert legend(visit, "latency") == {"≤ 1 ms": 960, "≤ 5 ms": 126, "≤ 25 ms": 17, "≤ 100 ms": 0, "≤ 1 s": 0, "> 1 s": 1}
    panel.get_by_text("As a table").click()
    expect(panel.locator("details tbody tr")).to_have_count(24)


def test_the_charts_name_the_time_zone(visit, target):
    visit.open(overview_of(target.mock))
    readout = visit.page.locator("[data-panel=upload] .readout")
    expect(readout).to_contain_text("Times are in ")
    visit.page.locator("#display-menu summary").click()
    visit.page.get_by_role("radio", name="UTC").check()
    expect(readout).to_contain_text("Times are in UTC.")
    visit.page.locator("[data-panel=upload]").get_by_text("As a table").click()
    expect(visit.page.locator("[data-panel=upload] thead th").first).to_have_text("From (UTC)")


def test_a_hostile_version_is_shown_as_text(visit, target):
    visit.open(f"#/apps/{target.mock.weird['id']}?by=version")
    assert any(label.startswith("<") for label in legend(visit, "upload"))
    assert "<" in visit.page.get_by_label("Version", exact=True).inner_text()


@pytest.mark.parametrize("query", ["?by=version", "?by=idiom&idiom=phone&version=42", "?by=kind&idiom=nothing"])
def test_the_overview_is_accessible_and_fits_a_phone(visit, target, query):
    visit.open(overview_of(target.mock, query))
    assert not accessibility_faults(visit.page)
    assert visit.overflow(360) <= 0


def test_an_overview_of_an_older_service_has_its_charts(visit, target):
    visit.page.route("**/overview?*", lambda route: route.fulfill(json={
        key: value for key, value in route.fetch().json().items() if key != "latency"}))
    visit.open(overview_of(target.mock, "?by=__proto__"))
    assert list(legend(visit, "upload")) == ["stored"]
    expect(visit.page.locator("[data-panel=latency]")).to_contain_text("No requests in this period")


def test_the_chart_of_refusals_has_no_sum_of_its_reasons(visit, target):
    """A request counts once for each reason, so the sum of the reasons is no number of requests."""
    visit.open(overview_of(target.mock))
    refusals, restores = visit.page.locator("[data-panel=refusal]"), visit.page.locator("[data-panel=restore]")
    expect(refusals).to_contain_text("Requests that got no archive, counted once for each reason against any of the archives.")
    expect(restores).to_contain_text("The first serving of an archive to a device, by fidelity.")
    for panel, has_sum in ((refusals, False), (restores, True)):
        assert ("in all" in panel.locator(".readout").inner_text()) == has_sum
        panel.get_by_text("As a table").click()
        # The page makes the table when it is opened.
        expect(panel.locator("thead th").first).to_contain_text("From")
        assert ("All" in panel.locator("thead th").all_inner_texts()) == has_sum
        readouts = []
        panel.locator(".plot").focus()
        for _ in range(24):
            visit.page.keyboard.press("ArrowRight")
            readouts.append(panel.locator(".readout").inner_text())
        assert any(" · " in text for text in readouts) and any("in all" in text for text in readouts) == has_sum


def test_a_counter_that_is_named_like_an_inherited_member_has_its_chart(visit, target):
    def with_counter(route):
        answer = route.fetch().json()
        counts = [3] + [0] * (len(answer["series"][0]["counts"]) - 1)
        answer["series"] += [{"name": name, "label": "toString", "counts": counts} for name in ("constructor", "outcome")]
        answer["latency"]["routes"][0]["operation"] = "constructor"
        route.fulfill(json=answer)

    visit.page.route("**/overview?*", with_counter)
    visit.open(overview_of(target.mock))
    assert legend(visit, "constructor") == {"toString": 3} and legend(visit, "outcome")["toString"] == 3
    assert visit.page.locator(".failure").count() == 0
    assert "native code" not in visit.page.content()


@pytest.mark.parametrize("module, expression, value", [
    ("views-overview", "m.regrouped([{name: 'a', label: 'x', counts: [1, 2]}, {name: 'a', label: 'x', idiom: 'pad', counts: [3, 4]}], {by: 'kind'}).of('a')", [{"group": "x", "counts": [4, 6]}]),
    ("views-overview", "m.regrouped([{name: 'a', label: 'x', counts: [1]}, {name: 'b', label: 'y', idiom: 'pad', counts: [3]}], {by: 'idiom'}).order", ["pad", "unknown"]),
    ("response-times", "[0.5, 0.95, 0.99].map(share => m.percentile([50, 45, 4, 1], share))", [0, 1, 2]), ("response-times", "m.percentile([0, 0], 0.5)", -1), ("response-times", "m.percentile([0, 1], 0.5)", 1),
])
def test_function(visit, module, expression, value):
    assert visit.page.evaluate(f"import('/admin/{module}.js').then(m => {expression})") == value
