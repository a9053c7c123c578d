"""Cuts the power of the service and of its frequent backups, and checks what the disk has then.

In each round, devices upload, a setting changes, and `backup create --keep` runs as docs/operating.md recommends, on
the file system of `lossy.py`. The power is cut at any moment, or at an operation of a backup or the database. Then the
data directory must have everything that was acknowledged, and the newest backup everything that was acknowledged before
it began. At the end, the same checks must find losses on disks that ignore `fsync`.
"""

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from types import SimpleNamespace

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(FOLDER, "..", "Failover"))
from history import Round  # noqa: E402
from processes import Failed, Instance, wait_until  # noqa: E402

APP = "com.example.power"
# How often one data directory loses its power. Every second directory has its backups on another disk.
CUTS_OF_DIRECTORY = 5
# Where the power is cut: an operation, a part of its path, and how many such operations come before, at most.
POINTS = [
    ("write", ".sqlite.partial", 70), ("fsync", ".sqlite.partial", 2), ("rename", ".sqlite.partial", 3),
    ("fsyncdir", "/backups", 3), ("unlink", "/backups/placekeeper", 3), ("create", "last-backup", 3),
    ("write", "last-backup", 3), ("fsync", "last-backup", 3), ("rename", "last-backup", 3), ("fsyncdir", "/data", 3),
    ("write", "-wal", 300), ("fsync", "-wal", 100), ("truncate", "-wal", 2)]


class Disk:
    """A folder that is used through the lossy file system."""

    def __init__(self, folder, number):
        self.folder, self.path = (os.path.join(folder, f"{kind}{number}") for kind in ("disk", "mount"))
        os.mkdir(self.folder)
        os.mkdir(self.path)

    def mount(self, seed, ignored):
        self.process = subprocess.Popen(
            [sys.executable, "-B", os.path.join(FOLDER, "lossy.py"), self.folder, self.path, seed, ignored],
            stdin=subprocess.PIPE, text=True)
        if not wait_until(lambda: os.path.ismount(self.path) or not self.is_on(), 10, 0.02):
            raise Failed("the lossy file system did not start")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def is_on(self):
        return self.process.poll() is None

    def cut(self):
        if self.is_on():
            self.send("cut")
        if self.process.wait(60):
            raise Failed("the lossy file system failed")

    def unmount(self):
        subprocess.run(["umount", "--lazy", self.path], check=True)


class Service(Instance):
    def __init__(self, binary, data, folder):
        super().__init__(binary, folder, 0, None)
        self.options = ["--data", data]

    def setting(self):
        return json.loads(self.command("app", "policy", APP, "--json"))["settings"]["quotas"]["userScenes"]


class Past(Round):
    """What was acknowledged at a moment of a history. What came later may be missing."""

    def __init__(self, history):
        self.history, self.losses, self.problems = history, [], []
        self.known = [
            ({upload.id: (upload.revision, upload.deletion) for upload in list(user.uploads.values())},
             list(user.registered)) for user in history.users]

    def verify(self):
        self.ports = self.history.ports
        self.users = [self.user(user, *known) for user, known in zip(self.history.users, self.known)]
        super().verify()

    @staticmethod
    def user(user, known, registered):
        uploads = {}
        for upload in user.uploads.values():
            revision, deletion = known.get(upload.id, (None, None))
            if upload.deletion and deletion is None:
                deletion = "sent"
            # Nothing is known of an upload that was acknowledged and deleted later.
            if revision is not None or deletion is None:
                uploads[upload.id] = SimpleNamespace(
                    id=upload.id, path=upload.path, bytes=upload.bytes, revision=revision, deletion=deletion)
        acknowledged = [upload for upload in uploads.values() if upload.revision is not None]
        return SimpleNamespace(
            tokens=user.tokens, registered=registered, uploads=uploads, acknowledged={"all": acknowledged})


