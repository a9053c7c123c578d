"""Attacks on a server on this machine. Each attack is bounded in connections, bytes and time, and ends by itself."""

import gzip
import http.client
import json
import os
import pathlib
import plistlib
import socket
import struct
import time
import uuid
from concurrent.futures import ThreadPoolExecutor


class Target:
    def __init__(self, port, key, sample, heavy):
        self.port = port
        self.key = key
        self.sample = sample
        # The tokens of a user with many heads.
        self.heavy = heavy


class Open:
    """Open connections that are closed or reset at the end."""

    def __init__(self, target, count, receive_buffer=None, resets=True):
        self.sockets = []
        self.resets = resets
        for _ in range(count):
            connection = socket.socket()
            connection.settimeout(2)
            if receive_buffer:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
            try:
                connection.connect(("127.0.0.1", target.port))
            except OSError:
                connection.close()
                continue
            connection.setblocking(False)
            self.sockets.append(connection)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for connection in self.sockets:
            if self.resets:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()

    def send(self, data):
        """Sends as many bytes as each connection accepts without blocking."""
        for connection in self.sockets:
            try:
                connection.send(data() if callable(data) else data)
            except OSError:
                pass


def head(method, path, *fields, token=None):
    lines = [f"{method} {path} HTTP/1.1", "Host: a", *fields]
    if token:
        lines.append(f"Authorization: Bearer {token}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def exchange(target, method, path, body=None, token=None, timeout=10, **fields):
    """Sends a request and returns its response. None if there is none."""
    connection = http.client.HTTPConnection("127.0.0.1", target.port, timeout=timeout)
    try:
        named = {name.replace("_", "-"): value for name, value in fields.items()}
        if token:
            named["Authorization"] = f"Bearer {token}"
        connection.request(method, path, body=body, headers=named)
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def register(target, code=None):
    body = {"app": target.key, "idiom": "phone"} | ({"linkCode": code} if code else {})
    answer = exchange(target, "POST", "/v1/devices", json.dumps(body).encode(), Content_Type="application/json")
    return json.loads(answer[1])["token"] if answer and answer[0] == 201 else None


def linked(target, token):
    """Registers another device of the token's user and returns its token."""
    answer = exchange(target, "POST", "/v1/link-codes", token=token)
    return register(target, json.loads(answer[1])["code"]) if answer and answer[0] == 201 else None


def upload(target, token, scene="main", body=None):
    path = f"/v1/scenes/{scene}/archives/{uuid.uuid4()}"
    return exchange(target, "PUT", path, body or bytes.fromhex(target.sample), token)


def heavy_user(target, scenes=200, devices=8):
    """Creates a user whose devices have heads in many scenes, and returns the devices' tokens."""
    tokens = [register(target)]
    tokens += [linked(target, tokens[0]) for _ in range(devices - 1)]

    def fill(token):
        connection = http.client.HTTPConnection("127.0.0.1", target.port, timeout=60)
        for scene in range(scenes):
            connection.request(
                "PUT", f"/v1/scenes/s{scene}/archives/{uuid.uuid4()}", body=bytes.fromhex(target.sample),
                headers={"Authorization": f"Bearer {token}"})
            answer = connection.getresponse()
            content = answer.read()
            assert answer.status == 201, content
        connection.close()

    with ThreadPoolExecutor(devices) as pool:
        list(pool.map(fill, tokens))
    return tokens


def pause(seconds, end):
    time.sleep(max(0, min(seconds, end - time.monotonic())))


def hold(target, rng, end):
    """Holds a thousand connections: idle connections, slow heads, slow bodies, and responses that are not read."""
    token = register(target)
    until = min(end, time.monotonic() + rng.uniform(20, 60))
    with Open(target, 400) as idle, Open(target, 250) as heads, Open(target, 250) as bodies, \
            Open(target, 100, receive_buffer=4096) as takers:
        heads.send(b"GET /v1/places HTTP/1.1\r\nHost: a\r\nX: ")
        bodies.send(
            head("PUT", f"/v1/scenes/main/archives/{uuid.uuid4()}", "Content-Length: 1000000", token=token))
        takers.send(head("GET", "/openapi.yaml") * 50)
        idle.send(b"G")
        while time.monotonic() < until:
            heads.send(b"x")
            bodies.send(lambda: bytes(rng.randrange(1, 20_000)))
            pause(0.5, until)


MALFORMED = [
    b"GET  / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", b"GET / HTTP/1.1\nHost: a\n\n", b"\x00" * 40,
    b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
    b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n", b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 200,
]


def malformed(target, rng, end):
    """Sends malformed requests, and goes on sending after the refusal and after the server's deadline."""
    with Open(target, rng.randrange(100, 300), resets=rng.random() < 0.5) as opened:
        opened.send(lambda: rng.choice(MALFORMED))
        until = min(end, time.monotonic() + 4)
        while time.monotonic() < until:
            opened.send(os.urandom(rng.randrange(1, 2000)))
            pause(rng.uniform(0, 0.2), until)


def resets(target, rng, end):
    """Resets requests in the middle of the head, in the middle of the body, or during the response."""
    token = register(target)
    body = bytes.fromhex(target.sample)
    request = head(
        "PUT", f"/v1/scenes/main/archives/{uuid.uuid4()}", f"Content-Length: {len(body)}", token=token) + body
    for _ in range(10):
        with Open(target, 50) as opened:
            opened.send(lambda: request[:rng.randrange(1, len(request) + 1)])
            pause(rng.uniform(0, 0.05), end)


def abandoned_places(target, rng, end):
    """Sends four hundred requests for the places of a user with many scenes, and resets them at once."""
    with Open(target, 400) as opened:
        opened.send(lambda: head("GET", "/v1/places?bundleVersion=1", token=rng.choice(target.heavy)))
        pause(rng.uniform(0, 0.3), end)


def lines(rng, count):
    """Yields items as lines of JSON that compress well."""
    run = rng.randrange(1 << 30)
    for number in range(count):
        aliases = ", ".join(f'"a{run}.{number}.{place}{"x" * 40}"' for place in range(6))
        yield f'{{"identifier": "p{run}.{number}", "aliases": [{aliases}]}}\n'


def declared(target, token):
    exchange(
        target, "PUT", "/v1/data-sources/photos", b'{"scope": "registered"}', token, Content_Type="application/json")


def gzip_lines(target, rng, end):
    """Sends compressed lines of items that inflate to 20 MB and more, from many devices at once. Some are truncated."""
    content = gzip.compress("".join(lines(rng, rng.choice([200, 20_000, 60_000]))).encode(), 6)
    if rng.random() < 0.3:
        content = gzip.compress(b" " * rng.choice([1 << 20, 30 << 20]), 9)
    if rng.random() < 0.3:
        content = content[:-rng.randrange(1, len(content))]
    with Open(target, rng.choice([4, 20, 40])) as opened:
        for connection in opened.sockets:
            token = register(target)
            declared(target, token)
            request = head(
                "PATCH", "/v1/data-sources/photos/items", "Content-Type: application/x-ndjson",
                "Content-Encoding: gzip", f"Content-Length: {len(content)}", token=token) + content
            connection.settimeout(5)
            try:
                connection.sendall(request)
            except OSError:
                pass
        pause(rng.uniform(0, 5), end)


def combining(target, rng, end):
    """Sends texts with a long run of combining marks in every text member."""
    text = "e" + "".join(rng.choice("\u0301\u0323\u0308\u0327") for _ in range(rng.choice([200, 2000, 16_000])))
    token = register(target)
    declared(target, token)
    json_fields = {"Content_Type": "application/json", "timeout": 60}
    for body in [
        {"app": target.key, "idiom": text}, {"app": text, "idiom": "phone"}, {text: 1, text + "x": 2},
        {"app": target.key, "idiom": "phone", "name": text, "model": text}
    ]:
        exchange(target, "POST", "/v1/devices", json.dumps(body, ensure_ascii=False).encode(), **json_fields)
    items = {"upserts": [{"identifier": f"p{n}{text}", "aliases": [text, text + "x"]} for n in range(4)]}
    exchange(
        target, "PATCH", "/v1/data-sources/photos/items", json.dumps(items, ensure_ascii=False).encode(), token,
        **json_fields)
    for seed in sorted(ARCHIVES.glob("combining-run*.plist")):
        upload(target, token, body=seed.read_bytes())


ARCHIVES = pathlib.Path(__file__).resolve().parent.parent / "Fuzz" / "seeds" / "archive"


def long_names(target, rng, end):
    """Uploads an archive with many references that share a very long data source name. Each request reads it again."""
    archive = plistlib.loads((ARCHIVES / "combining-run.plist").read_bytes())
    objects = archive["$objects"]
    objects[objects.index("items")] = ("e" + "\u0323" * 200) * 38
    references = objects[archive["$top"]["Placekeeper.references"].data]["NS.objects"]
    references *= rng.choice([10, 300])
    # An archive may expand shared text up to the file's size.
    objects.append("x" * 900_000)
    token = register(target)
    declared(target, token)
    upload(target, token, body=plistlib.dumps(archive, fmt=plistlib.FMT_BINARY, sort_keys=False))
    for number in range(20):
        if time.monotonic() >= end:
            return
        exchange(
            target, "GET", f"/v1/scenes/main/archives/latest?idiom=phone&bundleVersion=1&x={number}{'y' * 300}",
            token=token)


def oversized(target, rng, end):
    """Sends bodies over the limit: with a declared length, chunked, and with JSON that is expensive to decode."""
    token = register(target)
    path = f"/v1/scenes/main/archives/{uuid.uuid4()}"
    with Open(target, 30) as opened:
        opened.send(lambda: head("PUT", path, f"Content-Length: {rng.randrange(1 << 20, 1 << 40)}", token=token))
        until = min(end, time.monotonic() + 2)
        while time.monotonic() < until:
            opened.send(bytes(50_000))
            pause(0.05, until)
    with Open(target, 30) as opened:
        opened.send(head("PUT", path, "Transfer-Encoding: chunked", token=token))
        until = min(end, time.monotonic() + 2)
        while time.monotonic() < until:
            opened.send(b"c350\r\n" + bytes(50_000) + b"\r\n")
            pause(0.05, until)
    for text in ["[" * 100_000, "[" + "[]," * 300_000 + "[]]", '{"a":' * 60 + "1" + "}" * 60]:
        exchange(target, "POST", "/v1/devices", text.encode(), Content_Type="application/json")


def many_devices(target, rng, end):
    """Uploads and fetches archives from the many devices of one user."""
    token = register(target)
    tokens = [token] + [linked(target, token) for _ in range(rng.choice([8, 40, 80]))]
    for _ in range(60):
        if time.monotonic() >= end:
            return
        chosen = rng.choice(tokens)
        if chosen is None:
            continue
        upload(target, chosen)
        exchange(target, "GET", "/v1/scenes/main/archives/latest?idiom=phone&bundleVersion=42", token=chosen)


def pipelines(target, rng, end):
    """Sends requests without waiting for responses, and reads no response."""
    request = head("GET", "/v1/limits") * 500
    with Open(target, 100, receive_buffer=4096) as opened:
        until = min(end, time.monotonic() + 3)
        while time.monotonic() < until:
            opened.send(request)
            pause(0.1, until)


def streams(target, rng, end):
    """Opens and drops streams of events."""
    token = register(target)
    for _ in range(5):
        with Open(target, 40, resets=rng.random() < 0.5) as opened:
            opened.send(head("GET", "/v1/events", token=token))
            upload(target, token)
            pause(0.2, end)


def broken_archives(target, rng, end):
    """Uploads archives in which a few bytes are changed."""
    token = register(target)
    for _ in range(100):
        body = bytearray(bytes.fromhex(target.sample))
        for _ in range(rng.randrange(1, 6)):
            body[rng.randrange(len(body))] = rng.randrange(256)
        if time.monotonic() >= end:
            return
        upload(target, token, body=bytes(body))


MIXED = [(function.__name__, function) for function in (
    malformed, resets, abandoned_places, gzip_lines, combining, long_names, oversized, many_devices, pipelines, streams,
    broken_archives)]
