"""Generated data for the stand-in of the admin API: apps, users, devices, archives, and hostile texts."""

import random
import uuid
from datetime import datetime, timedelta, timezone

HOSTILE = {
    "markup": "<img src=x onerror=\"window.hacked=1\"><script>window.hacked=1</script>\"'`>",
    "bidi": "invoice\u202egpj.exe\u2066 abc \u200f",
    "long": "Ä" * 10_000,
    "nul": "before\u0000after\u0007\u001b[31m",
    "marks": "Z" + "\u0335\u0321\u0489" * 400 + "algo",
    "emoji": "👨‍👩‍👧‍👦🏳️‍🌈🇺🇳 ✨",
    "spaceless": "W" * 400,
    "half": "a\ud800b",
}
SECONDS = timedelta(seconds=1)


def text(moment):
    return moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


class Generator:
    def __init__(self, now, seed=7):
        self.now = now
        self.random = random.Random(seed)

    def id(self):
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))

    def ago(self, **span):
        return self.now - timedelta(**span)

    def device(self, idiom, name=None, model=None, system="17.4", **span):
        device = {"id": self.id(), "idiom": idiom, "createdAt": text(self.ago(days=40)), "lastSeenAt": text(self.ago(**(span or {"minutes": 4})))}
        return device | {key: value for key, value in (("name", name), ("model", model), ("systemVersion", system)) if value}

    def archive(self, scene, device, revision, captured, received, place, **more):
        bundle = more.pop("bundle", "42")
        return {
            "id": self.id(), "scene": scene, "device": device["id"], "revision": revision,
            "capturedAt": text(captured), "receivedAt": text(received),
            "context": {"idiom": device["idiom"], "layout": "compact" if device["idiom"] == "phone" else "regular",
                        "bundleVersion": bundle, "systemVersion": "17.4"},
            "size": self.random.randint(1_500, 90_000), "place": place, "objectCount": 6, "referenceCount": 2,
            "hasScreenshot": False, "digest": f"{self.random.getrandbits(256):064x}", "isHead": False, "isLate": False, "isViewOnly": False, "isBelowAllWork": False,
            "quarantines": [], "outcomes": {"restored": 0, "failed": 0, "crashed": 0, "abandoned": 0, "began": 0},
        } | more

    def story(self):
        """A user with the cases that a timeline must tell apart: a head, a late arrival, a view-only capture, a quarantine."""
        phone = self.device("phone", "Anna’s iPhone", "iPhone16,1", minutes=3)
        pad = self.device("pad", "iPad in the kitchen", "iPad14,1", hours=2)
        mac = self.device("mac", None, "Mac15,3", "14.4", days=2)
        base = self.ago(hours=6)
        minute = timedelta(minutes=1)
        at = lambda minutes: base + minutes * minute
        lisbon = ["Albums", "Lisbon"]
        rows = [
            (phone, 1, at(0), at(0), ["Albums"], {}),
            (phone, 2, at(12), at(12) + SECONDS, lisbon, {"outcomes": {"restored": 2, "failed": 0, "crashed": 0, "abandoned": 0, "began": 2}}),
            (pad, 3, at(40), at(40) + SECONDS, [*lisbon, "Tram 28"], {}),
            (pad, 4, at(47), at(47) + SECONDS, [*lisbon, "Tram 28", "Edit"], {
                "quarantines": [{"idiom": "phone", "bundleVersion": "42", "result": "crashed", "path": "Tabs/Albums/Photo"}],
                "outcomes": {"restored": 1, "failed": 1, "crashed": 2, "abandoned": 0, "began": 3}}),
            (phone, 5, at(70), at(70) + SECONDS, [*lisbon, "Castle"], {"hasScreenshot": True}),
            (mac, 6, at(74), at(74) + SECONDS, ["Library", "2026"], {"bundle": "43"}),
            # A device without a connection: captured before the Mac's capture, and arrived after it.
            (pad, 7, at(52), at(190), [*lisbon, "Belém"], {"isLate": True}),
            (phone, 9, at(205), at(205) + SECONDS, [*lisbon, "Pastéis de Nata"], {"isHead": True, "outcomes": {"restored": 1, "failed": 0, "crashed": 0, "abandoned": 0, "began": 1}}),
            # A view-only capture: the pad restored the head, and the person did not act.
            (pad, 10, at(205) - timedelta(milliseconds=1), at(300), [*lisbon, "Pastéis de Nata"], {"isViewOnly": True}),
        ]
        archives = [self.archive("main", device, revision, captured, received, place, **more) for device, revision, captured, received, place, more in rows]
        archives += [self.archive("main", phone, -20 - index, self.ago(days=2, hours=index), self.ago(days=2, hours=index), ["Albums", f"Album {index}"])
                     for index in range(70)]
        editor = [self.archive("editor", mac, 12, self.ago(days=1), self.ago(days=1), ["Collage"], isHead=True)]
        return self.user([phone, pad, mac], {"main": archives, "editor": editor, "old": []}, "anna@example.com")

    def user(self, devices, scenes, subject=None):
        return {"id": self.id(), "subject": subject, "signedIn": subject is not None, "createdAt": text(self.ago(days=40)),
                "lastSeenAt": text(self.ago(minutes=self.random.randint(1, 9_000))), "devices": devices,
                "scenes": {name: sorted(archives, key=lambda one: one["capturedAt"], reverse=True) for name, archives in scenes.items()},
                "decisions": [], "deleted": {}, "answers": []}

    def plain_user(self):
        device = self.device(self.random.choice(["phone", "pad", "mac", "tv", "vision"]), None, None, None, days=self.random.randint(0, 30))
        moment = self.ago(hours=self.random.randint(1, 500))
        return self.user([device], {"main": [self.archive("main", device, 1, moment, moment, ["Albums"], isHead=True)]},
                         f"person{self.random.randint(1, 10**6)}@example.com" if self.random.random() < 0.5 else None)

    def hostile_user(self):
        devices = [self.device("phone", value, value, "17.4") for value in HOSTILE.values()]
        archives = []
        for index, value in enumerate(HOSTILE.values()):
            moment = self.ago(hours=index + 1)
            archives.append(self.archive("main", devices[index], 20 - index, moment, moment, [value, "Step", value], isHead=index == 0, isLate=index == 3,
                                         quarantines=[{"idiom": "phone", "bundleVersion": "42", "result": "failed", "path": value}] if index % 3 == 0 else []))
        return self.user(devices, {"main": archives}, HOSTILE["long"])

    def series(self, hours, hostile=None):
        """The events by the hour, in groups of an idiom and a version. `hostile` replaces a version. Refusals have no group, as those of an older service."""
        shape = [("upload", "stored", 60), ("restore", "full", 30), ("restore", "place", 12), ("refusal", "state-version-newer", 4),
                 ("refusal", "too-old", 2), ("refusal", "quarantined", 1), ("refusal", "idiom-not-accepted", 3), ("outcome", "restored", 34),
                 ("outcome", "failed", 1), ("outcome", "crashed", 0.4), ("outcome", "abandoned", 1), ("unwritten", "store-full", 0.2)]
        wave = lambda hour: 1.2 + (hour % 24 - 12) / 16 if hour % 24 < 12 else 1.9 - (hour % 24 - 12) / 12
        groups = [("phone", "42", 0.5), ("phone", hostile or "43", 0.2), ("pad", "42", 0.15), ("mac", None, 0.1), ("other", "other", 0.05)]
        counts = lambda mean: [max(0, round(self.random.gauss(mean * wave(hour), mean / 5))) for hour in range(hours)]
        group = lambda idiom, version: {"idiom": idiom} | ({"bundleVersion": version} if version else {})
        grouped = [{"name": name, "label": label, "counts": counts(mean * share)} | group(idiom, version)
                   for name, label, mean in shape if name in ("upload", "restore", "outcome") for idiom, version, share in groups]
        return grouped + [{"name": name, "label": label, "counts": counts(mean)} for name, label, mean in shape if name in ("refusal", "unwritten")]

    def latency(self, hours):
        """The response times of the service: uploads and latest archives are quick, and nobody has registered items."""
        bounds = [500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000]
        routes = [("storeArchive", "PUT /v1/scenes/{scene}/archives/{archive}", [0, 0, 10, 80, 5, 4, 0, 0, 0, 0, 1]),
                  ("readLatest", "GET /v1/scenes/{scene}/archives/latest", [900, 60, 30, 5, 5, 0, 0, 0, 0, 0, 0]),
                  ("reportOutcome", "POST /v1/scenes/{scene}/archives/{archive}/outcomes", [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]),
                  ("changeItems", "PATCH /v1/data-sources/{name}/items", [0] * 11), ("registerDevice", "POST /v1/devices", [0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0])]
        sums = [sum(route[2][bucket] for route in routes) for bucket in range(11)]
        return {"boundsMicroseconds": bounds, "routes": [{"operation": operation, "route": route, "counts": counts} for operation, route, counts in routes],
                "series": [[0] * (hours - 2) + [total // 2, total - total // 2] for total in sums]}

    def health(self, user, hostile=None):
        """The health of an app's restores: three pairs of versions, and failures of a user. `hostile` replaces the texts of devices."""
        (scene, archives), device = next(iter(user["scenes"].items())), user["devices"][0]
        side = lambda version, idiom: {"idiom": idiom} | ({"bundleVersion": version} if version else {})
        pairs = [(side(hostile or "43", "phone"), side(hostile or "42", "phone"), 212, 61, 38, 240, 71), (side("42", "phone"), side("42", "phone"), 4_802, 12, 3, 1_930, 11),
                 (side("42", "phone"), side("42", "pad"), 391, 2, 0, 118, 2), (side(None, "mac"), side("43", "mac"), 9, 0, 0, 4, 0)]
        restores = [{"source": source, "target": target, "restored": restored, "failed": failed, "crashed": crashed, "users": users, "failingUsers": failing}
                    | ({"medianMilliseconds": 182} if restored > 9 else {}) for source, target, restored, failed, crashed, users, failing in pairs]
        paths = [(hostile or "Tabs/Albums/Photo", 63, 44, 0), ("Tabs/Albums/Album/Grid", 21, 19, 0), ("Tabs/Search", 4, 4, 1), ("", 2, 1, 2)]
        return {
            "reports": 5_530, "isSample": False, "restores": restores,
            "paths": [{"path": path, "failures": failures, "users": users, "lastAt": text(self.ago(minutes=index * 50 + 4)), "source": pairs[index % 3][0], "target": pairs[index % 3][1]}
                      for index, (path, failures, users, _) in enumerate(paths)],
            "failures": [{"at": text(self.ago(minutes=index * 13 + 2)), "user": user["id"], "device": device["id"], "scene": scene, "archive": archives[index % len(archives)]["id"],
                          "result": ["crashed", "failed"][index % 2], "source": pairs[0][0], "target": pairs[0][1]} | ({"path": paths[0][0]} if index % 3 else {}) for index in range(12)],
            "breaker": {"mode": "alert", "pairs": [
                {"sourceVersion": hostile or "43", "targetVersion": hostile or "42", "idiom": "phone", "users": 96, "failingUsers": 41, "share": 0.427, "state": "alert", "since": text(self.ago(minutes=34))},
                {"sourceVersion": "42", "targetVersion": "42", "idiom": "phone", "users": 1_204, "failingUsers": 9, "share": 0.0075, "state": "normal"},
                {"sourceVersion": "42", "targetVersion": "42", "idiom": "pad", "users": 84, "failingUsers": 2, "share": 0.0238, "state": "normal"}]}}

    def dry_run(self, user, hostile=None):
        """An answer of a dry run: each kind of change, with examples of a user."""
        (scene, archives), device = next(iter(user["scenes"].items())), user["devices"][0]
        full, place = {"archive": archives[0]["id"], "fidelity": "full"}, {"archive": archives[0]["id"], "fidelity": "place"}
        older = {"archive": archives[1]["id"], "fidelity": "full"}
        asked = {"idiom": device["idiom"], "layout": "compact", "bundleVersion": "42", "systemVersion": "17.4"}
        reason = {"code": "bundle-version-below-minimum", "archive": hostile or "42", "required": "43", "blocks": "place",
                  "text": f"its bundle version {hostile or '42'} is below the minimum 43"}
        example = lambda index, before, after, reasons: {"at": text(self.ago(minutes=index * 7 + 1)), "user": user["id"], "device": device["id"], "scene": scene, "asked": asked,
                                                         "before": before, "after": after, "reasons": reasons}
        kinds = [("refused", 214, 180, full, None, [reason]), ("served", 31, 22, None, full, []), ("place", 12, 9, full, place, [reason | {"blocks": "full"}]),
                 ("full", 3, 2, place, full, []), ("other", 1, 1, full, older, [reason])]
        blocked = [("layout-differs", "full", 423, 40), ("quarantined", "place", 1, 1), (hostile or "state-version-newer", "place", 12, 3), ("abandoned", "place", 7, 7),
                   ("restores-stopped", "place", 6, 2), ("place-not-allowed", "place", 5, 5), ("crashed-elsewhere", "automatic", 4, 1)]
        return {"answers": 9_914, "unchanged": 9_653, "unchangedReasons": [{"code": code, "blocks": blocks, "answers": answers, "users": users} for code, blocks, answers, users in blocked], "from": text(self.ago(days=3)), "to": text(self.now), "changes": [
            {"kind": kind, "count": count, "users": users, "examples": [example(index, before, after, reasons) for index in range(min(count, 20))]}
            for kind, count, users, before, after, reasons in kinds]}


def inspection(archive, redacted, hostile=None):
    value = (lambda kind, real: {"redacted": kind}) if redacted else (lambda kind, real: real)
    item = hostile or "x-coredata://7F2C/Photo/p128"
    entries = {"barsHidden": value("boolean", True), "photo": {"reference": 1}, "zoomScale": value("number", 1.5),
               "draft": value("string", hostile or "A quiet afternoon"), "thumbnail": value("data", {"data": "89504e47" * 40}),
               "panes": value("dictionary", {"left": {"width": 200, "tools": {"pen": {"ink": "blue", "points": 3}, "count": 1}}, "count": 1})}
    control = lambda kind, name, cls, inner: {"kind": kind, "name": name, "class": cls, "storyboard": None, "registered": False, "entries": inner}
    return {
        "formatVersion": 1, "restorationClasses": {"Tabs/Albums/Photo": "PhotoViewController"},
        "topLevel": {"UIApplicationStateRestorationBundleVersion": value("string", "42"), "lastTab": value("number", 1),
                     "UIApplicationStateRestorationTimestamp": value("date", {"date": archive["capturedAt"]}), hostile or "note": value("string", hostile or "none")},
        "place": {f"{index + 1} {title[:40]}": {"title": value("string", title), "progress": value("real", 0.42)} for index, title in enumerate(archive["place"])},
        "references": {"0 albums": {"identifier": value("string", "a3"), "role": "selected"}, "1 photos": {"identifier": value("string", item), "role": "selected"}},
        "objects": [
            control("View Controller", "Tabs", "UITabBarController", {"selected": {"object": "Tabs/Albums"}}),
            control("View Controller", "Tabs/Albums", "UINavigationController", {"children": [{"object": "Tabs/Albums/Album"}, {"object": "Tabs/Albums/Photo"}]}),
            control("View Controller", "Tabs/Albums/Album", "AlbumViewController", {"album": {"reference": 0}}),
            control("View", "Tabs/Albums/Album/Grid", "UICollectionView", {"contentOffset": [0.0, 1284.5], "selection": [{"reference": 1}]}),
            control("View Controller", "Tabs/Albums/Photo", hostile or "PhotoViewController", entries),
        ],
    }


SETTINGS = {
    "allowsScreenshots": False, "showsContents": True, "breaker": {"mode": "alert", "failurePercent": 10, "minimumUsers": 10, "windowHours": 24}, "stoppedRestores": [],
    "policy": {"acceptedIdioms": {"pad": ["phone"]}, "allowsNewerBundleVersion": False, "allowsNewerSystemVersion": False, "allowsPlace": True,
               "maximumAge": "30d", "stateVersions": "atMost"},
    "quotas": {"anonymousBytes": 33554432, "appBytes": 68719476736, "userArchives": 20000, "userBytes": 268435456, "userDevices": 256, "userScenes": 256},
    "rateLimits": {"appBurst": 10000, "deviceBurst": 600, "devicePerSecond": 20, "registrationBurst": 10000,
                   "registrationsPerDay": 200000, "userBurst": 2000, "userPerSecond": 60},
    "registration": "open", "restoration": "auto", "retainedArchives": 20, "signIn": {"keys": []},
}


def now():
    return datetime.now(timezone.utc)
