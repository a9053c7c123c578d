"""What a person does with restoration health, dry runs, live events, and the undo of deletions, with the stand-in of mock.py."""

import json
import re

from playwright.sync_api import expect

from conftest import Visit
from mock import PASSWORD
from test_page import archive_with, scene_of, settings_of, user_of


def app_of(mock):
    return f"#/apps/{mock.photos['id']}"


def stops_of(mock):
    return mock.photos["settings"]["stoppedRestores"]


STOP = "Stop archives of version 43 on iPhones with version 42"
ALLOW = "Allow archives of version 43 on iPhones with version 42 again"
ENTRY = {"sourceVersion": "43", "targetVersion": "42", "idiom": "phone", "by": "administrator"}


# Restoration health

def test_the_health_view_shows_success_by_version_and_idiom(visit, target):
    visit.open(app_of(target.mock) + "/health")
    rows = visit.page.locator("[data-panel=restores] tbody tr")
    cells = [[cell.strip().replace("\n", ", ") for cell in row.split("\t")[:5]] for row in rows.all_inner_texts()[:2]]
    assert cells == [["iPhone 43 → iPhone 42", "68.1 %", "212, median 182 ms", "99, 38 crashes", "71, of 240"],
                     ["iPhone 42 → iPhone 42", "99.6 %", "4,802, median 182 ms", "15, 3 crashes", "11, of 1,930"]]
    assert "Mac without a version → Mac 43" in rows.nth(3).inner_text()


def test_the_period_of_the_health_is_in_the_address(visit, target):
    visit.open(app_of(target.mock) + "/health")
    visit.page.get_by_role("link", name="7 days").click()
    expect(visit.page.get_by_role("link", name="7 days")).to_have_attribute("aria-current", "true")
    visit.wait_for_request("/health?hours=168")


def test_the_overview_tells_of_versions_that_fail_too_often(visit, target):
    visit.open(app_of(target.mock))
    panel = visit.page.locator("[data-panel=health]")
    expect(panel).to_contain_text("Version 42 fails too often.")
    expect(panel).to_contain_text(re.compile(r"9\d\.\d %\s*of \d+ restores succeeded.*against the 24 hours before", re.S))
    expect(panel).to_contain_text("iPhone 43 → iPhone 42: 99 failures of 311 reports, 71 users")
    panel.get_by_role("link", name="Show the versions").click()
    expect(visit.page.locator("[data-panel=switches]")).to_contain_text("42.7 %: 41 of 96 established users.")


def test_restores_are_stopped_and_allowed_again_after_a_confirmation(visit, target):
    other = {"sourceVersion": "41", "idiom": "pad", "by": "administrator"}
    stops_of(target.mock).append(other)
    visit.open(app_of(target.mock) + "/health")
    switches = visit.page.locator("[data-panel=switches]")
    switches.get_by_role("button", name=STOP).click()
    dialog = visit.page.get_by_role("dialog")
    expect(dialog).to_contain_text("iPhones with version 42 get no archive of version 43 until you allow restores again.")
    assert visit.page.evaluate("document.activeElement.textContent") == "Cancel" and stops_of(target.mock) == [other]
    with visit.page.expect_request(lambda request: request.method == "PUT") as sent:
        dialog.get_by_role("button", name="Stop", exact=True).click()
    assert json.loads(sent.value.post_data) == {"stoppedRestores": [other, ENTRY]} and sent.value.headers["if-match"] == '"1"'
    expect(switches.get_by_role("button", name=ALLOW)).to_be_visible()
    expect(switches.get_by_role("button", name=STOP)).to_have_count(0)
    expect(visit.page.locator("[data-panel=restores] tbody tr").first).to_contain_text("stopped")
    switches.get_by_role("button", name=ALLOW).click()
    visit.page.get_by_role("dialog").get_by_role("button", name="Allow again").click()
    expect(switches.get_by_role("button", name=STOP)).to_be_visible()
    assert stops_of(target.mock) == [other]


