#!/usr/bin/env python3
"""Measures the service on PostgreSQL and on SQLite in turns, on the same machine and in the same minutes.

    postgres.py BINARY [--rounds 5] [--seconds 3] [--connections 64] [--json FILE]

BINARY must be built with `make build POSTGRESQL=1`. The PostgreSQL server is a new one on this machine, with its usual
durability, and ends afterwards. Prints the medians of the rounds: the rate, the processor time of the service and of the
server for each request, and for uploads the bytes that the server writes to its log. The server shares the cores with the
service and with wrk, so the rate on PostgreSQL would be higher on machines of their own.
"""
import argparse, json, os, shutil, statistics, subprocess, sys, time, urllib.request

TICKS = os.sysconf("SC_CLK_TCK")
FOLDER = ".build-bench/postgres"
DURABLE = "-c fsync=on -c full_page_writes=on -c synchronous_commit=on -c shared_buffers=512MB"


def ticks(pid):
    """The processor time of a process and of its ended children."""
    try:
        fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    except FileNotFoundError:
        return 0
    return sum(int(field) for field in fields[11:15])


def children(pid):
    found = []
    for task in os.listdir(f"/proc/{pid}/task"):
        found += [int(child) for child in open(f"/proc/{pid}/task/{task}/children").read().split()]
    return found


class Database:
    """A PostgreSQL server."""

    def __init__(self):
        environment = {**os.environ, "PLACEKEEPER_POSTGRES_OPTIONS": DURABLE}
        self.process = subprocess.Popen(
            ["scripts/postgres-for-tests"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
        self.folder = self.process.stdout.readline().strip()
        if not self.folder:
            sys.exit("PostgreSQL did not start")
        self.url = f"postgres:///postgres?host={self.folder}&user=test"
        self.server = int(open(f"{self.folder}/data/postmaster.pid").readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()

    def seconds(self):
        return (ticks(self.server) + sum(ticks(child) for child in children(self.server))) / TICKS

    def log_position(self):
        query = "SELECT pg_current_wal_insert_lsn() - '0/0'"
        command = ["psql", "-h", self.folder, "-U", "test", "-d", "postgres", "-Atc", query]
        return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


class Service:
    def __init__(self, binary, name, port, environment, database):
        self.name, self.database, self.data = name, database, f"{FOLDER}/{name}"
        environment = {**os.environ, **environment}
        shutil.rmtree(self.data, ignore_errors=True)
        subprocess.run(
            [sys.executable, "Benchmarks/prepare.py", self.data, "--binary", binary], check=True, env=environment,
            stdout=subprocess.DEVNULL)
        self.url = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen(
            [binary, "serve", "--bench", "--listen", f"127.0.0.1:{port}", "--data", self.data], env=environment,
            stderr=subprocess.DEVNULL)
        for _ in range(200):
            try:
                urllib.request.urlopen(self.url + "/hello", timeout=1)
                return
            except OSError:
                time.sleep(0.05)
        sys.exit(f"{name} did not start")

    def measure(self, kind, connections, seconds):
        service, server, log = ticks(self.process.pid) / TICKS, 0, 0
        if self.database:
            server, log = self.database.seconds(), self.database.log_position()
        threads = min(2, connections)
        output = subprocess.run(
            ["wrk", f"-t{threads}", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s", "-s",
             "Benchmarks/placekeeper.lua", self.url, "--", kind, self.data],
            capture_output=True, text=True, check=True).stdout
        result = next(json.loads(line[5:]) for line in output.splitlines() if line.startswith("JSON "))
        count = max(1, result["requests"])
        figures = {
            "rate": count / result["microseconds"] * 1e6, "p50": result["p50"], "p99": result["p99"],
            "errors": result["errors"], "service": (ticks(self.process.pid) / TICKS - service) / count * 1e6}
        if self.database:
            figures["server"] = (self.database.seconds() - server) / count * 1e6
            figures["log"] = (self.database.log_position() - log) / count
        return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--json")
    options = parser.parse_args()
    os.makedirs(FOLDER, exist_ok=True)
    database = Database()
    services = []
    try:
        services.append(Service(options.binary, "sqlite", 9041, {}, None))
        services.append(
            Service(options.binary, "postgresql", 9042, {"PLACEKEEPER_DATABASE": database.url}, database))
        rounds = {}
        for number in range(options.rounds):
            for kind in ("upload", "latest", "not-modified"):
                for service in services:
                    if sys.stderr.isatty():
                        text = f"\rround {number + 1} of {options.rounds}: {kind}, {service.name}    "
                        print(text, end="", file=sys.stderr)
                    figures = service.measure(kind, options.connections, options.seconds)
                    rounds.setdefault((kind, service.name), []).append(figures)
        if sys.stderr.isatty():
            print(file=sys.stderr)
    finally:
        for service in services:
            service.process.terminate()
            service.process.wait()
        database.close()
    medians = {
        f"{kind}, {name}": {key: statistics.median(round[key] for round in found) for key in found[0]}
        for (kind, name), found in rounds.items()}
    for title, figures in medians.items():
        text = f"{title:28} {figures['rate']:8.0f}/s  service {figures['service']:6.1f} us"
        if "server" in figures:
            kind = title.split(",")[0]
            base = medians[f"{kind}, sqlite"]
            text += (
                f" (x{figures['service'] / base['service']:.2f})  server {figures['server']:6.1f} us"
                f"  log {figures['log']:6.0f} bytes  rate x{figures['rate'] / base['rate']:.2f}")
        print(text + f"  p50 {figures['p50'] / 1000:.2f} ms  p99 {figures['p99'] / 1000:.2f} ms  errors {figures['errors']:.0f}")
    if options.json:
        json.dump(medians, open(options.json, "w"), indent=1)


main()
