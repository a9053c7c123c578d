"""Measures what an attacker costs other users. beside.py [BINARY] [--seconds N] [--only ATTACK] [--postgresql]

An attacker on one core sends expensive requests on 64 connections, in turns with a control that sends plain requests of
the same size. Meanwhile two other users upload archives and fetch their latest. Fails if the 99th percentile of either
is more than twice as long beside the attack as beside the control, if the service uses more than 512 MB, or if it ends.
"""

import argparse
import json
import multiprocessing
import os
import select
import socket
import subprocess
import sys
import time
import uuid

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "OpenAPI"))

import bodies
from attacks import Target, declared, exchange, head, register
from healthy import Client
from service import Service, bare_archive

CONNECTIONS = 64
LARGEST_RATIO = 2
LARGEST_MEMORY = 512 << 20
JSON = "Content-Type: application/json"


def request(method, path, body=b"", *fields, token=None):
    return head(method, path, f"Content-Length: {len(body)}", *fields, token=token) + body


class Attacks:
    """The expensive requests of each attack, and the plain requests that they are compared with."""

    def __init__(self, service, key):
        self.target = Target(port=service.port, key=key, sample=service.sample().hex(), heavy=None)
        self.service = service
        self.all = {
            name[7:]: getattr(self, name) for name in dir(self) if name.startswith("attack_")
        }

    def register(self, **variants):
        example = {"app": "pk_unknown", "idiom": "phone", "name": "Phone"}
        made = {name: (body, coding) for size in [65_000] for kind, coding in
                [(bodies.shapes(size, example), ()), (
                    ((name, body) for name, body, _ in bodies.coded(size, example)), ("Content-Encoding: gzip",))]
                for name, body in kind}
        hostile = [request("POST", "/v1/devices", made[name][0], JSON, *made[name][1]) for name in variants["names"]]
        return hostile, [request("POST", "/v1/devices", bodies.plain(65_000, example), JSON)]

    def attack_members(self):
        return self.register(names=["empty members"])

    def attack_blocks(self):
        return self.register(names=["empty coded blocks", "empty stored blocks", "zeros"])

    def attack_escapes(self):
        return self.register(names=["escapes in app", "pairs in app", "hexadecimal in zz", "short escaped names"])

    def attack_values(self):
        return self.register(names=["members", "objects", "arrays", "marks in app", "long number"])

    def device(self):
        token = register(self.target)
        declared(self.target, token)
        return token

    def attack_items(self):
        """A delta whose elements are invalid, from 64 devices."""
        example = {"upserts": [{"identifier": "a", "aliases": ["b"]}]}
        tokens = [self.device() for _ in range(CONNECTIONS)]
        made = dict(bodies.shapes(1_000_000, example))
        names = ["escapes in zz", "elements of upserts", "empty elements of upserts", "objects"]
        path = "/v1/data-sources/photos/items"
        return (
            [request("PATCH", path, made[names[n % 4]], JSON, token=token) for n, token in enumerate(tokens)],
            [request("PATCH", path, bodies.plain(1_000_000, {"after": 7}), JSON, token=token) for token in tokens])

    def attack_archives(self):
        """Uploads that expand shared objects, from 64 devices."""
        tokens = [self.device() for _ in range(CONNECTIONS)]
        folder = os.path.join(HERE, "..", "Fuzz", "seeds", "archive")
        seeds = [open(os.path.join(folder, name), "rb").read() for name in sorted(os.listdir(folder))]
        seeds = [seed for seed in seeds if len(seed) > 1000] or seeds
        size = max(map(len, seeds))
        plain = bare_archive("x" * size)

        def put(body, token):
            return request("PUT", f"/v1/scenes/main/archives/{uuid.uuid4()}", body, token=token)

        return (
            [put(seeds[n % len(seeds)], token) for n, token in enumerate(tokens)],
            [put(plain, token) for token in tokens])

    def attack_looks(self):
        """A viewer who compares and inspects archives with many keys, as often as it likes."""
        token = self.device()
        names = [[f"{letter}{number}" for number in range(60_000)] for letter in "ab"]
        large = [bare_archive("x", **{name: archive for name in names[archive]}) for archive in range(2)]
        large, small = [
            [self.stored(token, scene, body) for body in archives]
            for scene, archives in [("large", large), ("small", [bytes.fromhex(self.target.sample)] * 2)]]
        viewer = self.service.api_token("viewer")
        fields = {"Authorization": f"Bearer {viewer}"}
        apps = json.loads(self.service.exchange("GET", "/admin/api/apps", fields.items())[2])["items"]
        app = next(app["id"] for app in apps if app["bundleIdentifier"] == "com.example.beside")
        found = json.loads(self.service.exchange(
            "GET", f"/admin/api/apps/{app}/find?text={large[0]}", fields.items())[2])
        user = found["items"][0]["user"]

        def looks(scene, archives):
            path = f"/admin/api/apps/{app}/users/{user}/scenes/{scene}/archives/{archives[0]}"
            for target in (path, f"{path}/diff?with={archives[1]}"):
                status, _, body = self.service.exchange("GET", target, fields.items())
                assert status == 200, body
                yield request("GET", target, token=viewer)

        return list(looks("large", large)), list(looks("small", small))

    def stored(self, token, scene, body):
        archive = str(uuid.uuid4())
        answer = exchange(
            self.target, "PUT", f"/v1/scenes/{scene}/archives/{archive}?idiom=phone&bundleVersion=42", body, token)
        assert answer[0] == 201, answer
        return archive