def test_a_closed_confirmation_stops_nothing(visit, target):
    visit.open(app_of(target.mock) + "/health")
    visit.page.locator("[data-panel=switches]").get_by_role("button", name=STOP).click()
    expect(visit.page.get_by_role("dialog").get_by_role("button", name="Cancel")).to_be_focused()
    visit.page.keyboard.press("Enter")
    expect(visit.page.get_by_role("dialog")).to_have_count(0)
    assert stops_of(target.mock) == [] and target.mock.photos["tag"] == 1


def test_a_stop_does_not_overwrite_the_change_of_another_administrator(visit, target):
    visit.open(app_of(target.mock) + "/health")
    switches = visit.page.locator("[data-panel=switches]")
    switches.get_by_role("button", name=STOP).click()
    stops_of(target.mock).append({"sourceVersion": "7", "targetVersion": "6", "idiom": "tv", "by": "breaker"})
    target.mock.change_settings(target.mock.photos)
    visit.page.get_by_role("dialog").get_by_role("button", name="Stop", exact=True).click()
    expect(visit.page.locator(".notice.bad")).to_contain_text("somebody else has saved the settings")
    expect(switches).to_contain_text("archives of version 7 on Apple TVs with version 6, by the automatic stop")
    assert len(stops_of(target.mock)) == 1
    switches.get_by_role("button", name=STOP).click()
    visit.page.get_by_role("dialog").get_by_role("button", name="Stop", exact=True).click()
    expect(switches.get_by_role("button", name=ALLOW)).to_be_visible()
    assert len(stops_of(target.mock)) == 2


def test_a_viewer_sees_the_health_and_cannot_stop(browser, target):
    visit = Visit(browser.new_context(), target).log_in("viewer")
    visit.open(app_of(target.mock) + "/health")
    expect(visit.page.get_by_role("button", name=STOP).first).to_be_disabled()
    expect(visit.page.locator("[data-panel=switches]")).to_contain_text("Only an operator or an owner can stop and allow restores. You are a viewer.")
    assert not visit.faults


def test_an_explanation_names_stopped_restores_and_leads_to_them(visit, target):
    stops_of(target.mock).append({"sourceVersion": "42", "targetVersion": "42", "idiom": "phone", "by": "breaker"})
    visit.open(scene_of(target.mock) + f"/explain?device={target.mock.story['devices'][0]['id']}")
    candidate = visit.page.locator(".candidate").first
    visit.page.get_by_text("Candidates and rules").click()
    expect(candidate).to_contain_text("Refused: restores from version 42 to 42 are stopped.")
    candidate.locator("tr", has_text="restores-stopped").get_by_role("link", name="Show").click()
    expect(visit.page.locator("[data-panel=switches]")).to_contain_text("archives of version 42 on iPhones with version 42, by the automatic stop")


def test_a_restoring_version_is_stopped_for_archives_of_every_version(visit, target):
    visit.open(app_of(target.mock) + "/health")
    groups = visit.page.locator("[data-panel=groups]")
    rows = [[cell.strip().replace("\n", ", ") for cell in row.split("\t")[:5]] for row in groups.locator("tbody tr").all_inner_texts()]
    # A user may have restored archives of several versions, so the sum of the users is a limit.
    assert rows[0] == ["iPhone 42", "97.7 %", "5,014", "114, 41 crashes", "at most 82, of at most 2,170"]
    assert rows[1] == ["iPad 42", "99.4 %", "391", "2", "2, of 118"]
    expect(groups).to_contain_text("which keeps an app's newest 10,000 reports")
    groups.get_by_role("button", name="Stop all archives on iPhones with version 42").click()
    dialog = visit.page.get_by_role("dialog")
    expect(dialog).to_contain_text("iPhones with version 42 start fresh until you allow restores again.")
    with visit.page.expect_request(lambda request: request.method == "PUT") as sent:
        dialog.get_by_role("button", name="Stop", exact=True).click()
    assert json.loads(sent.value.post_data) == {"stoppedRestores": [{"targetVersion": "42", "idiom": "phone", "by": "administrator"}]}
    expect(groups.locator("tbody tr").first).to_contain_text("stopped")
    stopped = visit.page.locator("[data-panel=restores] tbody tr", has_text="stopped")
    expect(stopped).to_have_count(2)
    # The pairs of the stop are not listed one by one: each would have a button that allows nothing.
    switches = visit.page.locator("[data-panel=switches]")
    expect(switches.locator(".callout.bad")).to_have_count(1)
    switches.get_by_role("button", name="Allow all archives on iPhones with version 42 again").click()
    visit.page.get_by_role("dialog").get_by_role("button", name="Allow again").click()
    expect(stopped).to_have_count(0)
    assert stops_of(target.mock) == []