class Operator(threading.Thread):
    """Changes a setting and makes backups until the power is cut."""

    def __init__(self, service, history, disks, keep, interval, setting):
        super().__init__(daemon=True)
        self.service, self.history, self.disks, self.keep, self.interval = service, history, disks, keep, interval
        self.sent = self.acknowledged = setting
        self.backups = []
        self.process = None
        self.is_over = threading.Event()

    def run(self):
        due = time.time() // 1 + 1
        while not self.is_over.wait(0.1):
            self.sent += 1
            if self.do("app", "policy", APP, "--set", f"userScenes={self.sent}") is None:
                return
            self.acknowledged = self.sent
            if time.time() >= due:
                # At whole seconds, as a timer: two backups in one second would have one name.
                due = time.time() // self.interval * self.interval + self.interval
                if not self.back_up():
                    return

    def back_up(self):
        """Returns whether the power is still on."""
        backup = SimpleNamespace(
            began=time.monotonic(), seconds=None, file=None, setting=self.acknowledged, history=Past(self.history))
        self.backups.append(backup)
        output = self.do("backup", "create", self.disks[-1].path + "/backups", "--keep", str(self.keep), "--json")
        if output is not None:
            backup.seconds = time.monotonic() - backup.began
            backup.file = os.path.basename(json.loads(output)["file"])
        return output is not None

    def do(self, *arguments):
        """Runs a command. Returns its output, or None if the power was cut."""
        self.process = subprocess.Popen(
            [self.service.binary, *arguments, *self.service.options], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True)
        output, error = self.process.communicate()
        if self.process.returncode == 0:
            return output
        if not wait_until(lambda: not all(disk.is_on() for disk in self.disks), 1):
            self.history.wrong(f"{arguments[:2]} failed: {error}")
        return None

    def end(self):
        self.is_over.set()
        if self.process:
            self.process.kill()
        self.join(60)


class Directory:
    """A data directory that loses its power several times."""

    def __init__(self, arguments, seed, disks, ignored):
        self.binary, self.interval, self.ignored, self.seed = arguments.binary, arguments.interval, ignored, seed
        self.rng = random.Random(seed)
        self.folder = tempfile.mkdtemp(prefix="placekeeper-power-", dir=arguments.keep)
        self.disks = [Disk(self.folder, number) for number in range(disks)]
        self.backups = os.path.join(self.disks[-1].folder, "backups")
        os.mkdir(self.backups)
        self.histories = []
        self.setting = 256
        self.last = None

    def service(self, data):
        return Service(self.binary, data, self.folder)

    def round(self, results):
        """Cuts the power once. Returns the problems."""
        seed = f"{self.seed}/{len(self.histories)}"
        for disk in self.disks:
            disk.mount(seed, self.ignored)
        service, operator, history = self.service(self.disks[0].path + "/data"), None, None
        try:
            if not self.histories:
                self.key = json.loads(service.command("app", "create", APP, "--json"))["publishableKey"]
                service.command("app", "policy", APP, "--set", "retainedArchives=1000")
            service.start()
            history = Round([service.port], self.key, seed, users=3)
            history.begin()
            operator = Operator(
                service, history, self.disks, self.rng.choice((1, 1, 2, 3)), self.interval, self.setting)
            operator.start()
            results.points[self.strike()] += 1
        finally:
            cut = time.monotonic()
            for disk in self.disks:
                disk.cut()
            service.kill()
            for part in filter(None, (operator, history)):
                part.end()
            for disk in self.disks:
                disk.unmount()
        self.histories.append(history)
        results.acknowledged += history.acknowledged
        return self.check_data(operator) + self.check_backup(operator, cut, results) + self.check_commands(operator)

    def strike(self):
        """Waits until the power is cut. Returns where it is."""
        time.sleep(self.rng.uniform(0.5, 3) * self.interval)
        operation, text, most = self.rng.choice(POINTS)
        if self.rng.random() < 0.6:
            disk = self.disks[-1 if "/backups" in text or ".sqlite" in text else 0]
            disk.send(f"cut {operation} {text} {self.rng.randrange(most) + 1}")
            if wait_until(lambda: not disk.is_on(), 4 * self.interval, 0.002):
                return f"{operation} {text}"
        return "any moment"

    def check_data(self, operator):
        service = self.service(self.disks[0].folder + "/data")
        try:
            service.start()
            problems = self.compare(service, self.histories)
            self.setting = service.setting()
            if not operator.acknowledged <= self.setting <= operator.sent:
                problems.append(f"the setting is {self.setting}, and {operator.acknowledged} was acknowledged")
            return problems + list(filter(None, [service.stop()]))
        finally:
            service.kill()

    @staticmethod
    def compare(service, histories):
        problems = []
        for history in histories:
            getattr(history, "history", history).ports = [service.port]
            history.ports = [service.port]
            history.verify()
            problems += history.losses + history.problems
        return problems

    def check_backup(self, operator, cut, results):
        """Restores the newest backup, and compares it with what was acknowledged when it began."""
        made = [backup for backup in [self.last, *operator.backups] if backup and backup.file]
        results.durations += [backup.seconds for backup in operator.backups if backup.seconds]
        names = sorted(name for name in os.listdir(self.backups) if name.endswith(".sqlite"))
        if not names:
            return ["no backup is left"] if made else []
        # The last one may have got its name although it did not end.
        newest = {backup.file: backup for backup in made}.get(names[-1]) or operator.backups[-1]
        if made and newest.began < made[-1].began:
            return [f"the newest backup is {names[-1]}, although {made[-1].file} was complete"]
        if newest.history:
            results.ages.append(cut - newest.began)
        restored = self.service(tempfile.mkdtemp(dir=self.folder))
        restored.command("backup", "restore", f"{self.backups}/{names[-1]}")
        try:
            restored.start()
            problems = self.compare(restored, [*self.histories[:-1], *filter(None, [newest.history])])
            if restored.setting() < newest.setting:
                problems.append(f"the setting is {restored.setting()} instead of {newest.setting}")
            return [f"{names[-1]}: {problem}" for problem in problems]
        finally:
            restored.kill()

    def check_commands(self, operator):
        service = self.service(self.disks[0].folder + "/data")
        time.sleep(1 - time.time() % 1)
        file = json.loads(service.command("backup", "create", self.backups, "--keep", str(operator.keep), "--json"))
        self.last = SimpleNamespace(
            began=time.monotonic(), file=os.path.basename(file["file"]), setting=self.setting, history=None)
        service.command("backup", "verify")
        names = [*os.listdir(self.backups), *os.listdir(service.options[1])]
        findings = json.loads(subprocess.run(
            [self.binary, "doctor", "--json", *service.options], capture_output=True, timeout=60).stdout)
        return [f"{name} is left" for name in names if ".partial" in name or "last-backup.json." in name] + [
            f"doctor finds {finding}" for finding in findings
            if finding["check"] in ("directory", "sqlite", "backups") and finding["result"] != "ok"]