def attacker(port, requests, seconds, results):
    """Sends requests on 64 connections for some seconds, each as soon as the answer to the one before arrived."""
    os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[0]})
    end, count, sockets, poll = time.monotonic() + seconds, 0, {}, select.epoll()

    def open_one(number):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.setblocking(False)
        sockets[connection.fileno()] = [connection, memoryview(requests[number % len(requests)]), 0, number]
        poll.register(connection.fileno(), select.EPOLLIN | select.EPOLLOUT)

    for number in range(CONNECTIONS):
        open_one(number)
    while time.monotonic() < end:
        for descriptor, event in poll.poll(0.1):
            state = sockets[descriptor]
            connection, content, sent, number = state
            try:
                if sent < len(content) and event & select.EPOLLOUT:
                    state[2] += connection.send(content[sent:])
                    if state[2] == len(content):
                        poll.modify(descriptor, select.EPOLLIN)
                if event & (select.EPOLLIN | select.EPOLLHUP | select.EPOLLERR):
                    # An answer to a request of this client fits into one read.
                    if connection.recv(1 << 20) and state[2] == len(content):
                        count += 1
                        state[2] = 0
                        poll.modify(descriptor, select.EPOLLIN | select.EPOLLOUT)
                    else:
                        raise ConnectionResetError
            except BlockingIOError:
                pass
            except OSError:
                # The service closes connections that it refuses.
                poll.unregister(descriptor)
                connection.close()
                del sockets[descriptor]
                open_one(number)
    results.put(count)


def victim(port, key, sample, seconds, uploads, results):
    """Uploads or fetches for some seconds, and puts the times of the requests."""
    client = Client({"port": port, "key": key, "sample": sample})
    client.register()
    fields = {"Authorization": f"Bearer {client.token}"}
    path = "/v1/scenes/main/archives/"
    client.request("PUT", path + str(uuid.uuid4()), 201, client.sample, fields)
    client.times, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        if uploads:
            client.request("PUT", path + str(uuid.uuid4()), 201, client.sample, fields)
        else:
            client.request("GET", path + "latest?idiom=phone&bundleVersion=42&systemVersion=17.4", 200, None, fields)
        time.sleep(0.002)
    results.put((client.times, client.failures))


def percentile(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def memory(service):
    with open(f"/proc/{service.process.pid}/status") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM"))


def turn(service, key, sample, requests, seconds):
    """Returns the times of the victims' uploads and fetches beside these requests."""
    queues = [multiprocessing.Queue() for _ in range(3)]
    processes = [multiprocessing.Process(target=attacker, args=(service.port, requests, seconds + 1, queues[0]))] + [
        multiprocessing.Process(
            target=victim, args=(service.port, key, sample, seconds, uploads, queues[1 + number]))
        for number, uploads in enumerate((True, False))]
    for process in processes:
        process.start()
    count, (uploads, upload_failures), (fetches, fetch_failures) = [queue.get(timeout=seconds + 120) for queue in queues]
    for process in processes:
        process.join()
    return count, uploads, fetches, upload_failures + fetch_failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary", nargs="?", default=".build/release/placekeeper")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--only")
    parser.add_argument("--postgresql", action="store_true", help="on PostgreSQL, which the binary must have")
    arguments = parser.parse_args()
    server = database = None
    if arguments.postgresql:
        server = subprocess.Popen(
            [os.path.join(HERE, "..", "..", "scripts", "postgres-for-tests")], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        database = f"postgresql:///postgres?host={server.stdout.readline().strip()}&user=test"
    try:
        service = Service(os.path.abspath(arguments.binary), database)
        try:
            return measure(service, arguments)
        finally:
            service.process.kill()
            service.directory.cleanup()
    finally:
        if server:
            server.communicate()


def measure(service, arguments):
    key = service.create_app("com.example.beside")
    attacks, faults = Attacks(service, key), []
    for name, make in attacks.all.items():
        if arguments.only and arguments.only != name:
            continue
        hostile, plain = make()
        seen = {"attack": ([], [], 0), "control": ([], [], 0)}
        for _ in range(arguments.turns):
            for kind, requests in [("attack", hostile), ("control", plain)]:
                count, uploads, fetches, failures = turn(
                    service, key, attacks.target.sample, requests, arguments.seconds)
                seen[kind] = (seen[kind][0] + uploads, seen[kind][1] + fetches, seen[kind][2] + count)
                if failures:
                    faults.append(f"{name}, {kind}: {failures[0]}")
        line = f"{name:10}"
        for number, what in enumerate(("PUT", "latest")):
            beside, control = (percentile(seen[kind][number], 0.99) for kind in ("attack", "control"))
            medians = [percentile(seen[kind][number], 0.5) for kind in ("attack", "control")]
            line += (f"  {what} p99 {beside * 1000:.1f} and {control * 1000:.1f} ms ({beside / control:.2f} ×), "
                     f"median {medians[0] * 1000:.2f} and {medians[1] * 1000:.2f}, longest {max(seen['attack'][number]) * 1000:.0f};")
            if beside > LARGEST_RATIO * control:
                faults.append(f"{name}: the 99th percentile of {what} is {beside / control:.2f} × that of the control")
        print(line, f"{seen['attack'][2]} and {seen['control'][2]} requests, {memory(service) >> 20} MB", flush=True)
        if service.process.poll() is not None:
            faults.append(f"{name}: the service ended")
            break
    if memory(service) > LARGEST_MEMORY:
        faults.append("the service used more than 512 MB")
    for fault in faults:
        print("FAILED:", fault)
    print("passed" if not faults else f"{len(faults)} failures")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
