"""A healthy client: registers, uploads, fetches the latest, and checks every response. healthy.py SECONDS TARGET"""

import http.client
import json
import socket
import sys
import time
import uuid


class Client:
    def __init__(self, target):
        self.port = target["port"]
        self.key = target["key"]
        self.sample = bytes.fromhex(target["sample"])
        self.times = []
        self.slowest = (0, "none")
        self.failed = 0
        self.failures = []
        self.connection = None
        self.began = time.monotonic()

    def request(self, method, path, expected, body=None, fields=None):
        """Sends a request on a persistent connection. Returns None and records a failure for an unexpected response."""
        start = time.monotonic()
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
                self.connection.connect()
                self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.connection.request(method, path, body=body, headers=fields or {})
            answer = self.connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException) as error:
            self.connection = None
            self.fail(method, path, repr(error))
            return None
        self.times.append(time.monotonic() - start)
        if self.times[-1] > self.slowest[0]:
            self.slowest = (self.times[-1], f"{method} {path} at {start - self.began:.0f} s")
        if answer.status != expected:
            self.fail(method, path, f"{answer.status} {content[:200]!r}")
            return None
        return content

    def fail(self, method, path, what):
        self.failed += 1
        # The report at the end must fit in a pipe.
        if len(self.failures) < 20:
            self.failures.append(f"{method} {path} at {time.monotonic() - self.began:.0f} s: {what}")

    def register(self):
        body = json.dumps({"app": self.key, "idiom": "phone"}).encode()
        content = self.request("POST", "/v1/devices", 201, body, {"Content-Type": "application/json"})
        self.token = json.loads(content)["token"] if content else None

    def round(self):
        fields = {"Authorization": f"Bearer {self.token}"}
        path = "/v1/scenes/main/archives/"
        self.request("PUT", path + str(uuid.uuid4()), 201, self.sample, fields)
        latest = path + "latest?idiom=phone&bundleVersion=42&systemVersion=17.4"
        content = self.request("GET", latest, 200, None, fields)
        if content is not None and content != self.sample:
            self.fail("GET", latest, "the bytes differ from the uploaded bytes")
        self.request("GET", "/livez", 200)


def main():
    client = Client(json.loads(sys.argv[2]))
    end = client.began + int(sys.argv[1])
    number = 0
    while time.monotonic() < end:
        if number % 20 == 0:
            # A new user and a new connection from time to time.
            if client.connection is not None:
                client.connection.close()
            client.connection = None
            client.register()
        number += 1
        if client.token:
            client.round()
        time.sleep(0.02)
    times = sorted(client.times) or [0]
    print(json.dumps({
        "requests": len(client.times), "failed": client.failed, "failures": client.failures, "p50": times[len(times) // 2],
        "p99": times[len(times) * 99 // 100], "most": times[-1],
        "slowest": client.slowest[1],
    }))


if __name__ == "__main__":
    main()
