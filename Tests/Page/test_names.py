"""Names before ids: titles of places, devices with equal names, contexts of compared archives, with the stand-in of mock.py."""

import re

from playwright.sync_api import expect

from test_operations import live
from test_page import scene_of, user_of


def test_titles_are_shown_and_hidden_ones_are_counted(visit, target):
    archives = target.mock.story["scenes"]["main"]
    visit.open(scene_of(target.mock))
    expect(visit.page.locator(".entry .trail").first).to_have_text("Albums›Lisbon›Pastéis de Nata")
    for archive in archives:
        archive["place"] = ["…"] * len(archive["place"])
    visit.page.reload()
    expect(visit.page.locator(".entry .trail").first).to_have_text("A place of 3 steps. Its titles are hidden.")


def test_devices_with_one_name_are_told_apart_by_model_use_and_id(visit, target):
    phone, pad, mac = target.mock.story["devices"]
    mac |= {"name": phone["name"], "model": "iPhone15,2"}
    visit.open(scene_of(target.mock) + f"?device={mac['id']}")
    options = visit.page.locator("#asking option").all_inner_texts()
    assert options[:3] == [f"Anna’s iPhone (iPhone16,1, {phone['id'][:8]}) · used 3 minutes ago", "iPad in the kitchen",
                           f"Anna’s iPhone (iPhone15,2, {mac['id'][:8]}) · used 2 days ago"]
    expect(visit.page.locator(".callout").first).to_contain_text(f"Anna’s iPhone(iPhone15,2, {mac['id'][:8]}) gets")
    link = visit.page.locator(".entry .device-link").first
    assert link.inner_text().count(phone["id"][:8]) == 1
    # The name of one device alone needs no more.
    mac["name"] = "Studio"
    visit.page.reload()
    expect(visit.page.locator("#asking option").first).to_have_text("Anna’s iPhone")


def test_the_differences_show_versions_and_layouts(visit, target):
    archives = target.mock.story["scenes"]["main"]
    mac = next(one for one in archives if one["context"]["bundleVersion"] == "43")
    phone = next(one for one in archives if one["context"]["idiom"] == "phone")
    phone["context"] = {key: value for key, value in phone["context"].items() if key != "systemVersion"} | {"stateVersion": 3}
    visit.open(scene_of(target.mock) + f"/archives/{mac['id']}/diff?with={phone['id']}")
    facts = lambda panel: [re.sub(r"\s+", " ", text) for text in visit.page.locator(f"[data-panel={panel}] dl > div").all_inner_texts()]
    expect(visit.page.locator("[data-panel=newer] dl")).to_be_visible()
    assert facts("older")[2:7] == ["Kind Mac differs", "Layout regular differs", "Version 43 differs", "System 17.4 differs", "State version not given differs"]
    assert facts("newer")[2:7] == ["Kind iPhone differs", "Layout compact differs", "Version 42 differs", "System not given differs", "State version 3 differs"]
    other = next(one for one in archives if one["context"]["idiom"] == "phone" and one is not phone)
    phone["context"] = other["context"]
    visit.open(scene_of(target.mock) + f"/archives/{other['id']}/diff?with={phone['id']}")
    expect(visit.page.locator("[data-panel=newer] dl")).not_to_contain_text("differs")


def test_the_events_name_the_devices_on_request(visit, target):
    events = live(visit, target)
    expect(events).to_have_count(200)
    asked = lambda: [url for url in visit.requests if url.endswith(f"/users/{target.mock.story['id']}")]
    assert not asked()
    expect(events.first).not_to_contain_text("Anna’s iPhone")
    visit.page.get_by_role("button", name="Name the devices").click()
    expect(events.filter(has_text="Anna’s iPhone")).not_to_have_count(0)
    expect(events.first).to_contain_text("anna@example.com")
    visit.page.get_by_role("button", name="Name the devices").click()
    target.mock.emit(target.mock.photos, target.mock.story, "archiveStored")
    expect(events.first).to_contain_text("Anna’s iPhone")
    assert len(asked()) == 1


def test_an_erased_user_does_not_keep_others_from_being_named(visit, target):
    events = live(visit, target)
    erased = dict(target.mock.story, id="00000000-0000-4000-8000-000000000000", devices=[dict(target.mock.story["devices"][0], id="00000000-0000-4000-8000-000000000001")])
    target.mock.emit(target.mock.photos, erased, "archiveStored")
    expect(events).to_have_count(201)
    visit.page.get_by_role("button", name="Name the devices").click()
    expect(events.filter(has_text="Anna’s iPhone")).not_to_have_count(0)
    expect(visit.page.locator(".notice")).to_have_count(0)
