"""PostgreSQL servers with data folders of their own, for a test that kills and stops them."""

import glob
import os
import shutil
import signal
import subprocess
import time

from processes import Failed, children, free_port, send, wait_until

SETTINGS = {
    "fsync": "on", "full_page_writes": "on", "synchronous_commit": "on", "wal_level": "replica", "hot_standby": "on",
    "max_connections": "60", "shared_buffers": "32MB", "max_wal_senders": "4",
    # A standby reconnects soon.
    "wal_retrieve_retry_interval": "500ms",
    "logging_collector": "off", "log_min_messages": "warning",
    # Lost races are errors of PostgreSQL, and frequent.
    "log_min_error_statement": "panic",
}


def programs():
    """Returns the folder of PostgreSQL's programs. None if PostgreSQL is not installed."""
    folders = glob.glob("/usr/lib/postgresql/*/bin")
    if folders:
        return max(folders, key=lambda path: float(path.split("/")[4]))
    initdb = shutil.which("initdb")
    return os.path.dirname(os.path.realpath(initdb)) if initdb else None


# PostgreSQL refuses to run as root.
AS_USER = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.geteuid() == 0 else []


def own(path):
    if os.geteuid() == 0:
        shutil.chown(path, "nobody", "nogroup")


class Server:
    """One server. `address` is where it listens, in addition to a socket in its folder."""

    def __init__(self, folder, name, address="127.0.0.1", namespace=None, settings=()):
        self.name = name
        self.folder = os.path.join(folder, name)
        self.data = os.path.join(self.folder, "data")
        self.log = os.path.join(folder, f"{name}.log")
        self.address = address
        self.namespace = namespace
        self.settings = SETTINGS | {"wal_keep_size": "512MB"} | dict(settings)
        self.port = free_port()
        self.process = None
        os.makedirs(self.folder)
        own(self.folder)

    @property
    def socket_url(self):
        return f"postgres:///postgres?host={self.folder}&port={self.port}&user=test"

    @property
    def host(self):
        return f"{self.address}:{self.port}"

    def program(self, name, *arguments, timeout=120):
        """Runs a program of PostgreSQL as the server's user, and returns its output."""
        with open(self.log, "ab") as log:
            done = subprocess.run(
                [*AS_USER, os.path.join(programs(), name), *arguments], stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=log, text=True, timeout=timeout, cwd="/",
                env=os.environ | {"PGCONNECT_TIMEOUT": "5"})
        if done.returncode:
            raise Failed(f"{name} failed: see {self.log}")
        return done.stdout

    def create(self, *options):
        self.program(
            "initdb", f"--pgdata={self.data}", "--username=test", "--auth=trust", "--encoding=UTF8", "--no-locale",
            "--no-sync", "--data-checksums", *options)
        with open(os.path.join(self.data, "pg_hba.conf"), "a") as file:
            file.write("host all all 10.0.0.0/8 trust\n")
        with open(os.path.join(self.data, "postgresql.conf"), "a") as file:
            # In the file, because pg_rewind runs the server without options.
            file.writelines(f"{key} = '{value}'\n" for key, value in self.settings.items())
            file.write("include_if_exists = 'failover.conf'\n")

    def copy(self, source):
        """Replaces the data by a copy of another server's data, and makes this server a standby."""
        shutil.rmtree(self.data, ignore_errors=True)
        self.program(
            "pg_basebackup", "-d", source.connection(self.name), "-D", self.data, "-R", "-X", "stream", "-c", "fast",
            "--no-sync")

    def rewind(self, source):
        """Undoes the writes that another server does not have, and makes this server a standby."""
        # Otherwise pg_rewind reads an old timeline of the source, and does nothing.
        source.sql("CHECKPOINT")
        self.program(
            "pg_rewind", f"--target-pgdata={self.data}", f"--source-server={source.connection(self.name)}", "-R",
            "--no-sync")

    def connection(self, name="test"):
        return f"host={self.folder} port={self.port} user=test dbname=postgres application_name={name}"

    def start(self, seconds=90):
        """Starts the server, and waits until it answers. Processes of a killed server may still end, so it may take
        several attempts."""
        within = ["ip", "netns", "exec", self.namespace] if self.namespace else []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with open(self.log, "ab") as log:
                self.process = subprocess.Popen(
                    [*within, *AS_USER, os.path.join(programs(), "postgres"), "-D", self.data, "-k", self.folder, "-c",
                     f"listen_addresses={self.address}", "-c", f"port={self.port}"],
                    stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/")
            wait_until(lambda: self.process.poll() is not None or self.answers(), end - time.monotonic())
            if self.process.poll() is None and self.answers():
                return
            self.kill()
            time.sleep(0.2)
        raise Failed(f"PostgreSQL did not start: see {self.log}")

    def answers(self):
        ready = [os.path.join(programs(), "pg_isready"), "-q", "-t", "2", "-d", self.connection()]
        return subprocess.run(ready, timeout=10).returncode == 0

    def sql(self, statement):
        """Carries out a statement, and returns the lines of its result. None if the server does not answer."""
        try:
            done = subprocess.run(
                [os.path.join(programs(), "psql"), "-XAtq", "-d", self.connection(), "-c", statement],
                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=15,
                env=os.environ | {"PGCONNECT_TIMEOUT": "5"})
        except subprocess.TimeoutExpired:
            return None
        return done.stdout.split("\n")[:-1] if done.returncode == 0 else None

    def configure(self, **settings):
        """Replaces the settings that change while the server runs."""
        path = os.path.join(self.data, "failover.conf")
        with open(path, "w") as file:
            file.writelines(f"{key} = '{value}'\n" for key, value in settings.items())
        own(path)
        if self.process:
            send(self.process.pid, signal.SIGHUP)
            wanted = lambda: all(self.sql(f"SHOW {key}") == [value] for key, value in settings.items())
            if not wait_until(wanted, 20):
                raise Failed(f"PostgreSQL did not read its settings: see {self.log}")

    def promote(self):
        self.program("pg_ctl", "promote", "-D", self.data, "-w", "-t", "60")

    def backends(self, condition="true"):
        """Returns the processes that serve the instances."""
        lines = self.sql(
            "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' "
            f"AND application_name = 'placekeeper' AND {condition}")
        return [int(line) for line in lines or []]

    def processes(self, kind):
        """Returns the server's processes of a kind, such as `walsender`."""
        return [pid for pid, title in children(self.process.pid).items() if kind in title]

    def signal_all(self, number):
        """Sends a signal to all processes of the server."""
        if self.process:
            for pid in [self.process.pid, *children(self.process.pid)]:
                send(pid, number)

    def kill(self, all_processes=True):
        """Kills the server. Without its first process, the other processes end soon."""
        if not self.process:
            return
        if all_processes:
            # A stopped process starts no others.
            send(self.process.pid, signal.SIGSTOP)
            self.signal_all(signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        self.process = None

    def is_streaming(self, is_synchronous):
        """Returns whether a standby follows this server."""
        states = ("streaming|sync",) if is_synchronous else ("streaming|async", "streaming|sync")
        lines = self.sql("SELECT state || '|' || sync_state FROM pg_stat_replication")
        return any(line in states for line in lines or [])