# Dry runs

def test_a_policy_is_tried_only_after_a_change(visit, target):
    visit.open(settings_of(target.mock))
    button = visit.page.get_by_role("button", name="Try it")
    expect(button).to_be_disabled()
    visit.page.fill("#setting-minimumBundleVersion", "43")
    expect(button).to_be_enabled()
    visit.page.get_by_role("button", name="Discard").click()
    expect(button).to_be_disabled()


def test_a_policy_is_tried_beside_the_form_and_stays_typed(visit, target):
    visit.open(settings_of(target.mock))
    visit.page.fill("#setting-minimumBundleVersion", "43")
    # A setting outside the policy does not matter to the dry run, also if it is wrong.
    visit.page.fill("#setting-userBytes", "lots")
    visit.page.get_by_role("button", name="Try it").click()
    panel = visit.page.locator("[data-panel=dry-run]")
    expect(panel).to_contain_text("261")
    expect(panel).to_contain_text("2.6 % of 9,914 answers")
    assert target.mock.photos["posted"] == [{"policy": {"minimumBundleVersion": "43"}}] and target.mock.photos["tag"] == 1
    refused = panel.locator("[data-kind=refused]")
    expect(refused.locator("summary")).to_have_text(re.compile(r"214\s+get nothing · 180 users"))
    refused.locator("summary").click()
    example = refused.locator(".example").first
    expect(example).to_contain_text("Its bundle version 42 is below the minimum 43.")
    expect(example).to_contain_text(re.compile("the full state of .{8} → nothing"))
    expect(example.get_by_role("link", name="user")).to_have_attribute("href", user_of(target.mock))
    expect(example.get_by_role("link", name="main")).to_have_attribute("href", scene_of(target.mock))
    assert refused.locator(".example").count() == 20
    assert panel.locator(".blockers li").all_inner_texts() == [
        "423 answers of 40 users: the full state is blocked by the layout.", "1 answer of 1 user: the archive is blocked by the quarantine.",
        "12 answers of 3 users: the archive is blocked by the state version.", "7 answers of 7 users: discarded by the user.",
        "6 answers of 2 users: restores are stopped.", "5 answers of 5 users: places are turned off.", "4 answers of 1 user: only offered, because of a crash elsewhere."]
    assert visit.page.input_value("#setting-minimumBundleVersion") == "43" and visit.page.input_value("#setting-userBytes") == "lots"
    expect(panel).to_contain_text("for the policy as it is typed")
    visit.page.fill("#setting-minimumBundleVersion", "44")
    expect(panel).to_contain_text("The policy was changed after this dry run.")


def test_a_wrong_policy_is_not_tried_and_a_refused_one_is_told(visit, target):
    visit.open(settings_of(target.mock))
    visit.page.fill("#setting-maximumAge", "soon")
    visit.page.get_by_role("button", name="Try it").click()
    expect(visit.page.locator("#setting-maximumAge-fault")).to_contain_text("30m, 12h or 7d")
    assert target.mock.photos["posted"] == []
    visit.page.fill("#setting-maximumAge", "30d")
    visit.page.fill("#setting-minimumBundleVersion", "refuse")
    visit.page.get_by_role("button", name="Try it").click()
    expect(visit.page.locator(".notice.bad")).to_contain_text("minimumBundleVersion is not a version.")
    assert visit.page.input_value("#setting-minimumBundleVersion") == "refuse"