def run(arguments, rounds, ignored):
    """Returns the results. Ends with the directory that has problems."""
    results = SimpleNamespace(points=Counter(), acknowledged=0, durations=[], ages=[], problems=[])
    for number in range(0, rounds, CUTS_OF_DIRECTORY):
        seed = f"{arguments.seed}/{ignored}/{number}"
        directory = Directory(arguments, seed, 1 + number // CUTS_OF_DIRECTORY % 2, ignored)
        for cut in range(min(CUTS_OF_DIRECTORY, rounds - number)):
            try:
                found = directory.round(results)
            except (Failed, AssertionError, subprocess.SubprocessError) as error:
                found = [f"the round could not continue: {error}"]
            if found:
                results.problems += [f"round {number + cut + 1}: {text}" for text in found]
                print("\n".join(results.problems), flush=True)
                return results
        shutil.rmtree(directory.folder)
        print(f"{number + cut + 1} rounds, {results.acknowledged} acknowledged writes", flush=True)
    return results


def main():
    parser = argparse.ArgumentParser(prog="run.sh")
    parser.add_argument("binary", type=os.path.abspath)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", default=str(random.randrange(1 << 30)))
    parser.add_argument("--interval", type=float, default=1, help="the seconds from backup to backup")
    parser.add_argument("--keep", metavar="DIR", help="where the disks are; those with problems stay")
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    began = time.monotonic()
    results = run(arguments, arguments.rounds, "nothing")
    figures = {name: [round(value, 2) for value in (statistics.median(values), max(values))] if values else None
               for name, values in (("a backup took", results.durations), ("the newest was old", results.ages))}
    print(f"{results.acknowledged} acknowledged writes; median and maximum in seconds: {figures}; cut at: "
          f"{dict(results.points)}; {time.monotonic() - began:.0f} s in all", flush=True)
    if results.problems:
        return 1
    for ignored in ("files", "directories"):
        print(f"disks that ignore the fsync of {ignored} must lose something:", flush=True)
        if not run(arguments, 4 * CUTS_OF_DIRECTORY, ignored).problems:
            print("no loss was found")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
