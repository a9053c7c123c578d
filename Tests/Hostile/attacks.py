"""Attacks on a server on this machine. Each is bounded in connections, bytes and time, and ends by itself."""

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
        # The tokens of a user with very many heads.
        self.heavy = heavy


class Open:
    """Connections that are closed, or reset, at the end."""

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
        """Sends what each takes at once."""
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
    """One request with its answer; None when there is none."""
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
    """Another device of the token's user."""
    answer = exchange(target, "POST", "/v1/link-codes", token=token)
    return register(target, json.loads(answer[1])["code"]) if answer and answer[0] == 201 else None


def upload(target, token, scene="main", body=None):
    path = f"/v1/scenes/{scene}/archives/{uuid.uuid4()}"
    return exchange(target, "PUT", path, body or bytes.fromhex(target.sample), token)


def heavy_user(target, scenes=200, devices=8):
    """The tokens of a user whose devices each have a head in very many scenes."""
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
    """A thousand connections at once: idle ones, heads and bodies that drip in, and answers that nobody takes."""
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
    """Malformed requests from peers that go on sending beyond the refusal, and beyond the server's patience."""
    with Open(target, rng.randrange(100, 300), resets=rng.random() < 0.5) as opened:
        opened.send(lambda: rng.choice(MALFORMED))
        until = min(end, time.monotonic() + 4)
        while time.monotonic() < until:
            opened.send(os.urandom(rng.randrange(1, 2000)))
            pause(rng.uniform(0, 0.2), until)


def resets(target, rng, end):
    """Requests that are reset in the middle of the head, of the body, or while they are answered."""
    token = register(target)
    body = bytes.fromhex(target.sample)
    request = head(
        "PUT", f"/v1/scenes/main/archives/{uuid.uuid4()}", f"Content-Length: {len(body)}", token=token) + body
    for _ in range(10):
        with Open(target, 50) as opened:
            opened.send(lambda: request[:rng.randrange(1, len(request) + 1)])
            pause(rng.uniform(0, 0.05), end)


def abandoned_places(target, rng, end):
    """Four hundred requests for the places of a user that has very many, reset at once."""
    with Open(target, 400) as opened:
        opened.send(lambda: head("GET", "/v1/places?bundleVersion=1", token=rng.choice(target.heavy)))
        pause(rng.uniform(0, 0.3), end)


def lines(rng, count):
    """Items as lines of JSON that inflate to much."""
    run = rng.randrange(1 << 30)
    for number in range(count):
        aliases = ", ".join(f'"a{run}.{number}.{place}{"x" * 40}"' for place in range(6))
        yield f'{{"identifier": "p{run}.{number}", "aliases": [{aliases}]}}\n'


def declared(target, token):
    exchange(
        target, "PUT", "/v1/data-sources/photos", b'{"scope": "registered"}', token, Content_Type="application/json")


def gzip_lines(target, rng, end):
    """Compressed lines of items that inflate to 20 MB and more, from many devices at once; some are cut off."""
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
    """Texts of one long run of combining marks wherever a text is taken."""
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
    """An archive with very many references to one very long data source name, which is read again for each request."""
    archive = plistlib.loads((ARCHIVES / "combining-run.plist").read_bytes())
    objects = archive["$objects"]
    objects[objects.index("items")] = ("e" + "\u0323" * 200) * 38
    references = objects[archive["$top"]["Placekeeper.references"].data]["NS.objects"]
    references *= rng.choice([10, 300])
    # An archive may share as much text as the file is large.
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
    """Bodies over the limit: declared, chunked, and decoded to very much."""
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
    """A user with many devices, each of which was served much."""
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
    """Requests sent without waiting for answers, which nobody reads."""
    request = head("GET", "/v1/limits") * 500
    with Open(target, 100, receive_buffer=4096) as opened:
        until = min(end, time.monotonic() + 3)
        while time.monotonic() < until:
            opened.send(request)
            pause(0.1, until)


def streams(target, rng, end):
    """Streams of events that are opened and dropped."""
    token = register(target)
    for _ in range(5):
        with Open(target, 40, resets=rng.random() < 0.5) as opened:
            opened.send(head("GET", "/v1/events", token=token))
            upload(target, token)
            pause(0.2, end)


def broken_archives(target, rng, end):
    """Archives with a few bytes changed."""
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
