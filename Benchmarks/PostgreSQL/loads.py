"""Measures services with wrk in turns: their rates, and the processor time of each request."""

import http.client
import json
import statistics
import subprocess

import prepare
from figures import failure, ratio, show
from processes import Failed

KINDS = ("upload", "latest", "not-modified")
ONE_USER = ["--database-users-per-transaction", "1"]
# The parts of the benchmark that this file measures, with the services that each part compares.
PARTS = {"load": ("sqlite", "postgresql"), "standby": ("postgresql", "standby"), "one-user": ("sqlite", "one-user")}


class Loaded:
    """A service under load, with the server of its database."""

    def __init__(self, service, server=None, standby=None):
        self.service, self.server, self.standby = service, server, standby

    def prepare(self):
        key = self.service.create_app()
        self.service.start()
        try:
            prepare.fill(self.service.port, key, self.service.data, 1000)
        except (OSError, http.client.HTTPException, prepare.Refused) as error:
            raise Failed(f"{self.service.name}: {error}") from None

    def times(self):
        """The processor time of each process in seconds, and the position in the log of the server."""
        times = {"service": self.service.seconds()}
        if self.server:
            times |= {"server": self.server.seconds(), "log": self.server.log_position()}
        if self.standby:
            times["standby"] = self.standby.seconds()
        return times

    def measure(self, kind, options):
        connections = options.connections
        before = self.times()
        command = [
            "wrk", f"-t{min(2, connections)}", f"-c{connections}", f"-d{options.seconds}s", "--timeout", "10s", "-s",
            "Benchmarks/placekeeper.lua", f"http://127.0.0.1:{self.service.port}", "--", kind, self.service.data]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=options.seconds + 60)
        except subprocess.TimeoutExpired:
            raise Failed(f"{kind}, {self.service.name}: wrk did not end") from None
        after = self.times()
        lines = [line[5:] for line in done.stdout.splitlines() if line.startswith("JSON ")]
        if done.returncode or not lines:
            raise Failed(f"{kind}, {self.service.name}: wrk failed: {done.stderr.strip()}")
        result = json.loads(lines[0])
        wrong = result["errors"] + result["refused"]
        if wrong or not result["requests"]:
            raise Failed(f"{kind}, {self.service.name}: {wrong} errors beside {result['requests']} answers")
        figures = {name: result[name] for name in ("p50", "p99")}
        figures["rate"] = result["requests"] / result["microseconds"] * 1e6
        for name, value in before.items():
            # Times are in microseconds, and the log is in bytes.
            scale = 1 if name == "log" else 1e6
            figures[name] = (after[name] - value) / result["requests"] * scale
        return figures


class Loads:
    """The rounds of the parts that were chosen. A service that fails leaves the turns."""

    def __init__(self, bench, parts):
        self.bench, self.parts = bench, parts
        self.names = [
            name for name in ("sqlite", "postgresql", "standby", "one-user")
            if any(name in PARTS[part] for part in parts)]
        self.rounds, self.failures = {}, {}

    def make(self, name):
        """Returns a service with an empty database."""
        if name == "sqlite":
            return Loaded(self.bench.service(name))
        options = ONE_USER if name == "one-user" else []
        server = self.bench.databases.replicated() if name == "standby" else self.bench.databases.alone()
        database = server.database("load_" + name.replace("-", "_"))
        standby = self.bench.databases.servers["standby"] if name == "standby" else None
        return Loaded(self.bench.service(name, database, options), server, standby)

    def measure(self):
        all_loaded = {}
        for name in self.names:
            show(f"{name}: starts")
            try:
                all_loaded[name] = self.make(name)
                all_loaded[name].prepare()
            except Failed as error:
                self.failures[name] = str(error)
        self.bench.databases.settle()
        for number in range(self.bench.options.rounds):
            for kind in KINDS if "load" in self.parts else KINDS[:1]:
                # Each service runs after the other services equally often, because they leave work for the disk.
                turns = list(all_loaded.items())
                for name, loaded in reversed(turns) if number % 2 else turns:
                    if name in self.failures or (kind != "upload" and name not in PARTS["load"]):
                        continue
                    show(f"round {number + 1} of {self.bench.options.rounds}: {kind}, {name}")
                    try:
                        self.rounds.setdefault((kind, name), []).append(loaded.measure(kind, self.bench.options))
                    except Failed as error:
                        self.failures[name] = str(error)
        if "standby" in all_loaded and "standby" not in self.failures:
            try:
                self.bench.databases.check_standby()
            except Failed as error:
                self.failures["standby"] = str(error)

    def medians(self):
        return {
            f"{kind}, {name}": {key: statistics.median(round[key] for round in rounds) for key in rounds[0]}
            for (kind, name), rounds in self.rounds.items() if name not in self.failures}

    def compare(self, title, kind, name, base, key, **goal):
        """A figure of a service, divided by the figure of another service in the same round."""
        for service in (name, base):
            if service in self.failures:
                return failure(title, self.failures[service])
        pairs = zip(self.rounds[kind, name], self.rounds[kind, base])
        return ratio(title, [one[key] / other[key] for one, other in pairs], **goal)

    def figures(self):
        found = []
        if "load" in self.parts:
            both = ("postgresql", "sqlite")
            found += [
                self.compare("upload, rate to SQLite", "upload", *both, "rate", least=0.8),
                self.compare("upload, processor time to SQLite", "upload", *both, "service", most=1.8)]
            for kind in KINDS[1:]:
                found += [
                    self.compare(f"{kind}, rate to SQLite", kind, *both, "rate", least=0.5),
                    self.compare(f"{kind}, processor time to SQLite", kind, *both, "service")]
        if "standby" in self.parts:
            found.append(self.compare(
                "upload, synchronous standby, rate to none", "upload", "standby", "postgresql", "rate", least=0.6))
        if "one-user" in self.parts:
            both = ("one-user", "sqlite")
            found += [
                self.compare("upload, one user a transaction, rate to SQLite", "upload", *both, "rate", least=0.3),
                self.compare(
                    "upload, one user a transaction, processor time to SQLite", "upload", *both, "service", most=3.2)]
        return found


def describe(medians):
    """Returns a line for each load of each service."""
    lines = []
    for title, figures in medians.items():
        text = f"{title:24} {figures['rate']:8.0f}/s  service {figures['service']:6.1f} us"
        if "server" in figures:
            text += f"  server {figures['server']:6.1f} us  log {figures['log']:6.0f} bytes"
        if "standby" in figures:
            text += f"  standby {figures['standby']:6.1f} us"
        lines.append(f"{text}  p50 {figures['p50'] / 1000:.2f} ms  p99 {figures['p99'] / 1000:.2f} ms")
    return "\n".join(lines)
