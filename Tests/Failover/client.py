"""HTTP requests to the instances over persistent connections, one instance after the other."""

import http.client
import json
import random
import socket
import time


class Unsent(Exception):
    """No instance accepted a connection, so the request was not sent."""


class Unknown(Exception):
    """The request was sent, but has no answer."""


class Measurements:
    """The times of all answers of a round. Threads append to the lists."""

    def __init__(self):
        self.successes = []
        self.writes = []
        self.slowest = (0, "none")
        self.slowest_read = 0
        self.late = []
        self.counts = {}

    def note(self, began, method, path, status, deadline):
        now = time.monotonic()
        duration = now - began
        # The scene and the id differ for each request.
        target = "latest" if "/latest" in path else "archive" if "/archives/" in path else path.split("?")[0]
        kind = f"{method} {target}"
        if isinstance(status, int) and status < 400:
            self.successes.append(now)
            if method != "GET":
                self.writes.append(now)
        if duration > self.slowest[0]:
            self.slowest = (duration, f"{kind}: {status}")
        if method == "GET":
            self.slowest_read = max(self.slowest_read, duration)
        if duration > deadline:
            self.late.append(f"{kind} got {status} after more than {deadline} s")
        self.counts[f"{kind} {status}"] = self.counts.get(f"{kind} {status}", 0) + 1


class Client:
    def __init__(self, ports, measurements, timeout=45, deadline=15, proxied=False):
        """Pass `proxied` if a proxy is at the ports."""
        self.ports = ports
        self.proxied = proxied
        self.measurements = measurements
        self.timeout = timeout
        self.deadline = deadline
        self.turn = random.randrange(len(ports))
        self.connections = {}

    def connection(self):
        """Returns a connection to the next instance that accepts one."""
        for _ in self.ports:
            self.turn += 1
            port = self.ports[self.turn % len(self.ports)]
            if port in self.connections:
                return port, self.connections[port]
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=self.timeout)
            try:
                connection.connect()
            except OSError:
                continue
            connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.connections[port] = connection
            return port, connection
        raise Unsent()

    def request(self, method, path, token, body=None, fields=None):
        """Returns the status, the fields with names in lower case, and the body."""
        port, connection = self.connection()
        began = time.monotonic()
        named = ({"Authorization": f"Bearer {token}"} if token else {}) | (fields or {})
        try:
            connection.request(method, path, body=body, headers=named)
            answer = connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException) as error:
            self.connections.pop(port).close()
            self.measurements.note(began, method, path, type(error).__name__, self.deadline)
            raise Unknown(f"{type(error).__name__}: {error}") from None
        if answer.will_close:
            self.connections.pop(port).close()
        self.measurements.note(began, method, path, answer.status, self.deadline)
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, content

    def settled(self, method, path, token, expected, body=None, fields=None, seconds=60):
        """Repeats a request until it gets an expected status, as long as it gets no answer or 503."""
        end = time.monotonic() + seconds
        while True:
            try:
                answer = self.request(method, path, token, body, fields)
                if answer[0] in expected:
                    return answer
                if answer[0] not in (429, 503, 507) + ((502, 504) if self.proxied else ()):
                    raise AssertionError(f"{method} {path}: {answer[0]} {answer[2][:300]!r}")
            except (Unsent, Unknown) as error:
                answer = [repr(error)]
            if time.monotonic() > end:
                raise AssertionError(f"{method} {path}: no success within {seconds} s, at last {answer[0]}")
            time.sleep(0.1)

    def register(self, key, code=None):
        body = json.dumps({"app": key, "idiom": "phone"} | ({"linkCode": code} if code else {})).encode()
        answer = self.settled("POST", "/v1/devices", None, [201], body, {"Content-Type": "application/json"})
        return json.loads(answer[2])["token"]

    def link_code(self, token):
        return json.loads(self.settled("POST", "/v1/link-codes", token, [201])[2])["code"]

    def close(self):
        for connection in self.connections.values():
            connection.close()
        self.connections.clear()
