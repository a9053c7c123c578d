#!/usr/bin/env python3
"""A stand-in of the admin API in memory, for the tests of the admin page alone: it serves Public/ and generated data.

    Tests/Page/mock.py [PORT]        log in as `owner`, `operator` or `viewer`, with the password `password-1`
"""

import copy
import json
import pathlib
import re
import secrets
import sys
import threading
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

from data import HOSTILE, SETTINGS, Generator, inspection, now, text

PUBLIC = pathlib.Path(__file__).resolve().parents[2] / "Public"
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
          "require-trusted-types-for 'script'; trusted-types 'none'; report-uri /csp-report")
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}
RANKS = ["viewer", "operator", "owner"]
# The least role of each operation that a viewer may not use, from the table of the service's routes.
ROLES = dict(re.findall(r'"(\w+)",\s+\.(?:role|app|user)\(\.(operator|owner)\)', (PUBLIC.parent / "Sources/PlacekeeperServer/Routes/Route+All.swift").read_text()))
PASSWORD = "password-1"
SET_UP_SECRET = "set-up-secret/1"
# The code of every second factor.
CODE = "123456"
PAGE = 50


class Refusal(Exception):
    def __init__(self, status, code, title, detail="", **fields):
        self.status, self.fields = status, fields
        self.document = {"type": f"/openapi.yaml#/x-problems/{code}", "title": title, "status": status, "detail": detail, "code": code}


def merge(target, patch):
    for key, value in patch.items():
        if isinstance(value, dict):
            merge(target.setdefault(key, {}), value)
        elif value is None:
            target.pop(key, None)
        else:
            target[key] = value


class Mock:
    """The state of the stand-in. Tests change it while the page is open."""

    def __init__(self):
        self.lock = threading.RLock()
        self.generator = Generator(now())
        self.needs_set_up = False
        self.sessions, self.roles = {}, dict(ROLES)
        self.reports, self.requests, self.failures = [], [], {}
        self.is_down = self.is_stopped = self.quota_is_full = False
        self.ambiguous = 3
        self.readiness = 200, "text/plain", "ok\nSQLite 3.40.1\n"
        self.about = {}
        self.changed = threading.Condition()
        self.administrators = [{"id": self.generator.id(), "name": role, "role": role, "createdAt": text(now()), "password": PASSWORD} for role in reversed(RANKS)]
        self.tokens = [{"id": self.generator.id(), "label": "nightly report", "role": "viewer", "createdAt": text(now()), "expiresAt": text(now() + timedelta(days=60))},
                       {"id": self.generator.id(), "label": HOSTILE["markup"], "role": "operator", "createdAt": text(now())}]
        self.apps = []
        self.log = [{"number": number, "at": text(now()), "actor": "administrator owner", "action": "logged-in", "detail": ""} for number in range(1, 4)]
        self.story = self.generator.story()
        # The list of users begins with it.
        self.story["lastSeenAt"] = text(now())
        self.hostile = self.generator.hostile_user()
        self.photos = self.add_app("com.example.photos", [self.story, *(self.generator.plain_user() for _ in range(120))])
        self.empty = self.add_app("com.example.notes", [])
        self.weird = self.add_app(HOSTILE["markup"], [self.hostile])
        self.photos["health"] = self.generator.health(self.story)
        self.weird["health"] = self.generator.health(self.hostile, HOSTILE["markup"])
        self.photos["dry_run"], self.weird["dry_run"] = self.generator.dry_run(self.story), self.generator.dry_run(self.hostile, HOSTILE["markup"])
        for name in self.hostile["scenes"]:
            self.hostile["deleted"][name] = [self.deleted(one) for one in self.hostile["scenes"][name][:1]]
        for index in range(70):
            self.answer(self.story, self.story["devices"][index % 3], 70 - index)
        self.answer(self.hostile, self.hostile["devices"][1], 1, bundleVersion=HOSTILE["markup"])
        for index in range(260):
            self.emit(self.photos, self.story, ["archiveStored", "outcomeReported", "archiveStored", "deviceRegistered"][index % 4], ago=(260 - index) * 3)
        for kind in ("archiveStored", "archiveDeleted", "sceneForgotten", "outcomeReported", "deviceRegistered", "deviceRevoked", "restoreRefused", "kindOfTomorrow"):
            self.emit(self.weird, self.hostile, kind, scene=HOSTILE["markup"])

    def add_app(self, bundle, users):
        app = {"id": self.generator.id(), "bundleIdentifier": bundle, "publishableKey": "pk_" + secrets.token_urlsafe(16), "createdAt": text(now()),
               "settings": copy.deepcopy(SETTINGS), "users": users, "tag": 1, "audit": [], "events": [], "kept": 0, "streams": 0, "posted": [],
               "health": {"reports": 0, "isSample": False, "restores": [], "paths": [], "failures": [], "breaker": {"mode": "alert", "pairs": []}},
               "dry_run": {"answers": 0, "unchanged": 0, "unchangedReasons": [], "changes": []}}
        self.apps.append(app)
        for index in range(130 if users else 0):
            app["audit"].append({"number": index + 1, "at": text(self.generator.ago(minutes=9 * (130 - index))), "actor": "command root" if index % 3 else "user",
                                 "action": ["shown", "exported", "signed-in", "settings-changed"][index % 4], "about": f"{index:064x}",
                                 "detail": HOSTILE["bidi"] if index % 50 == 49 else "scene main" if index % 4 != 3
                                 else "policy.maximumAge: 30d to 14d; policy.acceptedIdioms.pad; policy.minimumBundleVersion: none to 41"})
        return app

    def expire_sessions(self):
        with self.lock:
            self.sessions.clear()

    def emit(self, app, user, kind, scene="main", ago=0, **more):
        """Adds an event of an app, which the streams send."""
        archives = next(iter(user["scenes"].values()))
        parts = {"archiveStored": ("scene", "archive", "device"), "archiveDeleted": ("scene", "archive", "device"), "sceneForgotten": ("scene",), "outcomeReported": ("scene", "archive", "device"),
                 "missed": (), "restoreServed": ("scene", "archive", "device", "asked"),
                 "restoreRefused": ("scene", "device", "asked", "reasons")}.get(kind, ("device",))
        whole = {"scene": scene, "archive": archives[0]["id"], "device": user["devices"][0]["id"], "asked": {"idiom": "phone", "bundleVersion": "42"},
                 "reasons": with_texts([{"code": "bundle-version-newer", "archive": "43", "required": "42", "blocks": "full"}, {"code": "no-place", "blocks": "place"}])}
        with self.lock:
            app["events"].append({"kind": kind, "at": text(now() - timedelta(seconds=ago)), "user": user["id"]} | {part: whole[part] for part in parts} | more)

    def deleted(self, archive):
        return {"at": text(now() - timedelta(days=2)), "until": text(now() + timedelta(days=28)), "archive": archive}

    def answer(self, user, device, minutes, archives=None, scene="main", **asked):
        """Logs the answer that a device got some minutes ago. It is the newest answer."""
        asked = {"idiom": device["idiom"], "bundleVersion": "42"} | asked
        candidates, served = judged(archives or user["scenes"][scene], asked, [], 16)
        logged = [{"archive": one["archive"]["id"], "capturedAt": one["archive"]["capturedAt"], "context": one["archive"]["context"],
                   "reasons": [{"code": reason["code"], "text": reason["text"]} for reason in one["reasons"]]} | ({} if one["fidelity"] == "none" else {"fidelity": one["fidelity"]}) for one in candidates]
        user["answers"].insert(0, {"at": text(now() - timedelta(minutes=minutes)), "device": device["id"], "scene": scene, "asked": asked, "candidates": logged,
                                   "served": served and {"archive": served["archive"]["id"], "fidelity": served["fidelity"]},
                                   "held": False, "repeats": 0, "lastAt": text(now() - timedelta(minutes=minutes)), "omitted": 0})

    def change_settings(self, app, **policy):
        """Saves settings as another administrator."""
        with self.lock:
            app["settings"]["policy"].update(policy)
            app["tag"] += 1


