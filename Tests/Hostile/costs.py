"""Measures the CPU that a body costs the service, for every route, media type and coding of openapi.yaml.

Each body is as long as its route allows. Its cost is compared with that of plain JSON of the same length, inflated, on the
same route: of the route's example if the body is accepted, and of an object without the route's members if it is
refused. Fails if a body costs more than 4 times as much, or without a credential more than 10 ms.
costs.py [BINARY] [--sample N] [--json FILE]
"""

import argparse
import http.client
import json
import os
import random
import sys
import time

import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "OpenAPI"))

import bodies
from service import Service

LARGEST_RATIO = 4
LARGEST_COST = 0.010
# The credentials of a request that the service refuses.
BEFORE = ["no credential", "unknown token"]
METHODS = ["get", "put", "post", "patch", "delete"]
# A lower cost of plain JSON counts as this: the connection and the head cost about as much.
SMALLEST = 0.0002


class Costs:
    def __init__(self, service):
        self.service = service
        # The clock of another process's CPU time (clock_getcpuclockid(3)).
        self.clock = (~service.process.pid << 3) | 2
        self.connection = None

    def send(self, method, path, fields, body):
        """Sends a request, on a new connection if the service closed the last one. Returns the status."""
        for attempt in (1, 2):
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=60)
            try:
                self.connection.request(method, path, body=body, headers=fields)
                answer = self.connection.getresponse()
                answer.read()
                if answer.will_close:
                    self.connection = None
                return answer.status
            except (OSError, http.client.HTTPException):
                self.connection = None
                if attempt == 2:
                    return 0

    def cost(self, method, path, fields, body):
        """Returns the CPU seconds of a request, the least of several turns, and its status."""
        least, status = None, 0
        repeats = max(1, min(8, (4 << 20) // max(1, len(body))))
        for _ in range(4):
            before = time.clock_gettime(self.clock)
            for _ in range(repeats):
                status = self.send(method, path, fields, body)
            spent = (time.clock_gettime(self.clock) - before) / repeats
            least = spent if least is None else min(least, spent)
        return least, status


def example_of(content, document):
    """Returns the first example of a media type that is an object."""
    for example in (content or {}).get("examples", {}).values():
        if isinstance(example.get("value"), dict):
            return example["value"]
    return {}


def routes(document):
    """Yields the method, path, media type and example body of each route, and the route's operation."""
    for template, item in document["paths"].items():
        for method in METHODS:
            if method not in item:
                continue
            operation = item[method]
            path = template
            for name, value in {"scene": "main", "name": "photos", "source": "photos"}.items():
                path = path.replace("{%s}" % name, value)
            while "{" in path:
                start, end = path.index("{"), path.index("}")
                path = path[:start] + "2f0c7c1e-6a54-4c0b-8a43-4e1a3f0d9b11" + path[end + 1:]
            content = operation.get("requestBody", {}).get("content", {}) or {"application/json": {}}
            for media, described in content.items():
                yield method.upper(), path, media, example_of(described, document), operation["operationId"]


def limit_of(operation, limits):
    return {
        "storeArchive": limits["archiveBytes"], "storeScreenshot": limits["screenshotBytes"],
        "resolveIdentifiers": limits["itemsBytes"],
        "changeItems": limits["itemsBytes"],
    }.get(operation, limits["jsonBytes"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary", nargs="?", default=".build/release/placekeeper")
    parser.add_argument("--sample", type=int, help="the number of rows to measure, chosen at random")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    # Larger bodies take the generator longer than the service, and show the same ratio.
    parser.add_argument("--largest", type=int, default=1 << 20, help="the largest body in bytes, up to the route's limit")
    parser.add_argument("--only", help="measure rows whose name has this text")
    parser.add_argument("--json", help="write all rows to this file")
    arguments = parser.parse_args()
    with open(os.path.join(HERE, "..", "..", "openapi.yaml")) as file:
        document = yaml.safe_load(file)
    service = Service(os.path.abspath(arguments.binary))
    try:
        return measure(service, document, arguments)
    finally:
        service.process.kill()
        service.directory.cleanup()


def measure(service, document, arguments):
    key = service.create_app("com.example.costs")
    limits = json.loads(service.exchange("GET", "/v1/limits")[2])
    token = json.loads(service.exchange(
        "POST", "/v1/devices", {"Content-Type": "application/json"}.items(),
        json.dumps({"app": key, "idiom": "phone"}))[2])["token"]
    service.exchange(
        "PUT", "/v1/data-sources/photos",
        {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}.items(), '{"scope": "registered"}')
    credentials = {
        "no credential": {}, "unknown token": {"Authorization": "Bearer " + token[:-4] + "AAAA"},
        "device": {"Authorization": f"Bearer {token}"},
        "administrator": {"Authorization": "Bearer " + service.api_token("owner")},
    }
    rows = []
    for method, path, media, example, operation in routes(document):
        for credential, fields in credentials.items():
            if credential == ("device" if path.startswith("/admin") else "administrator"):
                continue
            rows += [
                (method, path, media, example, operation, credential, fields | {"Content-Type": media}, coding)
                for coding in ("identity", "gzip")]
    random.Random(arguments.seed).shuffle(rows)
    if arguments.only:
        rows = [row for row in rows if arguments.only in " ".join([*row[:3], *row[4:6], row[7]])]
    rows = rows[:arguments.sample]
    print(f"seed {arguments.seed}, {len(rows)} rows", flush=True)
    results, faults, costs = [], [], Costs(service)
    for number, (method, path, media, example, operation, credential, fields, coding) in enumerate(rows):
        limit = limit_of(operation, limits)
        if sys.stderr.isatty():
            print(f"\r{number + 1} of {len(rows)}", end="", file=sys.stderr)
        if coding == "gzip":
            fields = fields | {"Content-Encoding": "gzip"}
            made = bodies.coded(min(limit, arguments.largest), example)
        else:
            made = ((name, body, len(body)) for name, body in bodies.shapes(min(limit, arguments.largest), example))
        usual = {}
        for name, body, size in made:
            cost, status = costs.cost(method, path, fields, body)
            # A conflict is found after the body was accepted.
            compared = (size, 200 <= status < 300 or status == 409)
            if compared not in usual:
                identity = {key: value for key, value in fields.items() if key != "Content-Encoding"}
                usual[compared] = costs.cost(
                    method, path, identity, bodies.plain(size, example if compared[1] else {}))[0]
            row = {
                "route": f"{method} {path}", "media": media, "credential": credential, "coding": coding, "body": name,
                "bytes": len(body), "status": status, "ms": round(cost * 1000, 3),
                "plain ms": round(usual[compared] * 1000, 3), "ratio": round(cost / usual[compared], 2),
            }
            results.append(row)
            fault = cost > LARGEST_RATIO * max(usual[compared], SMALLEST) or (
                credential in BEFORE and cost > LARGEST_COST) or status == 0
            if service.process.poll() is not None:
                print("FAILED: the service ended", row)
                return 1
            if fault:
                faults.append(row)
    results.sort(key=lambda row: -row["ratio"])
    for title, listed in [("the largest ratios", results[:10]), ("the largest costs without a credential", sorted(
            (row for row in results if row["credential"] in BEFORE), key=lambda row: -row["ms"])[:10])]:
        print(f"{title}:")
        for row in listed:
            print("  {ratio:6.2f} × {ms:8.3f} ms  {route} {credential} {coding} {body}: {bytes} bytes, {status}".format(
                **row))
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(results, file, indent=1)
    for row in faults[:20]:
        print("FAILED:", json.dumps(row))
    print(f"{len(results) - len(faults)} passed, {len(faults)} failed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
