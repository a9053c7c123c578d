"""The built command, serving from a directory of its own, and a client that says exactly what it sends."""

import http.client
import json
import os
import plistlib
import re
import resource
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time
from contextlib import contextmanager


class Service:
    def __init__(self, binary, database=None):
        """`database` is the URL of an empty PostgreSQL database. Without it the data is in SQLite."""
        self.binary = binary
        self.environment = dict(os.environ) | ({"PLACEKEEPER_DATABASE": database} if database else {})
        self.directory = tempfile.TemporaryDirectory(prefix="placekeeper-")
        self.data = os.path.join(self.directory.name, "data")
        self.process = subprocess.Popen(
            [binary, "serve", "--listen", "127.0.0.1:0", "--data", self.data,
             "--client-address-field", "X-Forwarded-For", "--metrics"],
            stderr=subprocess.PIPE, text=True, env=self.environment)
        line = self.process.stderr.readline()
        match = re.fullmatch(r"listening on http://127\.0\.0\.1:(\d+)\n", line)
        assert match, f"serve did not start: {line}"
        self.port = int(match[1])
        self.is_terminated = False

    def command(self, *arguments):
        return subprocess.run([self.binary, *arguments], check=True, capture_output=True, env=self.environment).stdout

    def create_app(self, identifier, **settings):
        created = json.loads(self.command("app", "create", identifier, "--data", self.data, "--json"))
        for key, value in settings.items():
            self.command("app", "policy", identifier, "--data", self.data, "--set", f"{key}={value}")
        return created["publishableKey"]

    def add_secret(self, identifier):
        """Makes a secret for the sign-in tokens of an app, and returns the secret."""
        path, secret = os.path.join(self.directory.name, "secret"), os.urandom(32)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(secret)
        self.command("app", "keys", identifier, "--data", self.data, "--add-secret", path, "--kid", "walk")
        return secret

    def api_token(self, role):
        """Makes a token of the admin API, and returns it."""
        return self.command(
            "admin", "token", "create", "walk", "--role", role, "--data", self.data).decode().strip()

    def set_up_secret(self):
        """The secret of the set-up link, which the service writes to a file."""
        path = os.path.join(self.data, "admin-set-up")
        while not os.path.exists(path) or not open(path).read().endswith("\n"):
            time.sleep(0.01)
        with open(path) as file:
            return file.read().strip().rsplit("/", 1)[1]

    def sample(self, **options):
        flags = [part for key, value in options.items() for part in (f"--{key.replace('_', '-')}", value)]
        return self.command("sample", *flags)

    def exchange(self, method, target, fields=(), body=None):
        """One request on a connection of its own: status, fields with names in lower case, and body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        try:
            connection.request(method, target, body=body, headers=dict(fields))
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=600)

    def raw(self, data):
        """The answer to bytes as they are."""
        with self.connect() as connection:
            connection.sendall(data)
            return read_answer(connection)

    @contextmanager
    def stream(self, target, fields):
        """An answer whose body goes on: status, fields and the open body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        try:
            connection.request("GET", target, headers=dict(fields))
            answer = connection.getresponse()
            yield answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer
        finally:
            connection.close()

    @contextmanager
    def locked(self):
        """While another process, which is this one, keeps the database from being written."""
        connection = sqlite3.connect(os.path.join(self.data, "placekeeper.sqlite"), isolation_level=None)
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            connection.execute("ROLLBACK")
            connection.close()

    @contextmanager
    def full(self):
        """While no file of the service may grow, as on a full disk."""
        soft, hard = resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (4096, hard))
        try:
            yield
        finally:
            resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (soft, hard))

    def terminate(self):
        """Asks it to drain. A second time would end it at once."""
        if not self.is_terminated:
            self.process.send_signal(signal.SIGTERM)
        self.is_terminated = True

    def wait_until_refused(self):
        """Until it takes no more connections."""
        deadline = time.monotonic() + 600
        while time.monotonic() < deadline:
            try:
                self.connect().close()
            except ConnectionRefusedError:
                return
            except ConnectionResetError:
                # It was about to take this one as it stopped listening.
                continue
        raise AssertionError("the service still takes connections")

    def stop(self):
        self.terminate()
        _, errors = self.process.communicate(timeout=600)
        self.directory.cleanup()
        return self.process.returncode, errors


def read_answer(connection):
    """The answer on a socket whose request was sent."""
    answer = http.client.HTTPResponse(connection)
    answer.begin()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()


def unshowable_archive():
    """An archive whose state is a text, which an upload does not read."""
    key = "UIApplicationStateRestoration"
    return plistlib.dumps(
        {"$archiver": "NSKeyedArchiver", "$version": 100000, "$objects": ["$null", 1, 0, "42", "a"], "$top": {
            "Placekeeper.formatVersion": plistlib.UID(1), key + "UserInterfaceIdiom": plistlib.UID(2),
            key + "BundleVersion": plistlib.UID(3), "Placekeeper.application": plistlib.UID(4)}},
        fmt=plistlib.FMT_BINARY)


def bare_archive(text="", **top):
    """A keyed archive of no context: what it was made on must be said beside it."""
    return plistlib.dumps(
        {"$archiver": "NSKeyedArchiver", "$version": 100000, "$top": {"text": text, **top}, "$objects": ["$null"]},
        fmt=plistlib.FMT_BINARY)
