"""The history of a round, and the checks of the service's data against it."""

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from client import Client, Measurements
from load import Device, User


class Round:
    """The load of a round, and the answers that it got. Additions of several threads may be lost, so the counts are for
    the report only."""

    def __init__(self, ports, key, seed, users=4, **options):
        self.ports = ports
        self.key = key
        self.measurements = Measurements()
        self.is_over = threading.Event()
        self.acknowledged = 0
        self.unknown = 0
        self.losses = []
        self.problems = []
        client = Client(ports, Measurements())
        self.users = [User(client, key) for _ in range(users)]
        client.close()
        self.devices = [
            Device(self, user, number, f"{seed}/{index}/{number}", ports, **options)
            for index, user in enumerate(self.users) for number in (0, 1)]
        # One client only reads, because the others may all be repeating uploads.
        self.devices.append(Device(self, self.users[0], 0, f"{seed}/reader", ports, only_reads=True, **options))

    def lost(self, text):
        """Notes the loss of an acknowledged write."""
        self.losses.append(text)

    def stale(self, text):
        """Notes a read that does not show an acknowledged write."""
        self.losses.append(text)

    def wrong(self, text):
        """Notes an answer that the service must not give."""
        self.problems.append(text)

    def begin(self):
        self.began = time.monotonic()
        for device in self.devices:
            device.start()

    def end(self):
        self.is_over.set()
        end = time.monotonic() + 120
        for device in self.devices:
            device.join(max(0, end - time.monotonic()))
        if any(device.is_alive() for device in self.devices):
            self.wrong("a request did not end within 120 s")
        self.ended = time.monotonic()

    def longest_gap(self, successes):
        """Returns the longest time without one of the successful answers."""
        times = [self.began, *sorted(successes), self.ended]
        return max(later - earlier for earlier, later in zip(times, times[1:]))

    def verify(self):
        """Compares the service's data with the history."""
        with ThreadPoolExecutor(len(self.users)) as pool:
            for error in pool.map(self.verify_user, self.users):
                if error:
                    self.wrong(error)

    def verify_user(self, user):
        client = Client(self.ports, Measurements())
        try:
            changes = self.changes(client, user)
            self.verify_changes(user, changes)
            stored = {change["archive"] for change in changes if change["kind"] == "archiveStored"}
            for upload in list(user.uploads.values()):
                self.verify_upload(client, user, upload, stored)
            for token in user.registered:
                status = client.settled("GET", "/v1/devices/self", token, [200, 401])[0]
                if status != 200:
                    self.lost(f"a device with an acknowledged registration got {status}")
        except AssertionError as error:
            return f"the check got no answer: {error}"
        finally:
            client.close()
        return None

    def changes(self, client, user):
        changes, after = [], "0"
        while after:
            status, _, content = client.settled("GET", f"/v1/changes?after={after}", user.tokens[0], [200, 401, 410])
            if status != 200:
                self.lost(f"GET of the changes got {status}: {content[:200]!r}")
                return changes
            page = json.loads(content)
            changes += page["items"]
            after = page.get("next")
        return changes

    def verify_changes(self, user, changes):
        revisions = [change["revision"] for change in changes]
        if any(earlier >= later for earlier, later in zip(revisions, revisions[1:])):
            self.lost("the log of changes is not in ascending order")
        acknowledged = [upload for uploads in user.acknowledged.values() for upload in uploads]
        if len({upload.revision for upload in acknowledged}) < len(acknowledged):
            self.lost("two acknowledged uploads have one revision")
        logged = {(change["kind"], change.get("archive"), change["revision"]) for change in changes}
        deleted = {change.get("archive") for change in changes if change["kind"] == "archiveDeleted"}
        for upload in acknowledged:
            if ("archiveStored", upload.id, upload.revision) not in logged:
                self.lost(f"the log of changes lacks the acknowledged revision {upload.revision}")
            if upload.deletion == "done" and upload.id not in deleted:
                self.lost(f"the log of changes lacks the acknowledged deletion of revision {upload.revision}")

    def verify_upload(self, client, user, upload, stored):
        status, fields, content = client.settled("GET", upload.path, user.tokens[1], [200, 401, 404, 410])
        is_whole = status == 200 and content == upload.bytes
        if status == 200 and not is_whole:
            return self.lost(f"archive {upload.id} has other bytes than its upload")
        if upload.deletion == "done":
            if status != 410:
                self.lost(f"an archive with an acknowledged deletion got {status}")
        elif upload.revision is None:
            # The result of the upload is not known. The log and the archive must agree.
            if status not in (200, 404) or is_whole != (upload.id in stored):
                logged = "has" if upload.id in stored else "lacks"
                self.lost(f"an upload without an answer got {status}, and the log {logged} it")
        elif upload.deletion is None:
            if not is_whole or fields.get("placekeeper-revision") != str(upload.revision):
                self.lost(f"an acknowledged upload got {status}, revision {fields.get('placekeeper-revision')}")
        elif status not in (200, 410):
            self.lost(f"an acknowledged upload with an unknown deletion got {status}")
