"""Starts and ends processes: the instances of the service, and helpers for processes of PostgreSQL."""

import os
import signal
import socket
import subprocess
import time
import urllib.request


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def children(parent):
    """Returns the processes that a process started, with their command lines."""
    found = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat") as file:
                # The name of the program is in parentheses, and may have spaces.
                fields = file.read().rpartition(")")[2].split()
            if int(fields[1]) == parent:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    found[int(name)] = file.read().replace(b"\0", b" ").decode(errors="replace").strip()
        except (OSError, IndexError):
            # The process ended.
            continue
    return found


def send(pid, number):
    """Sends a signal to a process. Returns whether the process exists."""
    try:
        os.kill(pid, number)
        return True
    except ProcessLookupError:
        return False


def wait_until(condition, seconds, pause=0.1):
    """Waits until a condition is true. Returns whether it became true within the time."""
    end = time.monotonic() + seconds
    while True:
        if condition():
            return True
        if time.monotonic() > end:
            return False
        time.sleep(pause)


class Failed(Exception):
    """The test cannot continue."""


class Instance:
    """One process of the service. It keeps its port when it is restarted."""

    def __init__(self, binary, folder, number, database):
        self.binary = binary
        self.database = database
        self.data = os.path.join(folder, f"instance{number}")
        self.options = ["--data", self.data, "--database", database]
        self.log = os.path.join(folder, f"instance{number}.log")
        self.port = free_port()
        self.process = None

    def command(self, *arguments):
        """Runs a command of the program on the database, and returns its output."""
        done = subprocess.run(
            [self.binary, *arguments, *self.options], capture_output=True, text=True, timeout=60)
        if done.returncode:
            raise Failed(f"placekeeper {' '.join(arguments)}: {done.stderr}")
        return done.stdout

    def launch(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [self.binary, "serve", "--listen", f"127.0.0.1:{self.port}", *self.options],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def start(self):
        """Starts the process, and waits until it has opened the database."""
        if self.process is None:
            self.launch()
        wait_until(lambda: self.is_open() or self.process.poll() is not None, 60, 0.05)
        if self.process.poll() is not None or not self.is_open():
            self.kill()
            raise Failed(f"the instance did not start: see {self.log}")

    def is_open(self):
        """Returns whether the instance answers from its database, instead of with 503 for everything."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/version", timeout=1):
                return True
        except OSError:
            return False

    def ended(self):
        """Returns the status of a process that ended, although the test did not end it."""
        return self.process.poll() if self.process else None

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def stop(self):
        """Shuts the process down gracefully. Returns a problem, if there is one."""
        if not self.process:
            return None
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(timeout=40)
        except subprocess.TimeoutExpired:
            self.kill()
            return "an instance did not shut down within 40 s"
        self.process = None
        return None if status == 0 else f"an instance shut down with status {status}"