def test_the_time_after_which_a_sign_in_expires_is_a_setting(visit, target):
    visit.open(settings_of(target.mock))
    field = visit.page.get_by_label("Sign-in expires after")
    expect(field).to_have_value("")
    field.fill("30")
    visit.page.get_by_role("button", name="Save").click()
    expect(visit.page.locator("#setting-tokenLifetime-fault")).to_contain_text("from 7d to 3650d")
    field.fill("30d")
    visit.page.get_by_role("button", name="Save").click()
    expect(visit.page.get_by_text("The settings are saved.")).to_be_visible()
    assert target.mock.photos["settings"]["tokenLifetime"] == "30d"
    # The navigation of the app is still there.
    sections = visit.page.get_by_role("navigation", name="Sections")
    expect(sections.get_by_role("link", name="Settings")).to_have_attribute("aria-current", "page")
    sections.get_by_role("link", name="Users").click()
    expect(visit.page.get_by_role("heading", level=1)).to_have_text("Users")


def test_the_origins_of_web_pages_are_a_setting_and_a_refusal_is_seen(visit, target):
    visit.open(settings_of(target.mock))
    field = visit.page.get_by_label("Origins of web pages")
    field.fill("https://reader.example  http://localhost:5173")
    visit.page.get_by_role("button", name="Save").click()
    expect(visit.page.get_by_text("The settings are saved.")).to_be_visible()
    assert target.mock.photos["settings"]["webOrigins"] == ["https://reader.example", "http://localhost:5173"]
    expect(field).to_have_value("https://reader.example http://localhost:5173")
    refusal = {"type": "", "title": "", "status": 422, "code": "settings-invalid", "detail": "An origin needs a scheme: write https://reader.example."}
    visit.page.route("**/settings", lambda route: route.fulfill(status=422, content_type="application/problem+json", body=json.dumps(refusal)))
    field.fill("reader.example")
    visit.page.get_by_role("button", name="Save").click()
    message = visit.page.get_by_text("An origin needs a scheme")
    message.wait_for()
    # Nothing covers the message.
    assert message.evaluate("""element => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    }""")


def test_an_operator_tries_a_policy_and_cannot_save_it(browser, target):
    visit = Visit(browser.new_context(), target).log_in("operator")
    visit.open(settings_of(target.mock))
    expect(visit.page.locator("#setting-restoration")).to_be_disabled()
    visit.page.fill("#setting-maximumAge", "90m")
    visit.page.get_by_role("button", name="Try it").click()
    expect(visit.page.locator("[data-panel=dry-run] .dry-run-change")).to_have_count(5)
    expect(visit.page.get_by_role("button", name="Save", exact=True)).to_be_disabled()
    assert not visit.faults


# Live events

def live(visit, target, filters=""):
    visit.open(app_of(target.mock) + "/live" + filters)
    expect(visit.page.locator(".live-status")).to_contain_text("Live.")
    return visit.page.locator(".event")