def subject(mock, request, app, user):
    """The subject of a user, where the administrator may see it."""
    users = find(mock.apps, "id", app, "app")["users"]
    known = next((one["subject"] for one in users if one["id"] == user), None)
    return {"subject": known} if known and request.administrator["role"] != "viewer" else {}


def usage(app):
    archives = [archive for user in app["users"] for scene in user["scenes"].values() for archive in scene]
    return {"users": len(app["users"]), "devices": sum(len(user["devices"]) for user in app["users"]), "archives": len(archives),
            "bytes": sum(archive["size"] for archive in archives)}


def shown_app(app, settings=False):
    result = {key: app[key] for key in ("id", "bundleIdentifier", "publishableKey", "createdAt")} | {"restoration": app["settings"]["restoration"], "usage": usage(app)}
    result |= {"beingDeleted": True} if app.get("beingDeleted") else {}
    return result | ({"settings": app["settings"]} if settings else {})


def find(items, key, value, what):
    for item in items:
        if item[key] == value:
            return item
    raise Refusal(404, "not-found", f"There is no such {what}")


def public(record):
    hidden = ("password", "invitation", "secondFactor")
    shown = {key: value for key, value in record.items() if key not in hidden and value is not None}
    return shown | ({"hasSecondFactor": "secondFactor" in record} if "role" in record and "name" in record else {})


def wire_archive(entry):
    return {key: value for key, value in entry.items() if key not in ("isHead", "isLate", "isViewOnly", "isBelowAllWork", "quarantines", "outcomes")}


def page(items, query):
    start, limit = int(query.get("cursor", 0)), min(100, int(query.get("limit", PAGE)))
    result = {"items": items[start:start + limit]}
    return result | ({"next": str(start + limit)} if start + limit < len(items) else {})


