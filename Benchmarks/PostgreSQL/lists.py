"""Measures lists of items: deltas of 10,000 items, and references to the items of another device."""

import contextlib
import json
import random
import statistics

from figures import duration, failure, percentile, show
from processes import Failed
from services import Client

SOURCE = "/v1/data-sources/photos"
STORES = (("sqlite", "SQLite"), ("postgresql", "PostgreSQL"))
USERS = 20
DEVICES = 3
ITEMS = 2000
REFERENCES = 1000
REQUESTS_IN_ROUND = 100
DELTA = 10_000
# A request without statistics may take seconds.
REQUESTS_WITHOUT_STATISTICS = 5


def identifier(device, number):
    return f"x-coredata://{device:04X}/Photo/p{number}"


def items(device, count, version=0):
    """A list of items. Items with the same number are the same on all devices, because they share an alias."""
    return [
        {"identifier": identifier(device, number), "aliases": [f"server:{number}", f"hash:{version:04x}{number:08x}"],
         "position": 1000 * number + version}
        for number in range(count)]


class Store:
    """A service with an app whose data source `photos` is registered."""

    def __init__(self, bench, name, part):
        server = bench.databases.alone() if name == "postgresql" else None
        service = bench.service(f"{part}-{name}", server.database(f"{part}_{name}") if server else None)
        self.key = service.create_app()
        service.start()
        self.client = Client(service.port)
        self.users = []

    def add_user(self, devices):
        self.users.append(self.client.user(self.key, devices))
        self.client.ask("PUT", SOURCE, self.users[-1][0][0], json.dumps({"scope": "registered"}))

    def send(self, token, changed):
        """Sends a delta, and returns its seconds."""
        content, _, seconds = self.client.ask("PATCH", f"{SOURCE}/items", token, json.dumps({"upserts": changed}))
        if json.loads(content)["count"] != len(changed):
            raise Failed(f"a delta of {len(changed)} items led to {content.decode()}")
        return seconds

    def resolve(self, rng):
        """Resolves random items of one device on another device of the user, and returns the seconds."""
        devices = rng.choice(self.users)
        source, target = rng.sample(range(DEVICES), 2)
        numbers = rng.sample(range(ITEMS), REFERENCES)
        question = json.dumps(
            {"device": devices[source][1], "identifiers": [identifier(source, number) for number in numbers]})
        content, _, seconds = self.client.ask("POST", f"{SOURCE}/resolve", devices[target][0], question)
        found = [result["identifier"] for result in json.loads(content)["results"]]
        if found != [identifier(target, number) for number in numbers]:
            raise Failed("a reference did not resolve to its item")
        return seconds


@contextlib.contextmanager
def no_statistics(bench):
    """PostgreSQL gathers no statistics by itself for this time, as in the first minute after a large import."""
    server = bench.databases.alone()
    server.configure(autovacuum="off")
    try:
        yield
    finally:
        server.configure(autovacuum="on")


def attempt(title, limit, measure):
    """Returns the figure of the median of some times, or of the failure."""
    try:
        times = measure()
    except Failed as error:
        return failure(title, str(error))
    return duration(title, statistics.median(times), limit, f"{len(times)} requests, longest {max(times):.2f} s")


def references(bench):
    stores = {name: Store(bench, name, "references") for name, _ in STORES}
    with no_statistics(bench):
        for name, store in stores.items():
            for number in range(USERS):
                show(f"references, {name}: user {number + 1} of {USERS}")
                store.add_user(DEVICES)
                for device, (token, _) in enumerate(store.users[-1]):
                    store.send(token, items(device, ITEMS))
        show("references without statistics")
        rng = random.Random(0)
        early = attempt(
            "1,000 references, PostgreSQL without statistics", 0.02,
            lambda: [stores["postgresql"].resolve(rng) for _ in range(REQUESTS_WITHOUT_STATISTICS)])
    bench.databases.settle()
    times = {name: [] for name in stores}
    for number in range(bench.options.rounds):
        show(f"references: round {number + 1} of {bench.options.rounds}")
        for name, store in stores.items():
            rng = random.Random(number)
            times[name] += [store.resolve(rng) for _ in range(REQUESTS_IN_ROUND)]
    figures = []
    for name, title in STORES:
        limit = 0.02 if name == "postgresql" else None
        for text, value in (("median", statistics.median(times[name])), ("p99", percentile(times[name], 0.99))):
            figures.append(duration(
                f"1,000 references, {title}, {text}", value, limit, f"{len(times[name])} requests"))
    return [*figures, early]


def deltas(bench):
    stores = {name: Store(bench, name, "items") for name, _ in STORES}
    versions = {"first registration of 10,000 items": 0, "delta that changes 10,000 items": 1}

    def send(store, version):
        # The items of the second device are the items of the first.
        return [
            store.send(token, items(device, DELTA, version)) for device, (token, _) in enumerate(store.users[-1])]

    early = []
    with no_statistics(bench):
        store = stores["postgresql"]
        store.add_user(2)
        for title, version in versions.items():
            show(f"{title}, without statistics")
            early.append(attempt(f"{title}, PostgreSQL without statistics", 0.5, lambda: send(store, version)))
    bench.databases.settle()
    times = {(title, name): [] for title in versions for name in stores}
    for number in range(bench.options.rounds):
        for name, store in stores.items():
            show(f"items: round {number + 1} of {bench.options.rounds}, {name}")
            store.add_user(2)
            for title, version in versions.items():
                times[title, name] += send(store, version)
    return [
        attempt(f"{title}, {store}", 0.5, lambda: times[title, name]) for title in versions for name, store in STORES
    ] + early