def test_events_appear_in_plain_words_with_links(visit, target):
    mock, events = target.mock, live(visit, target)
    expect(events).to_have_count(200)
    mock.emit(mock.photos, mock.story, "restoreRefused")
    device = mock.story["devices"][0]["id"][:8]
    expect(events.first).to_contain_text(f"iPhone {device} asked for the scene main as iPhone, version 42, and got nothing: its bundle version 43 is newer than 42")
    reasons = [{"code": "quarantined", "archive": "crashed", "blocks": "place", "text": "it is quarantined, since a restore of it crashed"}]
    mock.emit(mock.photos, mock.story, "restoreServed", fidelity="place", reasons=reasons)
    expect(events.first).to_contain_text("asked for the scene main as iPhone, version 42, and got the place of an archive. Against the newest one: ")
    mock.emit(mock.photos, mock.story, "outcomeReported", result="failed", path="root/list")
    expect(events.first).to_contain_text(f"Device {device} could not restore an archive of the scene main at root/list")
    mock.emit(mock.photos, mock.story, "archiveStored")
    expect(events.first).to_contain_text(f"Device {device} stored an archive of the scene main")
    archive = mock.story["scenes"]["main"][0]["id"]
    assert events.first.locator("a").evaluate_all("links => links.map(link => link.getAttribute('href'))") == [
        user_of(mock) + f"?device={mock.story['devices'][0]['id']}", scene_of(mock) + f"/archives/{archive}", scene_of(mock), user_of(mock)]


def test_events_and_failures_name_a_device_that_the_page_knows(visit, target):
    mock, device = target.mock, target.mock.story["devices"][0]["id"][:8]
    visit.open(user_of(mock))
    events = live(visit, target)
    mock.emit(mock.photos, mock.story, "archiveDeleted")
    expect(events.first).to_contain_text(re.compile(f"An archive of Anna’s iPhone\\s*{device}, of the scene main was deleted"))
    visit.open(app_of(mock) + "/health?by=each")
    expect(visit.page.locator("[data-panel=failures] tbody tr").first).to_contain_text(re.compile(f"Anna’s iPhone\\s*{device}"))


def test_events_are_filtered_by_kind_user_and_scene_and_the_filters_are_in_the_address(visit, target):
    mock, events = target.mock, live(visit, target)
    mock.emit(mock.photos, mock.story, "archiveStored", scene="Editor")
    expect(events.first).to_contain_text("Editor")
    visit.page.select_option("#kind", "archiveStored")
    expect(events).to_have_count(101)
    visit.page.fill("#text", "edit")
    expect(events).to_have_count(1)
    mock.emit(mock.photos, mock.story, "deviceRegistered")
    mock.emit(mock.photos, mock.story, "archiveStored", scene="editor 2")
    expect(events).to_have_count(2)
    visit.page.wait_for_url("**/live?kind=archiveStored&text=edit")
    visit.page.reload()
    expect(events).to_have_count(2)
    assert visit.page.input_value("#text") == "edit" and visit.page.input_value("#kind") == "archiveStored"
    visit.page.fill("#text", mock.story["id"][:13])
    visit.page.select_option("#kind", "")
    expect(events).to_have_count(200)


def test_a_pause_counts_the_waiting_events(visit, target):
    mock, events = target.mock, live(visit, target)
    expect(events).to_have_count(200)
    visit.page.get_by_role("button", name="Pause").click()
    for _ in range(3):
        mock.emit(mock.photos, mock.story, "deviceRevoked")
    expect(visit.page.locator(".live-status")).to_have_text("Paused: 3 new events wait.")
    assert "was revoked" not in events.first.inner_text()
    visit.page.get_by_role("button", name="Go on").click()
    expect(events.first).to_contain_text("was revoked")
    expect(events).to_have_count(203)


def test_a_new_event_leaves_the_focus_where_it_is(visit, target):
    events = live(visit, target)
    link = events.first.get_by_role("link", name="user")
    link.focus()
    visit.page.evaluate("window.focused = document.activeElement")
    target.mock.emit(target.mock.photos, target.mock.story, "deviceRevoked")
    expect(events.first).to_contain_text("was revoked")
    assert visit.page.evaluate("document.activeElement === window.focused && document.activeElement.localName === 'a'")


def test_the_list_of_events_is_bounded(visit, target):
    mock, events = target.mock, live(visit, target)
    for index in range(600):
        mock.emit(mock.photos, mock.story, "deviceRegistered")
    mock.emit(mock.photos, mock.story, "sceneForgotten")
    expect(events.first).to_contain_text("was forgotten")
    expect(events).to_have_count(500)


