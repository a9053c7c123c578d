"""Devices that upload, read and delete at random, and record each answer."""

import json
import plistlib
import random
import threading
import time
import uuid

from client import Client, Unknown, Unsent

CONTEXT = "idiom=phone&bundleVersion=42"
# A user's log has the latest 1,000 changes, and a scene keeps 1,000 archives.
WRITES_OF_DEVICE = 450
UNAVAILABLE = (429, 503, 507)
# A proxy's answers, if no instance answered.
GATEWAY = (502, 504)


def archive(rng):
    """Returns a keyed archive with random text. Few are large, so that they need several packets."""
    size = 40_000 if rng.random() < 0.05 else rng.randrange(16, 3000)
    text = "".join(rng.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=size))
    return plistlib.dumps(
        {"$archiver": "NSKeyedArchiver", "$version": 100000, "$top": {"text": text}, "$objects": ["$null"]},
        fmt=plistlib.FMT_BINARY)


class Upload:
    """An upload that was sent. `revision` is None until the upload is acknowledged. `deletion` is None, `sent` or
    `done`."""

    __slots__ = ("id", "scene", "bytes", "revision", "deletion")

    def __init__(self, scene, rng):
        self.id = str(uuid.UUID(int=rng.getrandbits(128), version=4))
        self.scene = scene
        self.bytes = archive(rng)
        self.revision = None
        self.deletion = None

    @property
    def path(self):
        return f"/v1/scenes/{self.scene}/archives/{self.id}"


class User:
    """Two devices. Each device writes to a scene of its own, and both write to one scene."""

    def __init__(self, client, key):
        first = client.register(key)
        self.tokens = [first, client.register(key, client.link_code(first))]
        # The tokens of devices that were registered under load.
        self.registered = []
        self.uploads = {}
        self.acknowledged = {scene: [] for scene in ("own0", "own1", "shared")}


