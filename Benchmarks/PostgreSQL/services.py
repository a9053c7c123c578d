"""The service, one process at a time, and its clients."""

import http.client
import json
import os
import re
import select
import shutil
import subprocess
import threading
import time

from processes import Failed

FOLDER = ".build-bench/postgres"
LISTENING = re.compile(rb"listening on http://127\.0\.0\.1:(\d+)")


class Client:
    """A persistent connection to a service. An answer that was not expected ends the measurement."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def ask(self, method, path, token=None, body=None, expected=(200, 201), kind="application/json"):
        """Returns the body, the fields, and the seconds until the answer was complete."""
        fields = {"Authorization": f"Bearer {token}"} if token else {}
        if body is not None:
            fields["Content-Type"] = kind
        began = time.monotonic()
        try:
            self.connection.request(method, path, body, fields)
            answer = self.connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise Failed(f"{method} {path}: {error!r}") from None
        seconds = time.monotonic() - began
        if answer.status not in expected:
            raise Failed(f"{method} {path}: {answer.status} {content[:300].decode(errors='replace')}")
        return content, answer.headers, seconds

    def register(self, key, code=None):
        """Registers a device, and returns its token and its id. With a link code, its user is that of the code."""
        body = json.dumps({"app": key, "idiom": "phone"} | ({"linkCode": code} if code else {}))
        registered = json.loads(self.ask("POST", "/v1/devices", None, body)[0])
        return registered["token"], registered["device"]

    def user(self, key, devices):
        """Registers the devices of a new user, and returns their tokens and ids."""
        found = [self.register(key)]
        while len(found) < devices:
            code = json.loads(self.ask("POST", "/v1/link-codes", found[0][0])[0])["code"]
            found.append(self.register(key, code))
        return found

    def close(self):
        self.connection.close()


class Service:
    """A process of the service, on a free port. Without `database`, the data is in SQLite."""

    def __init__(self, binary, name, database=None, options=()):
        self.binary, self.name, self.database, self.options = binary, name, database, list(options)
        self.data = os.path.join(FOLDER, name)
        self.process = None
        self.port = None
        shutil.rmtree(self.data, ignore_errors=True)
        os.makedirs(self.data, mode=0o700)

    @property
    def stored(self):
        return ["--data", self.data, *(["--database", self.database] if self.database else [])]

    def create_app(self):
        """Creates an app, and returns its publishable key."""
        done = subprocess.run(
            [self.binary, "app", "create", "com.example.bench", *self.stored, "--json"], capture_output=True, text=True,
            timeout=60)
        if done.returncode:
            raise Failed(f"{self.name}: the app was not created: {done.stderr.strip()}")
        return json.loads(done.stdout)["publishableKey"]

    def start(self):
        """Starts the process, and waits until it listens."""
        self.process = subprocess.Popen(
            [self.binary, "serve", "--listen", "127.0.0.1:0", *self.stored, *self.options],
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        end = time.monotonic() + 30
        lines = b""
        while not (found := LISTENING.search(lines)):
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.process.stderr], [], [], left)[0]:
                raise Failed(f"{self.name}: the service did not start within 30 s")
            piece = os.read(self.process.stderr.fileno(), 4096)
            if not piece:
                reason = lines.decode(errors="replace").strip() or "no message"
                raise Failed(f"{self.name}: the service did not start: {reason.splitlines()[0]}")
            lines += piece
        self.port = int(found.group(1))
        # The process would wait if nobody read its messages.
        threading.Thread(target=self.keep_messages, args=(self.process.stderr, lines), daemon=True).start()

    def keep_messages(self, messages, first):
        with open(f"{self.data}.log", "wb") as log:
            log.write(first)
            shutil.copyfileobj(messages, log)
        messages.close()

    def seconds(self):
        """The processor time of the process."""
        # This is the clock of `clock_getcpuclockid(3)`, which counts nanoseconds.
        return time.clock_gettime((~self.process.pid << 3) | 2)

    def libraries(self):
        """The files that are mapped into the process."""
        with open(f"/proc/{self.process.pid}/maps") as file:
            return {line.split(maxsplit=5)[5].strip() for line in file if "/" in line}

    def delete(self):
        """Deletes the data of a service that ended. Its messages are kept beside the folder."""
        shutil.rmtree(self.data, ignore_errors=True)

    def stop(self):
        if not self.process:
            return
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None