def test_a_lost_stream_says_so_and_comes_back_without_gaps(visit, target):
    mock, events = target.mock, live(visit, target)
    mock.is_down = True
    expect(visit.page.locator(".live-status")).to_contain_text("The stream is lost.")
    mock.emit(mock.photos, mock.story, "deviceRevoked")
    mock.is_down = False
    expect(visit.page.locator(".live-status")).to_contain_text("Live.", timeout=15_000)
    expect(events.first).to_contain_text("was revoked")
    expect(events.nth(1)).to_have_text("Answers to devices may be missing here: the stream was lost.")
    expect(events).to_have_count(202)
    expect(visit.page.locator(".banner")).to_have_count(0)


def test_answers_that_a_lost_stream_may_have_missed_are_told_once(visit, target):
    mock, events = target.mock, live(visit, target)
    mock.emit(mock.photos, mock.story, "restoreServed")
    expect(events).to_have_count(201)
    for _ in range(2):
        mock.is_down = True
        expect(visit.page.locator(".live-status")).to_contain_text("The stream is lost.")
        mock.emit(mock.photos, mock.story, "restoreRefused")
        mock.is_down = False
        expect(visit.page.locator(".live-status")).to_contain_text("Live.", timeout=15_000)
    expect(events.first).to_have_text("Answers to devices may be missing here: the stream was lost.")
    expect(events).to_have_count(202)
    mock.emit(mock.photos, mock.story, "restoreRefused")
    expect(events.first).to_contain_text("and got nothing")


def test_answers_that_the_service_has_left_out_are_told(visit, target):
    mock, events = target.mock, live(visit, target)
    mock.emit(mock.photos, mock.story, "missed")
    expect(events.first).to_have_text("Some answers are missing here: too many came at once.")
    visit.page.select_option("#kind", "deviceRevoked")
    expect(events).to_have_count(1)


def test_an_event_of_a_kind_that_names_an_inherited_member_is_shown(visit, target):
    mock, events = target.mock, live(visit, target)
    mock.emit(mock.photos, mock.story, "constructor")
    expect(events.first).to_contain_text("constructor")
    mock.emit(mock.photos, mock.story, "outcomeReported", result="constructor")
    expect(events.first).to_contain_text("reported a restore of an archive")
    assert not visit.faults


def test_events_that_the_service_no_longer_has_are_told(visit, target):
    mock, events = target.mock, live(visit, target)
    mock.is_down = True
    expect(visit.page.locator(".live-status")).to_contain_text("The stream is lost.")
    for _ in range(20):
        mock.emit(mock.photos, mock.story, "deviceRevoked")
    mock.photos["kept"] = len(mock.photos["events"]) - 1
    mock.is_down = False
    expect(events.nth(1)).to_contain_text("Events are missing here: the service no longer has them.", timeout=15_000)
    expect(events.first).to_contain_text("was revoked")


def test_an_expired_session_of_the_stream_leads_to_the_log_in(visit, target):
    mock, events = target.mock, live(visit, target)
    mock.expire_sessions()
    dialog = visit.page.get_by_role("dialog", name="Log in again")
    expect(dialog).to_be_visible(timeout=15_000)
    mock.emit(mock.photos, mock.story, "deviceRevoked")
    dialog.get_by_label("Password", exact=True).fill(PASSWORD)
    visit.page.keyboard.press("Enter")
    expect(events.first).to_contain_text("was revoked", timeout=15_000)
    expect(events).to_have_count(202)


def test_events_that_a_long_absence_has_missed_are_told(visit, target):
    mock, events = target.mock, live(visit, target)
    expect(events).to_have_count(200)
    mock.expire_sessions()
    expect(visit.page.get_by_role("dialog", name="Log in again")).to_be_visible(timeout=15_000)
    for _ in range(250):
        mock.emit(mock.photos, mock.story, "deviceRevoked")
    visit.page.fill("#again-password", PASSWORD)
    visit.page.keyboard.press("Enter")
    expect(events.nth(200)).to_have_text("Events may be missing here: the stream was lost.", timeout=15_000)
    expect(events).to_have_count(402)