class Device(threading.Thread):
    def __init__(self, round_, user, number, seed, ports, only_reads=False, **options):
        super().__init__(daemon=True)
        self.round = round_
        self.user = user
        self.number = number
        self.rng = random.Random(seed)
        self.client = Client(ports, round_.measurements, **options)
        self.token = user.tokens[number]
        self.mine = []
        self.writes = 0
        self.only_reads = only_reads

    def run(self):
        try:
            while not self.round.is_over.is_set():
                self.act()
                self.round.is_over.wait(self.rng.uniform(0.01, 0.06))
        except Exception as error:  # A defect of the test must not look like success.
            self.round.wrong(f"the test's device failed: {error!r}")
        finally:
            self.client.close()

    def act(self):
        choice = self.rng.random()
        if self.only_reads or self.writes >= WRITES_OF_DEVICE:
            self.read()
        elif choice < 0.02:
            self.register()
        elif choice < 0.3:
            self.read()
        elif choice < 0.4 and self.mine:
            self.delete()
        else:
            self.upload()

    def pause(self):
        """Waits before a request is repeated. Returns whether the round goes on."""
        return not self.round.is_over.wait(self.rng.uniform(0.1, 0.3))

    def check_refusal(self, method, answer):
        """Checks an answer that says that the service cannot do the work now. Returns whether it is such an answer."""
        status, fields, content = answer
        if self.client.proxied and status in GATEWAY:
            return True
        if status not in UNAVAILABLE:
            return False
        # A full disk may stay full for long, so 507 names no time.
        if status != 507 and "retry-after" not in fields:
            self.round.wrong(f"{method} got {status} without Retry-After: {content[:200]!r}")
        return True

    def upload(self):
        upload = Upload(f"own{self.number}" if self.rng.random() < 0.85 else "shared", self.rng)
        self.writes += 1
        repeats = self.rng.random() < 0.7
        while True:
            # The history has the upload before the service can have it.
            self.user.uploads[upload.id] = upload
            try:
                answer = self.client.request("PUT", f"{upload.path}?{CONTEXT}", self.token, upload.bytes)
                if answer[0] in (200, 201):
                    return self.acknowledge(upload, answer)
                if not self.check_refusal("PUT", answer):
                    return self.round.wrong(f"PUT got {answer[0]}: {answer[2][:300]!r}")
                self.round.unknown += 1
            except Unknown:
                self.round.unknown += 1
            except Unsent:
                pass
            if not self.pause() or not repeats:
                return

    def acknowledge(self, upload, answer):
        try:
            upload.revision = int(answer[1]["placekeeper-revision"])
        except (KeyError, ValueError):
            return self.round.wrong(f"PUT got {answer[0]} without a revision")
        self.user.acknowledged[upload.scene].append(upload)
        self.mine.append(upload)
        self.round.acknowledged += 1

    def delete(self):
        # Often the latest, so that another archive becomes the head.
        upload = self.mine.pop(-1 if self.rng.random() < 0.5 else self.rng.randrange(len(self.mine)))
        upload.deletion = "sent"
        self.writes += 1
        # A proxy may send a request to two instances.
        is_repeated = self.client.proxied
        while True:
            try:
                answer = self.client.request("DELETE", upload.path, self.token)
                if answer[0] == 204 or (is_repeated and answer[0] == 410):
                    upload.deletion = "done"
                    self.round.acknowledged += 1
                    return None
                if answer[0] in (404, 410):
                    return self.round.lost(f"DELETE of an acknowledged upload got {answer[0]}")
                if not self.check_refusal("DELETE", answer):
                    return self.round.wrong(f"DELETE got {answer[0]}: {answer[2][:300]!r}")
                self.round.unknown += 1
                is_repeated = True
            except Unknown:
                self.round.unknown += 1
                is_repeated = True
            except Unsent:
                pass
            if not self.pause():
                return None

    def register(self):
        """Registers a device for a new user. Its token must be valid after the fault."""
        body = json.dumps({"app": self.round.key, "idiom": "phone"}).encode()
        try:
            answer = self.client.request("POST", "/v1/devices", None, body, {"Content-Type": "application/json"})
        except Unsent:
            return None
        except Unknown:
            self.round.unknown += 1
            return None
        if answer[0] == 201:
            self.user.registered.append(json.loads(answer[2])["token"])
            self.round.acknowledged += 1
        elif self.check_refusal("POST", answer):
            self.round.unknown += 1
        else:
            self.round.wrong(f"POST of a device got {answer[0]}: {answer[2][:300]!r}")
        return None

    def read(self):
        """Reads the latest archive of a scene, and checks that no newer archive was acknowledged before the request."""
        scene = self.rng.choice(("own0", "own1", "shared"))
        acknowledged = self.user.acknowledged[scene]
        before = acknowledged[:]
        deleted = {upload.id for upload in before if upload.deletion == "done"}
        try:
            answer = self.client.request("GET", f"/v1/scenes/{scene}/archives/latest?{CONTEXT}", self.token)
        except (Unknown, Unsent):
            return
        if self.check_refusal("GET", answer):
            return
        least = max((upload.revision for upload in before if upload.deletion is None), default=0)
        status, fields, content = answer
        if status == 404 and not least:
            return
        if status != 200:
            return self.round.stale(f"GET of the latest got {status}, although revision {least} was acknowledged")
        identifier, revision = fields["placekeeper-archive"], int(fields["placekeeper-revision"])
        upload = self.user.uploads.get(identifier)
        if upload is None or content != upload.bytes:
            self.round.lost(f"GET of the latest returned other bytes than archive {identifier} has")
        if identifier in deleted:
            self.round.stale(f"GET of the latest returned archive {identifier}, although its deletion was acknowledged")
        # Both devices write to the shared scene, so the order of the uploads there is not known.
        if scene != "shared" and revision < least:
            self.round.stale(f"GET of the latest returned revision {revision}, although {least} was acknowledged")
