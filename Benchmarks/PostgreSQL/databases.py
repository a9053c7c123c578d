"""The PostgreSQL servers of the benchmark: one alone, and one with a synchronous standby."""

import os
import shutil
import signal
import subprocess
import tempfile

import postgres
from processes import Failed, children, wait_until

TICKS = os.sysconf("SC_CLK_TCK")
SETTINGS = {"max_connections": "400", "shared_buffers": "512MB", "max_wal_size": "4GB"}


def ticks(pid):
    """The processor time of a process and of its ended children."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
    except FileNotFoundError:
        return 0
    return sum(int(field) for field in fields[11:15])


class Server(postgres.Server):
    """A server with its usual durability, which listens on a socket in its folder only."""

    def __init__(self, folder, name):
        super().__init__(folder, name, address="", settings=SETTINGS)

    def create(self):
        super().create()
        # Checksums are not a default of the versions before 18, and make the log larger.
        self.program("pg_checksums", "--disable", "--pgdata", self.data)

    def query(self, statement):
        """Returns the first line of the result."""
        lines = self.sql(statement)
        if not lines:
            raise Failed(f"PostgreSQL did not carry out {statement!r}: see {self.log}")
        return lines[0]

    def database(self, name):
        """Creates a database, and returns its URL."""
        if self.sql(f"CREATE DATABASE {name}") is None:
            raise Failed(f"PostgreSQL did not create a database: see {self.log}")
        return f"postgres:///{name}?host={self.folder}&port={self.port}&user=test"

    def address_options(self):
        return ["--host", self.folder, "--port", str(self.port), "--username", "test"]

    def socket_path(self):
        return os.path.join(self.folder, f".s.PGSQL.{self.port}")

    def seconds(self):
        """The processor time of all processes of the server."""
        first = self.process.pid
        return (ticks(first) + sum(ticks(child) for child in children(first))) / TICKS

    def log_position(self):
        return int(self.query("SELECT pg_current_wal_insert_lsn() - '0/0'"))

    def stop(self):
        """Shuts the server down at once. A killed server would leave shared memory behind."""
        if self.process:
            self.process.send_signal(signal.SIGQUIT)
            try:
                self.process.wait(20)
                self.process = None
            except subprocess.TimeoutExpired:
                self.kill()


class Databases:
    """Starts the servers when they are first needed. Their folder is deleted at the end."""

    def __init__(self):
        if not postgres.programs():
            raise Failed("PostgreSQL is not installed (on Debian: apt-get install postgresql)")
        self.folder = tempfile.mkdtemp(prefix="placekeeper-bench-")
        # The servers run as another user if the benchmark runs as root.
        os.chmod(self.folder, 0o755)
        self.servers = {}

    def start(self, name, make=None):
        server = self.servers[name] = Server(self.folder, name)
        try:
            (make or server.create)(*([server] if make else []))
            server.start()
        except Failed as error:
            del self.servers[name]
            with open(server.log, errors="replace") as file:
                last = file.read().strip().rpartition("\n")[2]
            raise Failed(f"{error}: {last}") from None
        return server

    def alone(self):
        """A server without a standby."""
        return self.servers.get("alone") or self.start("alone")

    def replicated(self):
        """A server whose commits wait for a standby on this machine."""
        primary = self.start("primary")
        self.start("standby", lambda standby: standby.copy(primary))
        primary.configure(synchronous_standby_names="ANY 1 (standby)")
        self.check_standby()
        return primary

    def check_standby(self):
        """Checks that commits wait for the standby."""
        primary = self.servers["primary"]
        # A standby of `ANY` has the state `quorum`.
        state = "SELECT state || ' ' || sync_state FROM pg_stat_replication WHERE application_name = 'standby'"
        if not wait_until(lambda: primary.sql(state) == ["streaming quorum"], 60):
            raise Failed("the standby does not follow the primary")
        if primary.query("SHOW synchronous_commit") != "on":
            raise Failed("commits do not wait for the standby")

    def settle(self):
        """Gathers statistics and writes all pages, so that this does not happen while a figure is measured."""
        for name, server in self.servers.items():
            if name != "standby":
                server.program("vacuumdb", *server.address_options(), "--all", "--analyze-only", "--quiet")
                server.sql("CHECKPOINT")

    def close(self):
        for server in reversed(self.servers.values()):
            server.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
