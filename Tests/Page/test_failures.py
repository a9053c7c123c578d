"""The restores that failed, by path, by user and each one, with the stand-in of mock.py."""

from playwright.sync_api import expect

from conftest import Visit, accessibility_faults
from test_operations import app_of

PATH = "Tabs/Albums/Photo"


def failures_of(visit, target, filters=""):
    visit.open(app_of(target.mock) + "/health" + filters)
    return visit.page.locator("[data-panel=failures]")


def add_failures(mock, count):
    """Adds older failures of as many users."""
    known = mock.photos["health"]["failures"]
    users = [user["id"] for user in mock.photos["users"][1:count + 1]]
    known += [known[1] | {"user": users[index], "path": f"Tabs/{index}"} for index in range(count)]


def test_failures_are_grouped_by_path_and_a_path_leads_to_each_of_them(visit, target):
    panel = failures_of(visit, target)
    rows = [[cell.strip() for cell in row.split("\t")[:4]] for row in panel.locator("tbody tr").all_inner_texts()]
    assert rows == [[PATH, "8", "4", "1"], ["not reported", "4", "2", "1"]]
    panel.get_by_role("link", name=PATH).click()
    visit.settle()
    expect(panel.locator("tbody tr")).to_have_count(8)
    expect(panel).to_contain_text(f"Only at {PATH} Show all")
    failure = next(one for one in target.mock.photos["health"]["failures"] if "path" in one)
    row = panel.locator("tbody tr").first
    expect(row).to_contain_text("failed")
    row.get_by_role("link", name=failure["archive"][:8]).click()
    expect(visit.page.get_by_role("heading", level=1)).to_have_text(f"Archive {failure['archive'][:8]}")


def test_failures_without_a_path_are_opened_too(visit, target):
    panel = failures_of(visit, target)
    panel.get_by_role("link", name="not reported").click()
    visit.settle()
    expect(panel.locator("tbody tr")).to_have_count(4)
    expect(panel).to_contain_text("Only without a path Show all")
    assert visit.page.url.endswith("/health?by=each&hasPath=false")
    visit.page.select_option("#result", "crashed")
    expect(panel).to_contain_text("Only without a path Show all")


def test_the_users_of_failures_are_named_in_the_first_view_that_is_opened(browser, visit, target):
    story = target.mock.story
    for filters in ("?by=user", "?by=each", f"?by=each&user={story['id']}"):
        panel = failures_of(visit, target, filters)
        visit.page.reload()
        expect(panel.locator("tbody tr").first).to_contain_text("anna@example.com")
    expect(panel.get_by_role("paragraph").filter(has_text="Only of")).to_contain_text("anna@example.com")
    viewer = Visit(browser.new_context(), target).log_in("viewer")
    expect(failures_of(viewer, target, "?by=user").locator("tbody tr").first).to_contain_text(f"User {story['id'][:8]}")


def test_crashes_of_users_are_counted_and_the_address_keeps_the_filter(visit, target):
    add_failures(target.mock, 2)
    panel = failures_of(visit, target, "?hours=168")
    visit.page.select_option("#result", label="Crashes (proven by the next launch)")
    panel.get_by_role("link", name="By user").click()
    visit.page.wait_for_url("**/health?hours=168&result=crashed&by=user")
    visit.wait_for_request("/failures/groups?by=user&hours=168&result=crashed")
    expect(panel.locator("tbody tr")).to_have_count(1)
    visit.page.get_by_role("link", name="30 days").click()
    visit.page.wait_for_url("**/health?hours=720&result=crashed&by=user")
    panel.locator("tbody tr").get_by_role("link").first.click()
    visit.settle()
    expect(panel.locator("tbody tr")).to_have_count(6)
    expect(panel.locator("tbody .badge").first).to_have_text("crash")
    panel.get_by_role("link", name="Show all").click()
    expect(panel).not_to_contain_text("Only of")


def test_filters_that_no_failure_fits_are_told_and_removed(visit, target):
    for filters in ("result=crashed&path=none", "user=" + target.mock.photos["users"][1]["id"]):
        panel = failures_of(visit, target, f"?hours=168&by=each&{filters}")
        expect(panel).to_contain_text("No failure fits the filters")
        panel.get_by_role("link", name="Show all").click()
        visit.page.wait_for_url("**/health?hours=168&by=each")
        expect(panel.locator("tbody tr")).to_have_count(12)
    panel.get_by_role("link", name="By path").click()
    expect(panel.get_by_role("columnheader", name="Crashes", exact=True)).to_be_visible()


def test_failures_beyond_the_first_page_are_read_on_demand(visit, target):
    add_failures(target.mock, 60)
    panel = failures_of(visit, target, "?by=each")
    expect(panel.locator("tbody tr")).to_have_count(50)
    panel.get_by_role("button", name="Show more").click()
    expect(panel.locator("tbody tr")).to_have_count(72)
    expect(panel.get_by_role("button", name="Show more")).to_have_count(0)
    panel.get_by_role("link", name="By path").click()
    visit.settle()
    expect(panel.locator("tbody tr")).to_have_count(50)
    panel.get_by_role("button", name="Show more").click()
    expect(panel.locator("tbody tr")).to_have_count(62)
    visit.page.select_option("#result", "crashed")
    expect(panel.locator("tbody tr")).to_have_count(2)


def test_an_unknown_grouping_and_an_empty_period_are_shown(visit, target):
    panel = failures_of(visit, target, "?by=constructor")
    expect(panel.locator("tbody tr")).to_have_count(2)
    target.mock.photos["health"]["failures"].clear()
    visit.page.reload()
    expect(panel).to_contain_text("No restore failed in this period")


def test_each_grouping_is_accessible_and_fits(browser, target):
    add_failures(target.mock, 3)
    context = browser.new_context(bypass_csp=True, reduced_motion="reduce")
    visit = Visit(context, target).log_in()
    for app in (target.mock.photos, target.mock.weird):
        for filters in ("?by=user", "?by=each&path=x"):
            visit.open(f"#/apps/{app['id']}/health{filters}")
            assert not accessibility_faults(visit.page)
            assert max(visit.overflow(width) for width in (360, 768, 1440)) <= 0, filters
    context.close()
