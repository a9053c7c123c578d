#!/usr/bin/env python3
"""Measures the service on PostgreSQL, and on SQLite in turns, and compares each figure with its goal.

    run.py BINARY [--only PART,…] [--rounds 5] [--seconds 3] [--connections 64] [--without BINARY] [--json FILE]

The parts:

- `start`: the start on SQLite, beside the program of `--without`, such as an earlier one
- `references`: 1,000 references to the items of another device
- `items`: a first registration and a delta of 10,000 items
- `events`: the time until an upload reaches an event stream at another instance, with and without hints
- `load`: uploads and reads under load, and the server's time beside pgbench with 32 uploads in a statement
- `standby`: uploads while each commit waits for a standby on this machine
- `one-user`: uploads if a transaction has the uploads of one user only, beside pgbench with one upload in a statement
- `instances`: uploads at two instances, each with users of its own (`affinity`) or both with all users (`round-robin`)
- `earlier`: uploads of 500 and 4,500 users beside the program of `--without`

The PostgreSQL servers are new, have their usual durability, and end afterward. All processes share the cores of this
machine, so the rates on PostgreSQL would be higher on machines of their own. A ratio is the median of the ratios of the
rounds. The exit status is 1 if a figure could not be measured, and 0 if a goal is missed.
"""

import argparse
import dataclasses
import json
import os
import shutil
import signal
import subprocess
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
sys.path += [os.path.join(ROOT, "Benchmarks"), os.path.join(ROOT, "Tests/Failover")]
from databases import Databases  # noqa: E402
from events import events  # noqa: E402
from figures import failure, show, table  # noqa: E402
from lists import deltas, references  # noqa: E402
from loads import PARTS, Loads, describe  # noqa: E402
from processes import Failed  # noqa: E402
from services import Service  # noqa: E402
from starts import starts  # noqa: E402

SINGLE = {"start": starts, "references": references, "items": deltas, "events": events}
ERRORS = (Failed, OSError, subprocess.SubprocessError)
ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def end(number, _):
    """Ends the benchmark. Another signal must not interrupt the end of the processes."""
    for other in ENDING:
        signal.signal(other, signal.SIG_IGN)
    sys.exit(128 + number)


class Bench:
    """The processes of the parts. The services of a part end with it."""

    def __init__(self, options):
        self.options = options
        self.databases = Databases()
        self.services = []

    def service(self, name, database=None, options=(), binary=None):
        self.services.append(Service(binary or self.options.binary, name, database, options))
        return self.services[-1]

    def stop_services(self):
        for service in self.services:
            service.stop()
            service.delete()
        self.services = []

    def close(self):
        try:
            self.stop_services()
        finally:
            self.databases.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--only", metavar="PART", help="the names of the parts, separated by commas")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=3, help="the duration of each load")
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--without", metavar="BINARY", help="an earlier program, which is compared")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    parts = options.only.split(",") if options.only else [*SINGLE, *PARTS]
    if not options.only and not options.without:
        parts = [part for part in parts if part not in ("start", "earlier")]
        print("skipped start and earlier: name an earlier program (--without)", file=sys.stderr)
    unknown = [part for part in parts if part not in SINGLE and part not in PARTS]
    binaries = [os.path.abspath(path) for path in (options.binary, options.without) if path]
    if unknown or min(options.rounds, options.seconds, options.connections) < 1:
        parser.error("name parts of --help, and positive numbers")
    for path in binaries:
        if not os.access(path, os.X_OK):
            parser.error(f"{path} is not a program")
    options.binary, options.without = (binaries + [None])[:2]
    missing = [tool for tool in ("wrk", "psql") if not shutil.which(tool)]
    if missing:
        parser.error(f"install {' and '.join(missing)}")
    os.chdir(ROOT)
    for number in ENDING:
        signal.signal(number, end)

    load = os.getloadavg()[0]
    if load > 0.5:
        print(f"The machine is busy (load {load:.1f}): the figures are less exact.", file=sys.stderr)
    figures, medians = [], {}
    bench = Bench(options)
    try:
        for part in [part for part in SINGLE if part in parts]:
            try:
                figures += SINGLE[part](bench)
            except ERRORS as error:
                figures.append(failure(part, str(error)))
            bench.stop_services()
        chosen = [part for part in PARTS if part in parts]
        if chosen:
            loads = Loads(bench, chosen)
            try:
                loads.measure()
                medians = loads.medians()
                figures += loads.figures()
            except ERRORS as error:
                figures += [failure(part, str(error)) for part in chosen]
    finally:
        show("")
        bench.close()
    if medians:
        print(describe(medians), end="\n\n")
    print(table(figures))
    if options.json:
        with open(options.json, "w") as file:
            rows = [dataclasses.asdict(figure) | {"verdict": figure.verdict} for figure in figures]
            json.dump({"load": load, "rounds": options.rounds, "figures": rows, "loads": medians}, file, indent=1)
    return 1 if any(figure.reason for figure in figures) else 0


if __name__ == "__main__":
    sys.exit(main())