def test_the_stream_ends_with_the_view(visit, target):
    live(visit, target)
    visit.page.evaluate("location.hash = '#/service'")
    visit.page.wait_for_selector("[data-panel=about] dl")
    for _ in range(100):
        if target.mock.photos["streams"] == 0:
            return
        visit.page.wait_for_timeout(50)
    raise AssertionError("the stream is still open")


# Undo of a deletion

def delete(visit, target, archive):
    visit.open(scene_of(target.mock) + f"/archives/{archive['id']}")
    visit.page.get_by_role("button", name="Delete…").click()
    expect(visit.page.get_by_role("dialog")).to_contain_text("This can be undone for 30 days.")
    visit.page.get_by_role("dialog").get_by_role("button", name=f"Delete {archive['id'][:8]}").click()
    expect(visit.page.locator(".notice")).to_contain_text("is deleted.")
    assert archive not in target.mock.story["scenes"]["main"]


def test_a_deletion_is_undone_from_its_message(visit, target):
    archive = archive_with(target.mock, "isHead")
    delete(visit, target, archive)
    visit.page.locator(".notice").get_by_role("button", name="Undo").click()
    expect(visit.page.locator(f"#archive-{archive['id']}")).to_be_visible()
    expect(visit.page.locator(".notice")).to_have_text(re.compile("is back"))
    expect(visit.page.get_by_role("heading", level=1)).to_be_focused()
    assert archive in target.mock.story["scenes"]["main"]


def test_a_deletion_is_undone_from_the_timeline(visit, target):
    archive = archive_with(target.mock, "hasScreenshot")
    delete(visit, target, archive)
    visit.page.reload()
    visit.settle()
    assert not any("deleted-archives" in url for url in visit.requests)
    visit.page.get_by_text("Deleted archives", exact=True).click()
    row = visit.page.locator("[data-panel=deleted] tbody tr")
    expect(row).to_contain_text("(for 29 more days)")
    expect(row).to_contain_text(re.compile("Anna’s iPhone.* as iPhone, compact, version 42"))
    row.get_by_role("button", name=f"Undo the deletion of {archive['id'][:8]}").click()
    expect(visit.page.locator(f"#archive-{archive['id']}")).to_be_visible()
    expect(visit.page.get_by_role("heading", level=1)).to_be_focused()
    assert archive in target.mock.story["scenes"]["main"]


def test_a_later_act_takes_back_an_offer_to_undo(visit, target):
    archive = archive_with(target.mock, "hasScreenshot")
    delete(visit, target, archive)
    visit.page.get_by_text("Deleted archives", exact=True).click()
    visit.page.locator("[data-panel=deleted] tbody tr").get_by_role("button", name=f"Undo the deletion of {archive['id'][:8]}").click()
    expect(visit.page.locator(".notice")).to_have_text(re.compile("is back"))
    expect(visit.page.locator(".notice")).to_have_count(1)


def test_a_failure_goes_with_its_view(visit, target):
    archive = archive_with(target.mock, "isLate")
    delete(visit, target, archive)
    target.mock.quota_is_full = True
    visit.page.locator(".notice").get_by_role("button", name="Undo").click()
    expect(visit.page.locator(".notice.bad")).to_be_visible()
    visit.open("#/service")
    expect(visit.page.locator(".notice.bad")).to_have_count(0)


def test_a_refused_undo_says_why(visit, target):
    archive = archive_with(target.mock, "isLate")
    delete(visit, target, archive)
    target.mock.quota_is_full = True
    visit.page.locator(".notice").get_by_role("button", name="Undo").click()
    expect(visit.page.locator(".notice.bad")).to_contain_text("The user's quota has no room for the archive.")
    target.mock.quota_is_full = False
    visit.page.locator(".notice.good").get_by_role("button", name="Undo").click()
    expect(visit.page.locator(f"#archive-{archive['id']}")).to_be_visible()


