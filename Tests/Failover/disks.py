"""A full file system under PostgreSQL's data, or under its write-ahead log."""

import os
import subprocess
import time

from bench import Bench
from postgres import own
from processes import wait_until


class FullDisk(Bench):
    """The file system of the data, or of the write-ahead log, is full for some seconds. PostgreSQL may end, and is then
    started again when there is space, as a supervisor of the system does it."""

    name = "disk-full"
    count = 0

    @staticmethod
    def missing():
        return None if os.geteuid() == 0 else "only root mounts file systems"

    def set_up(self):
        # Small segments, so that the log needs a new file soon.
        settings = {"max_wal_size": "24MB", "min_wal_size": "2MB", "wal_keep_size": "0", "wal_recycle": "off"}
        self.mounts = []
        server = self.server("main", settings=settings)
        for name, size in (("data", "512m"), ("log", "64m")):
            path = os.path.join(server.folder, name)
            os.makedirs(path)
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "placekeeper", path], check=True)
            own(path)
            self.mounts.append(path)
        os.makedirs(os.path.join(self.mounts[1], "wal"))
        own(os.path.join(self.mounts[1], "wal"))
        server.create("--wal-segsize=1", f"--waldir={os.path.join(self.mounts[1], 'wal')}")
        server.start()
        self.start_instances(server.socket_url, server.socket_url)

    def strike(self, rng, round_):
        self.count += 1
        server = self.servers[0]
        ballast = os.path.join(self.mounts[self.count % 2], "ballast")
        with open(ballast, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(1 << 16))
            except OSError:
                pass
        before = self.refused(round_)
        least, most = time.monotonic() + rng.uniform(3, 6), time.monotonic() + 30
        while time.monotonic() < (most if self.refused(round_) == before else least):
            if server.process.poll() is not None:
                self.notes.append("PostgreSQL ended")
                time.sleep(rng.uniform(0, 2))
                break
            # Space that PostgreSQL frees is filled, too.
            with open(ballast, "ab", buffering=0) as file:
                try:
                    file.write(bytes(1 << 16))
                except OSError:
                    pass
            time.sleep(0.1)
        os.unlink(ballast)
        if self.refused(round_) == before:
            round_.wrong("no upload was refused, although the file system was full")
        wait_until(lambda: server.process.poll() is not None or server.answers(), 30)
        if server.process.poll() is not None:
            server.start()

    @staticmethod
    def refused(round_):
        return sum(round_.measurements.counts.get(f"PUT archive {status}", 0) for status in (503, 507))

    def clean_up(self):
        for path in getattr(self, "mounts", []):
            # A process of the server may need a moment to end.
            wait_until(lambda: subprocess.run(["umount", path], capture_output=True).returncode == 0, 10)


FAULTS = [FullDisk]