class Routes:
    """The operations by their method and path."""

    table = []

    @classmethod
    def on(cls, method, pattern, role="viewer"):
        expression = re.compile("^" + re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", pattern) + "$")
        return lambda function: cls.table.append((method, expression, role, function)) or function


on = Routes.on
USER = "/apps/{app}/users/{user}"
ARCHIVES = USER + "/scenes/{scene}/archives"


@on("GET", "/status", None)
def status(mock, request):
    return {"needsSetUp": mock.needs_set_up, "version": "0.1.0"}


@on("POST", "/set-up", None)
def set_up(mock, request):
    body = request.body()
    if body["secret"] != SET_UP_SECRET or not mock.needs_set_up:
        raise Refusal(403, "set-up-refused", "The set-up is refused")
    mock.needs_set_up = False
    mock.administrators = [{"id": mock.generator.id(), "name": body["name"], "role": "owner", "createdAt": text(now()), "password": body["password"]}]
    return request.log_in(mock.administrators[0])


@on("POST", "/session", None)
def log_in(mock, request):
    body = request.body()
    for one in mock.administrators:
        if one["name"] == body["name"] and one["password"] == body["password"]:
            check_code(one, body)
            return request.log_in(one)
    raise Refusal(401, "log-in-refused", "The log-in was refused", "The name or the password is wrong.")


def check_code(one, body):
    """The stand-in accepts one code, and does not know the time."""
    if "secondFactor" not in one:
        return
    if "code" not in body:
        raise Refusal(401, "second-factor-required", "A code of the second factor is required")
    if body["code"] not in (CODE, *one["secondFactor"]):
        raise Refusal(401, "log-in-refused", "The log-in was refused", "The code is wrong, or was used before.")


@on("POST", "/invitation", None)
def accept_invitation(mock, request):
    body = request.body()
    for one in mock.administrators:
        if one.get("invitation") == body["invitation"]:
            check_code(one, body)
            del one["invitation"]
            one["password"] = body["password"]
            return request.log_in(one)
    raise Refusal(403, "set-up-refused", "The set-up link is not valid", "The link was used, is old, or is incomplete.")


@on("POST", "/administrators/{id}/invitation", "owner")
def invite(mock, request, id):
    one = find(mock.administrators, "id", id, "administrator")
    one |= {"invitation": f"{id}.{mock.generator.id()}", "password": None}
    return 201, {"path": "/admin/#/invitation/" + one["invitation"], "invitation": one["invitation"], "expiresAt": text(now())}


@on("PUT", "/session/second-factor")
def add_second_factor(mock, request):
    body = request.body()
    if body["code"] != CODE or len(body["secret"]) != 32:
        raise Refusal(422, "invalid-body", "A member of the body is missing or invalid", "The code is wrong.")
    request.administrator["secondFactor"] = [f"aaaa-bbbb-cccc-{number}" for number in range(1000, 1010)]
    return {"recoveryCodes": request.administrator["secondFactor"]}


@on("POST", "/session/second-factor/removal")
def remove_second_factor(mock, request):
    request.administrator.pop("secondFactor", None)


@on("GET", "/sessions")
def list_sessions(mock, request):
    items = [{"id": secret, "administrator": each["administrator"]["id"], "name": each["administrator"]["name"], "createdAt": text(now()),
              "lastUsedAt": text(now()), "isCurrent": secret == request.cookie()} for secret, each in mock.sessions.items()]
    return {"items": items}


@on("DELETE", "/sessions/{id}")
def end_session(mock, request, id):
    mock.sessions.pop(id, None)


@on("GET", "/session")
def session(mock, request):
    return request.session_document()


@on("DELETE", "/session")
def log_out(mock, request):
    mock.sessions.pop(request.cookie(), None)


@on("PUT", "/session/password")
def change_password(mock, request):
    body, who = request.body(), request.administrator
    if body["password"] != who["password"]:
        raise Refusal(422, "invalid-body", "A member of the body is missing or invalid", "The password is wrong.")
    who["password"] = body["newPassword"]


@on("GET", "/administrators", "owner")
def administrators(mock, request):
    return page([public(one) for one in mock.administrators], request.query)


@on("POST", "/administrators", "owner")
def add_administrator(mock, request):
    mock.administrators.append({"id": mock.generator.id(), "createdAt": text(now())} | request.body())
    one = mock.administrators[-1]
    return 201, public(one) | ({} if "password" in one else {"invitation": invite(mock, request, one["id"])[1]})


@on("PATCH", "/administrators/{id}", "owner")
def change_administrator(mock, request, id):
    one = find(mock.administrators, "id", id, "administrator")
    owners = [other for other in mock.administrators if other["role"] == "owner"]
    if owners == [one] and request.body().get("role", "owner") != "owner":
        raise Refusal(409, "last-owner", "The last owner stays", "Make another administrator an owner first.")
    body = request.body()
    if body.pop("hasSecondFactor", True) is False:
        one.pop("secondFactor", None)
    one.update(body)
    return public(one)


@on("DELETE", "/administrators/{id}", "owner")
def remove_administrator(mock, request, id):
    one = find(mock.administrators, "id", id, "administrator")
    if [other for other in mock.administrators if other["role"] == "owner"] == [one]:
        raise Refusal(409, "last-owner", "The last owner stays", "Make another administrator an owner first.")
    mock.administrators.remove(one)


@on("GET", "/tokens", "owner")
def tokens(mock, request):
    return page(mock.tokens, request.query)


@on("POST", "/tokens", "owner")
def add_token(mock, request):
    body = request.body()
    mock.tokens.append({"id": mock.generator.id(), "label": body["label"], "role": body["role"], "createdAt": text(now())})
    return 201, mock.tokens[-1] | {"token": "pka_" + secrets.token_urlsafe(32)}


@on("DELETE", "/tokens/{id}", "owner")
def remove_token(mock, request, id):
    mock.tokens.remove(find(mock.tokens, "id", id, "token"))


@on("GET", "/apps")
def apps(mock, request):
    return page([shown_app(app) for app in mock.apps], request.query)


@on("POST", "/apps", "owner")
def add_app(mock, request):
    return 201, shown_app(mock.add_app(request.body()["bundleIdentifier"], []), settings=True)


@on("GET", "/apps/{app}")
def app(mock, request, app):
    found = find(mock.apps, "id", app, "app")
    request.extra["ETag"] = f'"{found["tag"]}"'
    return shown_app(found, settings=True)


@on("DELETE", "/apps/{app}", "owner")
def delete_app(mock, request, app):
    found = find(mock.apps, "id", app, "app")
    if request.query["confirm"] != found["bundleIdentifier"]:
        raise Refusal(400, "malformed-query", "A query parameter is malformed")
    found["beingDeleted"] = True
    return 202, b""


@on("PATCH", "/apps/{app}/settings", "owner")
def change_settings(mock, request, app):
    found = find(mock.apps, "id", app, "app")
    if request.headers.get("If-Match") != f'"{found["tag"]}"':
        raise Refusal(412, "settings-changed", "The settings were changed", "Somebody else changed the settings after you read them. Read them again, and repeat your change.", ETag=f'"{found["tag"]}"')
    merge(found["settings"], request.body())
    found["tag"] += 1
    request.extra["ETag"] = f'"{found["tag"]}"'
    return shown_app(found, settings=True)


@on("PUT", "/apps/{app}/stopped-restores", "operator")
def replace_stopped_restores(mock, request, app):
    return change_settings(mock, request, app)


@on("GET", "/apps/{app}/overview")
def overview(mock, request, app):
    found, hours = find(mock.apps, "id", app, "app"), int(request.query["hours"])
    generator = Generator(now())
    series = generator.series(hours, HOSTILE["markup"] if found is mock.weird else None) if found["users"] else []
    each = {24: 1, 168: 3, 720: 24}[hours]
    columns = lambda counts: [sum(counts[start:start + each]) for start in range(0, hours, each)]
    series = [one | {"counts": columns(one["counts"])} for one in series]
    latency = generator.latency(hours)
    latency["series"] = [columns(counts) for counts in latency["series"]]
    return {"from": text(now() - timedelta(hours=hours)), "to": text(now()), "columnHours": each, "series": series, "latency": latency, "usage": usage(found),
            "outcomesBefore": {"restored": 900, "failed": 40, "crashed": 10}, "waitingForFirstDevice": not any(user["devices"] for user in found["users"])}


def selected(entries, query):
    """The entries of an audit log that a query selects, the newest first."""
    kinds = {"shown": "reads", "logged-in": "log-ins", "signed-in": "log-ins", "log-in-failed": "log-ins"}
    entries = [entry | {"kind": kinds.get(entry["action"], "changes")} for entry in reversed(entries)]
    return [entry for entry in entries if all(query.get(key) in (None, entry[key]) for key in ("kind", "action")) and entry["at"].startswith(query.get("day", ""))
            and query.get("actor") in (None, entry["actor"], entry["actor"].split(" ", 1)[-1])]


@on("GET", "/apps/{app}/audit")
def audit(mock, request, app):
    return page(selected(find(mock.apps, "id", app, "app")["audit"], request.query), request.query)


@on("GET", "/audit", "owner")
def service_audit(mock, request):
    return page(selected(mock.log, request.query), request.query)


@on("GET", "/apps/{app}/users")
def users(mock, request, app):
    query = request.query
    fits = {"signedIn": lambda user: str(user["signedIn"]).lower(), "idiom": lambda user: user["devices"][0]["idiom"], "failed": lambda user: str(user.get("failed", False)).lower(),
            "overQuota": lambda user: str(user.get("overQuota", False)).lower(), "version": lambda user: next(iter(user["scenes"].values()))[0]["context"]["bundleVersion"]}
    items = [{"id": user["id"], "signedIn": user["signedIn"], "devices": len(user["devices"]), "createdAt": user["createdAt"], "lastSeenAt": user["lastSeenAt"],
              "archives": sum(map(len, user["scenes"].values())), "bytes": sum(one["size"] for scene in user["scenes"].values() for one in scene)}
             | ({"subject": user["subject"]} if user["subject"] and request.administrator["role"] != "viewer" else {})
             for user in find(mock.apps, "id", app, "app")["users"] if all(query.get(key) in (None, value(user)) for key, value in fits.items())]
    order = {"bytes": lambda item: -item["bytes"], "id": lambda item: item["id"]}.get(query.get("sort"))
    return page(sorted(items, key=order) if order else sorted(items, key=lambda item: item["lastSeenAt"], reverse=True), query)


@on("GET", "/apps/{app}/find")
def find_text(mock, request, app):
    wanted, items = request.query["text"], []
    for user in find(mock.apps, "id", app, "app")["users"]:
        if wanted in (user["id"], user["subject"]):
            items.append({"kind": "user", "user": user["id"]})
        items += [{"kind": "device", "user": user["id"], "device": one["id"]} for one in user["devices"] if one["id"] == wanted]
        items += [{"kind": "archive", "user": user["id"], "scene": scene, "archive": one["id"]}
                  for scene, archives in user["scenes"].items() for one in archives if one["id"] == wanted]
        items += [{"kind": "item", "user": user["id"], "device": user["devices"][0]["id"], "dataSource": "photos", "identifier": wanted} for _ in range(user.get("found", {}).get(wanted, 0))]
    return page([one | subject(mock, request, app, one["user"]) for one in items], request.query)


def user_of(mock, app, user):
    return find(find(mock.apps, "id", app, "app")["users"], "id", user, "user")


@on("GET", USER)
def user(mock, request, app, user):
    found = user_of(mock, app, user)
    scenes = [{"name": name, "archives": len(archives)} | ({"head": wire_archive(next((one for one in archives if one["isHead"]), archives[0]))} if archives
              else {"forgottenAt": text(now())}) for name, archives in found["scenes"].items()]
    return public({key: found[key] for key in ("id", "subject", "signedIn", "createdAt", "lastSeenAt", "devices")}) | {
        "archives": sum(map(len, found["scenes"].values())), "bytes": 123_456, "scenes": scenes}


@on("DELETE", USER, "owner")
def erase(mock, request, app, user):
    find(mock.apps, "id", app, "app")["users"].remove(user_of(mock, app, user))


@on("GET", USER + "/export", "operator")
def export(mock, request, app, user):
    return 200, json.dumps({"user": user_of(mock, app, user)["id"]}).encode() + b"\n", "application/x-ndjson"


@on("DELETE", USER + "/devices/{device}", "operator")
def revoke(mock, request, app, user, device):
    devices = user_of(mock, app, user)["devices"]
    devices.remove(find(devices, "id", device, "device"))


def scene_of(mock, app, user, scene):
    return user_of(mock, app, user)["scenes"].get(scene, [])


@on("GET", ARCHIVES)
def archives(mock, request, app, user, scene):
    return page(scene_of(mock, app, user, scene), request.query)


def archive_of(mock, app, user, scene, archive):
    return find(scene_of(mock, app, user, scene), "id", archive, "archive")


def hostile_text(mock, user):
    return HOSTILE["markup"] if user == mock.hostile["id"] else None


@on("GET", ARCHIVES + "/{archive}")
def archive(mock, request, app, user, scene, archive):
    found, hostile = archive_of(mock, app, user, scene, archive), hostile_text(mock, user)
    redacted = request.administrator["role"] == "viewer"
    context = {"idiom": "phone", "bundleVersion": "42", "systemVersion": "17.4"}
    outcomes = [{"device": found["device"], "result": word, "context": context, "reportedAt": found["receivedAt"], "duration": 0.182}
                | ({"path": hostile or "Tabs/Albums/Photo", "step": 2} if word in ("failed", "crashed") else {})
                for word, count in found["outcomes"].items() for _ in range(count)]
    item = hostile or "x-coredata://7F2C/Photo/p128"
    return {"archive": found, "outcomes": outcomes, "isRedacted": redacted, "inspection": inspection(found, redacted, hostile),
            "sizes": [{"key": hostile or "Tabs/Albums/Photo/thumbnail", "bytes": 41_200}, {"key": "draft", "bytes": 5_100}, {"key": "Placekeeper.place", "bytes": 812},
                      *({"key": f"key {index}", "bytes": 700 - index} for index in range(25))],
            "references": [{"index": 0, "dataSource": "albums", "identifier": "a3", "aliases": ["server:album/lisbon"], "role": "selected"},
                           {"index": 1, "dataSource": "photos", "identifier": item, "aliases": ["sha256:4fb3a1", hostile or "name:tram"], "role": "selected"},
                           {"index": 2, "dataSource": "photos", "aliases": [], "role": "firstVisible"}]}


@on("GET", ARCHIVES + "/{archive}/content", "operator")
def content(mock, request, app, user, scene, archive):
    archive_of(mock, app, user, scene, archive)
    return 200, b"bplist00"


@on("GET", ARCHIVES + "/{archive}/screenshot")
def screenshot(mock, request, app, user, scene, archive):
    return 200, b'<svg xmlns="http://www.w3.org/2000/svg" width="200" height="400"><rect width="200" height="400" fill="teal"/></svg>', "image/svg+xml"


@on("GET", ARCHIVES + "/{archive}/diff")
def difference(mock, request, app, user, scene, archive):
    first, second = archive_of(mock, app, user, scene, archive), archive_of(mock, app, user, scene, request.query["with"])
    if first is second:
        return {"changes": [], "isRedacted": False}
    hostile = hostile_text(mock, user)
    return {"isRedacted": False, "changes": [
        {"kind": "changed", "section": "Top Level", "key": "UIApplicationStateRestorationTimestamp", "path": "Top Level/UIApplicationStateRestorationTimestamp", "before": {"date": first["capturedAt"]}, "after": {"date": second["capturedAt"]}},
        {"kind": "changed", "section": "[View Controller] Tabs/Albums/Photo", "key": "draft", "path": "[View Controller] Tabs/Albums/Photo/draft", "before": hostile or "A quiet", "after": "A quiet afternoon"},
        {"kind": "added", "path": hostile or "Place/3 photo", "section": "Place", "after": {"title": "Tram 28"}},
        {"kind": "removed", "section": "[View] Tabs/Albums/Album/Grid", "key": "selection", "path": "[View] Tabs/Albums/Album/Grid/selection", "before": [{"reference": 1}]}]}


@on("POST", ARCHIVES + "/{archive}/head", "operator")
def make_head(mock, request, app, user, scene, archive):
    items = scene_of(mock, app, user, scene)
    found = archive_of(mock, app, user, scene, archive)
    for one in items:
        one["isHead"] = False
    items.insert(0, found | {"id": mock.generator.id(), "revision": 99, "capturedAt": text(now()), "receivedAt": text(now()), "isHead": True, "isLate": False, "isViewOnly": False, "isBelowAllWork": False, "quarantines": []})
    return 201, wire_archive(items[0])


@on("DELETE", ARCHIVES + "/{archive}", "operator")
def delete(mock, request, app, user, scene, archive):
    found = archive_of(mock, app, user, scene, archive)
    scene_of(mock, app, user, scene).remove(found)
    kept = mock.deleted(found) | {"at": text(now()), "until": text(now() + timedelta(days=30))}
    user_of(mock, app, user)["deleted"].setdefault(scene, []).insert(0, kept)
    return {"undoableUntil": kept["until"]}


@on("GET", USER + "/scenes/{scene}/deleted-archives")
def deleted_archives(mock, request, app, user, scene):
    return {"items": [{"archive": one["archive"]["id"], "deletedAt": one["at"], "undoableUntil": one["until"], "capturedAt": one["archive"]["capturedAt"],
                       "device": one["archive"]["device"], "context": one["archive"]["context"], "byteCount": one["archive"]["size"]} for one in user_of(mock, app, user)["deleted"].get(scene, [])]}


@on("POST", ARCHIVES + "/{archive}/undelete", "operator")
def undelete(mock, request, app, user, scene, archive):
    deleted = user_of(mock, app, user)["deleted"].get(scene, [])
    kept = next((one for one in deleted if one["archive"]["id"] == archive), None)
    if kept is None:
        raise Refusal(404, "archive-not-found", "The archive does not exist")
    if mock.quota_is_full:
        raise Refusal(409, "undo-refused", "The deletion can no longer be undone", "The user's quota has no room for the archive.")
    deleted.remove(kept)
    scene_of(mock, app, user, scene).append(kept["archive"])
    scene_of(mock, app, user, scene).sort(key=lambda one: one["capturedAt"], reverse=True)
    return kept["archive"]


@on("GET", "/apps/{app}/health")
def health(mock, request, app):
    hours = int(request.query["hours"])
    if hours not in (24, 168, 720):
        raise Refusal(400, "malformed-query", "A query parameter is malformed")
    found = find(mock.apps, "id", app, "app")
    stops, pairs = found["settings"]["stoppedRestores"], []
    for pair in found["health"]["breaker"]["pairs"]:
        stop = next((one for one in stops if concerns(one, pair["sourceVersion"], pair["targetVersion"], pair["idiom"])), None)
        pairs.append(pair | ({"state": "stopped", "by": stop["by"]} | {key: stop[key] for key in ("until",) if key in stop} if stop else {}))
    named = [(pair["sourceVersion"], pair["targetVersion"], pair["idiom"]) for pair in pairs]
    pairs += [one | {"users": 0, "failingUsers": 0, "share": 0, "state": "stopped"} for one in stops
              if (one.get("sourceVersion"), one.get("targetVersion"), one["idiom"]) not in named]
    return {"from": text(now() - timedelta(hours=hours)), "to": text(now())} | found["health"] | {"breaker": {"mode": found["settings"]["breaker"]["mode"], "pairs": pairs}}


def failures_of(mock, request, app):
    query, found = request.query, find(mock.apps, "id", app, "app")["health"]["failures"]
    return [one | subject(mock, request, app, one["user"]) for one in found if all(query.get(key) in (None, one.get(key)) for key in ("result", "user", "path"))
            and query.get("hasPath") in (None, str("path" in one).lower())]


@on("GET", "/apps/{app}/failures")
def failures(mock, request, app):
    return page(failures_of(mock, request, app), request.query)


@on("GET", "/apps/{app}/failures/groups")
def failure_groups(mock, request, app):
    by, groups = request.query["by"], {}
    for one in failures_of(mock, request, app):
        groups.setdefault(one.get(by), []).append(one)
    items = [({by: key} if key else {}) | {"failures": len(some), "crashes": sum(one["result"] == "crashed" for one in some), "users": len({one["user"] for one in some}), "last": some[0]}
             for key, some in groups.items()]
    return page(sorted(items, key=lambda group: (-group["users"], -group["failures"])), request.query)


@on("POST", "/apps/{app}/dry-runs", "operator")
def dry_run(mock, request, app):
    found = find(mock.apps, "id", app, "app")
    found["posted"].append(request.body())
    if request.body()["policy"].get("minimumBundleVersion") == "refuse":
        raise Refusal(422, "invalid-body", "A member of the body is missing or invalid", "minimumBundleVersion is not a version.")
    return found["dry_run"]


@on("GET", "/apps/{app}/events")
def events(mock, request, app):
    found = find(mock.apps, "id", app, "app")
    last = request.headers.get("Last-Event-ID")
    start = int(last) if last else max(0, len(found["events"]) - int(request.query.get("recent", 0)))
    return 200, lambda: stream(mock, request, found, start)


def stream(mock, request, app, start):
    """Sends an app's events as they come, until the session ends or the service stops."""
    request.send_response(200)
    for name, value in {"Content-Type": "text/event-stream", "Content-Security-Policy": POLICY, "Cache-Control": "no-cache", "Connection": "close"}.items():
        request.send_header(name, value)
    request.end_headers()
    request.close_connection = True
    write = lambda content: (request.wfile.write(content.encode()), request.wfile.flush())
    write("retry: 300\n\n: the events\n\n")
    if start < app["kept"]:
        write(f"id: {app['kept']}\nevent: reset\ndata: {{}}\n\n")
    sent = max(start, app["kept"])
    app["streams"] += 1
    try:
        send_events(mock, request, app, sent, write)
    finally:
        app["streams"] -= 1


def send_events(mock, request, app, sent, write):
    past = len(app["events"])
    while not mock.is_down and not mock.is_stopped and mock.sessions.get(request.cookie()):
        # Events that come during the loop wait for the next one.
        end = len(app["events"])
        for index in range(sent, end):
            event = app["events"][index]
            # Answers are not kept: a stream has only the answers since its beginning.
            if event["kind"] == "missed":
                content = None if index < past else "event: missed\ndata: {}"
            elif event["kind"] in ("restoreServed", "restoreRefused"):
                content = None if index < past else f"event: answer\ndata: {json.dumps(event)}"
            else:
                content = f"id: {index + 1}\nevent: change\ndata: {json.dumps(event | {'revision': index + 1})}"
            if content:
                write(content + "\n\n")
        sent = end
        write(": still here\n\n")
        with mock.changed:
            mock.changed.wait(0.05)


def concerns(stop, source, target, idiom):
    """Whether a stop concerns a pair of versions. A stop without a version concerns every version."""
    return stop["idiom"] == idiom and stop.get("sourceVersion") in (None, source) and stop.get("targetVersion") in (None, target)


def with_texts(reasons):
    """The reasons with a sentence each, as the service says them (`Reason+Text.swift`)."""
    texts = {"idiom-not-accepted": "it is from a {archive}, not from a {required}", "layout-differs": "its layout differs", "state-version-newer": "its state version {archive} is newer than {required}",
             "bundle-version-newer": "its bundle version {archive} is newer than {required}", "quarantined": "it is quarantined, since a restore of it {archive}", "no-place": "it has no place",
             "restores-stopped": "restores from version {archive} to {required} are stopped"}
    return [reason | {"text": texts[reason["code"]].format_map({"archive": "none", "required": "none"} | reason)} for reason in reasons]


def reasons_against(one, asked, stops):
    context, found = one["context"], []
    if context["idiom"] != asked["idiom"]:
        found.append({"code": "idiom-not-accepted", "archive": context["idiom"], "required": asked["idiom"], "blocks": "full"})
    if asked.get("layout") and context.get("layout") != asked["layout"]:
        found.append({"code": "layout-differs", "archive": context["layout"], "required": asked["layout"], "blocks": "full"})
    if asked.get("stateVersion") and context.get("stateVersion"):
        if context["stateVersion"] > asked["stateVersion"]:
            found.append({"code": "state-version-newer", "archive": str(context["stateVersion"]), "required": str(asked["stateVersion"]), "blocks": "place"})
    elif int(context["bundleVersion"]) > int(re.match(r"\d*", asked.get("bundleVersion") or "0").group() or 0):
        found.append({"code": "bundle-version-newer", "archive": context["bundleVersion"], "required": asked.get("bundleVersion") or "0", "blocks": "full"})
    for one_quarantine in one["quarantines"]:
        if one_quarantine["idiom"] == asked["idiom"]:
            found.append({"code": "quarantined", "archive": one_quarantine["result"], "blocks": "place", "path": one_quarantine.get("path", ""), "step": 2, "duration": 1.5})
    for stop in stops:
        if concerns(stop, context["bundleVersion"], asked.get("bundleVersion"), asked["idiom"]):
            found.append({"code": "restores-stopped", "archive": context["bundleVersion"], "required": asked["bundleVersion"], "blocks": "place"})
    return with_texts(found)


def judged(archives, asked, stops, most):
    """The candidates from the newest archive to the served one, and the served one."""
    candidates = []
    for one in archives:
        found = reasons_against(one, asked, stops)
        fidelity = "none" if any(reason["blocks"] == "place" for reason in found) else "place" if found else "full"
        if len(candidates) < most or fidelity != "none":
            candidates.append({"archive": wire_archive(one), "fidelity": fidelity, "reasons": found})
        if fidelity != "none":
            return candidates, candidates[-1]
    return candidates, None


@on("GET", USER + "/answers")
def answers(mock, request, app, user):
    query = request.query
    return page([one for one in user_of(mock, app, user)["answers"] if query.get("scene") in (None, one["scene"]) and query.get("device") in (None, one["device"])
                 and query.get("archive") in (None, *(each["archive"] for each in one["candidates"]))], query)


@on("GET", USER + "/scenes/{scene}/explanation")
def explanation(mock, request, app, user, scene):
    owner, query = user_of(mock, app, user), request.query
    asked = {key: query[key] for key in ("idiom", "layout", "bundleVersion", "systemVersion") if query.get(key)}
    if not query.get("device") and not query.get("idiom"):
        raise Refusal(400, "malformed-query", "A query parameter is malformed")
    if query.get("device"):
        asked = {"idiom": find(owner["devices"], "id", query["device"], "device")["idiom"], "bundleVersion": "42", "systemVersion": "17.4"}
    candidates, served = judged(scene_of(mock, app, user, scene), asked, find(mock.apps, "id", app, "app")["settings"]["stoppedRestores"], 100)
    return {"asked": asked, "candidates": candidates, "head": 9, "references": references(mock, owner) if served else [], "referenceCount": 4 if served else 0} | (
        {"served": served["archive"]["id"]} if served else {})


def references(mock, owner):
    first, last = owner["devices"][0], owner["devices"][min(1, len(owner["devices"]) - 1)]
    described = lambda device, **roles: {key: device[key] for key in ("id", "name", "model") if key in device} | {"source": False, "asking": False} | roles
    source, asking = described(first, source=True), described(last, asking=True)
    hostile = hostile_text(mock, owner["id"])
    common = {"scope": "registered", "ambiguous": False, "decided": False, "reused": False, "members": [], "gone": [], "ambiguousAliases": [], "contradictions": [], "truncated": False}
    return [
        common | {"dataSource": "photos", "role": "selected", "source": hostile or "p12", "identifier": hostile or "item-31", "aliases": [hostile or "sha256:4fb3a1"],
                  "step": "alias", "confidence": 0.998, "members": [{"item": {"device": asking, "identifier": hostile or "item-31"}, "sharedAliases": [hostile or "sha256:4fb3a1"]}]},
        common | {"dataSource": "albums", "role": "firstVisible", "source": "a3", "identifier": "a4", "aliases": [], "step": "neighbor", "confidence": 0.7, "neighborBy": "archive",
                  "gone": [{"item": {"device": source, "identifier": "a3"}, "sharedAliases": [], "replacement": "a4"}]},
        common | {"dataSource": "photos", "role": "firstVisible", "source": "p130", "aliases": [], "step": "pending", "confidence": 0, "neighbor": hostile or "item-32", "neighborBy": "position"},
        common | {"dataSource": "photos", "role": "other", "source": "p99", "aliases": ["name:untitled"], "step": "unresolved", "confidence": 0, "ambiguousAliases": ["name:untitled"],
                  "contradictions": [{"first": {"device": source, "identifier": "p98"}, "second": {"device": source, "identifier": "p99"}}]},
    ]


@on("GET", USER + "/data-sources")
def data_sources(mock, request, app, user):
    owner = user_of(mock, app, user)
    registrations = [{"device": one["id"], "count": 120, "cursor": 3} for one in owner["devices"][:2]]
    return {"items": [{"name": "photos", "scope": "registered", "selectsNeighbors": True, "uniqueAliases": ["isbn", "server"], "allowsRedirects": False, "registrations": registrations},
                      {"name": "albums", "scope": "shared", "selectsNeighbors": False, "uniqueAliases": [], "allowsRedirects": True, "registrations": []}, {"name": "tags", "registrations": registrations}]}


@on("GET", USER + "/data-sources/{name}/items")
def items(mock, request, app, user, name):
    find(user_of(mock, app, user)["devices"], "id", request.query["device"], "device")
    if name == "tags":
        raise Refusal(404, "data-source-unknown", "The app has not declared this data source")
    hostile = list(HOSTILE.values()) if user == mock.hostile["id"] else []
    named = hostile + [f"p{index}" for index in range(120)]
    items = [{"identifier": one, "aliases": [one[:500], f"sha256:{index:06x}"], "position": index * 10} for index, one in enumerate(named)]
    items[1] |= {"replacedBy": named[2], "ambiguousAliases": items[1]["aliases"][:1]}
    return page(items, request.query)


@on("GET", USER + "/data-sources/{name}/items/{item}")
def item(mock, request, app, user, name, item):
    owner = user_of(mock, app, user)
    own = find(owner["devices"], "id", request.query["device"], "device")
    asking = find(owner["devices"], "id", request.query["for"], "device") if "for" in request.query else own
    found = references(mock, owner)[0] | {"dataSource": name, "role": "selected", "source": item}
    return found | {"identifier": item, "step": "exact", "confidence": 1} if asking is own else found


@on("GET", USER + "/data-sources/{name}/ambiguous-aliases")
def ambiguous_aliases(mock, request, app, user, name):
    owner = user_of(mock, app, user)
    if user != mock.story["id"] or name != "photos":
        return page([], request.query)
    device = owner["devices"][0]["id"]
    return page([{"alias": f"url:untitled-{number}", "device": device, "identifiers": [f"p{number}", f"p{number + 1}"]} for number in range(12, 12 + mock.ambiguous)], request.query)


@on("GET", USER + "/data-sources/{name}/decisions", "operator")
def decisions(mock, request, app, user, name):
    return page(user_of(mock, app, user)["decisions"], request.query)


def item_name(text):
    device, identifier = text.split(":", 1)
    return {"device": device, "identifier": identifier}


@on("POST", USER + "/data-sources/{name}/decisions", "operator")
def decide(mock, request, app, user, name):
    body = request.body()
    if body["kind"] not in ("same", "different"):
        raise Refusal(422, "invalid-body", "A member of the body is missing or invalid", "The kind must be same or different.")
    user_of(mock, app, user)["decisions"].append({"kind": body["kind"], "first": item_name(body["first"]), "second": item_name(body["second"]),
                                                  "note": body.get("note", ""), "decidedAt": text(now()), "hasEnded": False})
    return 201, user_of(mock, app, user)["decisions"][-1]


@on("DELETE", USER + "/data-sources/{name}/decisions", "operator")
def remove_decision(mock, request, app, user, name):
    owner, pair = user_of(mock, app, user), (item_name(request.query["first"]), item_name(request.query["second"]))
    if pair not in [(one["first"], one["second"]) for one in owner["decisions"]]:
        raise Refusal(404, "decision-not-found", "The decision does not exist")
    owner["decisions"] = [one for one in owner["decisions"] if (one["first"], one["second"]) != pair]


@on("GET", "/about")
def about(mock, request):
    return {"version": "0.1.0", "storeVersion": "SQLite 3.40.1", "startedAt": text(mock.generator.now), "ready": True, "usedBytes": 734_003_200, "maximumBytes": 1_073_741_824, "apps": len(mock.apps), "alerts": [], "databaseBytes": 838_860_800, "logBytes": 4_194_304,
            "instances": [{"name": "web-1 127.0.0.1:8080", "version": "0.1.0", "lastSeenAt": text(mock.generator.now)}],
            "disk": {"freeBytes": 3_221_225_472, "totalBytes": 10_737_418_240}} | mock.about


class Request(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    mock = None

    def log_message(self, *arguments):
        pass

    def body(self):
        # A connection serves several requests: handle_any forgets the body of the request before.
        if self.parsed is None:
            self.parsed = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        return self.parsed

    def cookie(self):
        match = re.search(r"placekeeper=([\w-]+)", self.headers.get("Cookie") or "")
        return match and match.group(1)

    def log_in(self, administrator):
        secret = secrets.token_urlsafe(16)
        self.mock.sessions[secret] = {"administrator": administrator, "csrf": secrets.token_urlsafe(16)}
        self.extra["Set-Cookie"] = f"placekeeper={secret}; HttpOnly; SameSite=Strict; Path=/"
        return 201, self.session_document(secret)

    def session_document(self, secret=None):
        session = self.mock.sessions[secret or self.cookie()]
        administrator = {key: session["administrator"][key] for key in ("id", "name", "role")}
        administrator["hasSecondFactor"] = "secondFactor" in session["administrator"]
        return {"administrator": administrator, "roles": self.mock.roles, "csrfToken": session["csrf"], "idleExpiresAt": text(now()), "expiresAt": text(now())}

    def authorize(self, role):
        if role is None:
            return
        session = self.mock.sessions.get(self.cookie())
        if session is None:
            raise Refusal(401, "not-logged-in", "You are not logged in")
        self.administrator = session["administrator"]
        if RANKS.index(self.administrator["role"]) < RANKS.index(role):
            raise Refusal(403, "role-insufficient", "Your role does not allow this", f"The role {role} is needed.")
        if self.command not in ("GET", "HEAD") and self.headers.get("X-CSRF-Token") != session["csrf"]:
            raise Refusal(403, "csrf-token-invalid", "The CSRF token is missing or wrong")

    def handle_any(self):
        self.extra, self.parsed = {}, None
        parts = urlsplit(self.path)
        self.query = {key: values[0] for key, values in parse_qs(parts.query).items()}
        if self.mock.is_down and not parts.path.startswith("/csp"):
            self.close_connection = True
            return self.connection.close()
        if parts.path == "/csp-report":
            self.mock.reports.append(self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode())
            return self.answer(204, b"", "text/plain")
        if parts.path == "/readyz":
            status, kind, content = self.mock.readiness
            return self.answer(status, content.encode(), kind)
        if not parts.path.startswith("/admin/api/"):
            return self.file(parts.path)
        self.mock.requests.append((self.command, parts.path))
        try:
            with self.mock.lock:
                result = self.operate(parts.path.removeprefix("/admin/api"))
            self.result(result)
        except Refusal as refusal:
            self.body()
            self.extra |= refusal.fields
            self.answer(refusal.status, json.dumps(refusal.document).encode(), "application/problem+json")
        except (KeyError, ValueError) as error:
            self.answer(422, json.dumps({"title": "The request is not valid", "code": "invalid-body", "detail": repr(error)}).encode(), "application/problem+json")

    def operate(self, path):
        self.body()
        for part, (status, code) in self.mock.failures.items():
            if part in path:
                raise Refusal(status, code, "The store failed", "The store failed. Try again later.")
        for method, expression, role, function in Routes.table:
            match = expression.match(path)
            if match and method == self.command:
                self.authorize(role)
                return function(self.mock, self, **{key: unquote(value) for key, value in match.groupdict().items()})
        raise Refusal(404, "not-found", "There is no such resource")

    def result(self, result):
        if result is None:
            return self.answer(204, b"", "application/json")
        status, content, *kind = result if isinstance(result, tuple) else (200, result)
        if callable(content):
            return content()
        if isinstance(content, bytes):
            return self.answer(status, content, kind[0] if kind else "application/x-plist")
        self.answer(status, json.dumps(content).encode(), "application/json")

    def file(self, path):
        # The service has the files of the page below their base names, so each must be unique.
        name = {"/": "index.html", "/admin/": "admin/admin.html"}.get(path, path.lstrip("/"))
        file = (PUBLIC / name).resolve()
        if not file.is_relative_to(PUBLIC) or not file.is_file():
            return self.answer(404, b"", "text/plain")
        self.answer(200, file.read_bytes(), TYPES.get(file.suffix, "application/octet-stream"))

    def answer(self, status, body, kind):
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Security-Policy": POLICY, "Cache-Control": "no-cache", **self.extra}.items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = handle_any


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """A browser closes connections when its page is closed: that is no fault."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class Service:
    """The stand-in on a free port."""

    def __init__(self, port=0):
        self.mock = Mock()
        handler = type("Handler", (Request,), {"mock": self.mock})
        self.server = Server(("127.0.0.1", port), handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def stop(self):
        self.mock.is_stopped = True
        self.server.shutdown()
        self.server.server_close()


if __name__ == "__main__":
    service = Service(int(sys.argv[1]) if len(sys.argv) > 1 else 8090)
    print(f"{service.url}/admin/  owner, operator, viewer: {PASSWORD}; user {service.mock.story['id']}", flush=True)
    service.thread.join()