def test_a_viewer_sees_deleted_archives_and_cannot_undo(browser, target):
    mock = target.mock
    mock.story["deleted"]["main"] = [mock.deleted(mock.story["scenes"]["main"].pop())]
    visit = Visit(browser.new_context(), target).log_in("viewer")
    visit.open(scene_of(mock))
    visit.page.get_by_text("Deleted archives", exact=True).click()
    expect(visit.page.get_by_role("button", name="Undo the deletion")).to_be_disabled()
    assert not visit.faults


# Identity

def test_a_data_source_shows_its_declaration(visit, target):
    visit.open(user_of(target.mock) + "/data-sources")
    rows = visit.page.locator("table tbody tr")
    expect(rows.nth(0)).to_contain_text(re.compile(r"registered\s+selects neighbors\s+unique: isbn, server"))
    expect(rows.nth(1)).to_contain_text("shared")
    expect(rows.nth(1)).not_to_contain_text("unique")
    expect(rows.nth(1)).not_to_contain_text("selects neighbors")
    expect(rows.nth(2)).to_contain_text("not declared")


def test_a_removed_item_names_its_replacement_and_its_ambiguous_aliases(visit, target):
    visit.open(user_of(target.mock) + "/data-sources/photos")
    row = visit.page.locator("[data-panel=items] tbody tr").nth(1)
    expect(row).to_contain_text(re.compile(r"removed\s+replaced by\s+p2"))
    expect(row).to_contain_text(re.compile(r"ambiguous\s+p1"))
    row.get_by_role("link", name="p2").click()
    expect(visit.page.get_by_role("heading", level=1)).to_contain_text("p2")


def test_an_ended_decision_says_so(visit, target):
    item = lambda index: {"device": target.mock.story["devices"][index]["id"], "identifier": "p1"}
    target.mock.story["decisions"] += [{"kind": "same", "first": item(0), "second": item(1), "note": note, "decidedAt": "2026-01-01T00:00:00.000Z",
                                        "hasEnded": note == "before"} for note in ("before", "after")]
    visit.open(user_of(target.mock) + "/data-sources/photos")
    visit.page.get_by_text("Decisions", exact=True).click()
    rows = visit.page.locator("[data-panel=decisions] ul.decisions > li")
    expect(rows.nth(0)).to_contain_text(re.compile(r"the same\s+ended"))
    expect(rows.nth(0)).to_contain_text("no longer counts")
    expect(rows.nth(1)).not_to_contain_text("ended")


# Files that cannot be loaded

def test_a_view_whose_file_cannot_be_loaded_is_told_apart_from_a_service_that_is_away(visit, target):
    visit.page.route("**/views-health.js", lambda route: route.abort())
    visit.page.goto(target.url + "/admin/" + app_of(target.mock) + "/health")
    visit.page.reload()
    expect(visit.page.locator("main .failure")).to_contain_text("could not be loaded, although the service answers")
    expect(visit.page.locator(".banner")).to_have_count(0)
    visit.page.unroute("**/views-health.js")
    visit.page.get_by_role("button", name="Try again").click()
    expect(visit.page.locator("[data-panel=switches]")).to_be_visible()
    visit.faults.clear()


def test_a_page_that_cannot_start_says_whether_the_service_is_away(visit, target):
    visit.page.route("**/router.js", lambda route: route.abort())
    visit.page.reload()
    expect(visit.page.get_by_role("alert")).to_contain_text("could not be loaded, although the service answers")
    visit.page.route("**/admin/api/status", lambda route: route.abort())
    visit.page.reload()
    expect(visit.page.get_by_role("alert")).to_contain_text("The service does not answer.")
    visit.faults.clear()
