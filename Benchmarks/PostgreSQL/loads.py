"""Measures services with wrk in turns: their rates, and the processor time of each request."""

import http.client
import json
import os
import shutil
import statistics
import subprocess

import prepare
from figures import failure, ratio, show
from pgbench import Pgbench
from processes import Failed

KINDS = ("upload", "latest", "not-modified")
# As many connections for writes as pgbench has clients.
ONE_USER = ["--database-users-per-transaction", "1", "--database-connections", "128"]
# The parts of the benchmark that this file measures, with the services that each part compares.
PARTS = {
    "load": ("sqlite", "postgresql", "pgbench-32"), "standby": ("postgresql", "standby"),
    "one-user": ("one-user", "pgbench-1"), "instances": ("postgresql", "affinity", "round-robin"),
    "earlier": ("postgresql", "earlier", "cold", "earlier-cold"),
}
NAMES = (
    "sqlite", "postgresql", "standby", "one-user", "affinity", "round-robin", "earlier", "cold", "earlier-cold",
    "pgbench-1", "pgbench-32")
# Uploads use half of the devices: 500 users, or 4,500 in the cold loads.
DEVICES, COLD_DEVICES = 1000, 9000


class Loaded:
    """Instances of the service under load, with the server of their database.

    With `affinity`, each instance has users of its own. Otherwise each one gets the requests of all users.
    """

    def __init__(self, services, server=None, standby=None, devices=DEVICES, affinity=False):
        self.services, self.server, self.standby = services, server, standby
        self.devices, self.affinity = devices, affinity

    def prepare(self):
        first = self.services[0]
        key = first.create_app()
        for service in self.services:
            service.start()
        try:
            prepare.fill(first.port, key, first.data, self.devices)
        except (OSError, http.client.HTTPException, prepare.Refused) as error:
            raise Failed(f"{first.name}: {error}") from None
        self.folders = [first.data] * len(self.services)
        if self.affinity:
            self.folders = [self.part(number) for number in range(len(self.services))]

    def part(self, number):
        """Returns a folder with the devices of one instance."""
        first, folder = self.services[0].data, os.path.join(self.services[number].data, "part")
        shutil.copytree(first, folder, ignore=lambda *_: ["part"])
        for name in ("tokens", "entity-tags"):
            with open(os.path.join(first, name)) as file:
                lines = file.readlines()
            with open(os.path.join(folder, name), "w") as file:
                file.writelines(lines[number::len(self.services)])
        return folder

    def times(self):
        """The processor time of each process in seconds, and the position in the log of the server."""
        times = {"service": sum(service.seconds() for service in self.services)}
        if self.server:
            times |= {"server": self.server.seconds(), "log": self.server.log_position()}
        if self.standby:
            times["standby"] = self.standby.seconds()
        return times

    def measure(self, kind, options):
        connections = options.connections // len(self.services)
        before = self.times()
        running = [
            subprocess.Popen(
                ["wrk", f"-t{max(1, 2 // len(self.services))}", f"-c{connections}", f"-d{options.seconds}s",
                 "--timeout", "10s", "-s", "Benchmarks/placekeeper.lua", f"http://127.0.0.1:{service.port}", "--",
                 kind, folder, "4096", "random", str(2 * place)],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for place, (service, folder) in enumerate(zip(self.services, self.folders))]
        try:
            outputs = [each.communicate(timeout=options.seconds + 60) for each in running]
        except subprocess.TimeoutExpired:
            for each in running:
                each.kill()
            raise Failed(f"{kind}, {self.services[0].name}: wrk did not end") from None
        after = self.times()
        results = []
        for output, errors in outputs:
            lines = [line[5:] for line in output.splitlines() if line.startswith("JSON ")]
            if not lines:
                raise Failed(f"{kind}, {self.services[0].name}: wrk failed: {errors.strip()}")
            results.append(json.loads(lines[0]))
        requests = sum(result["requests"] for result in results)
        wrong = sum(result["errors"] + result["refused"] for result in results)
        if wrong or not requests:
            raise Failed(f"{kind}, {self.services[0].name}: {wrong} errors beside {requests} answers")
        figures = {name: max(result[name] for result in results) for name in ("p50", "p99")}
        figures["rate"] = sum(result["requests"] / result["microseconds"] * 1e6 for result in results)
        for name, value in before.items():
            # Times are in microseconds, and the log is in bytes.
            scale = 1 if name == "log" else 1e6
            figures[name] = (after[name] - value) / requests * scale
        return figures


class Loads:
    """The rounds of the parts that were chosen. A service that fails leaves the turns."""

    def __init__(self, bench, parts):
        self.bench, self.parts = bench, parts
        self.names = [name for name in NAMES if any(name in PARTS[part] for part in parts)]
        self.rounds, self.failures = {}, {}

    def make(self, name):
        """Returns a service with an empty database."""
        if name == "sqlite":
            return Loaded([self.bench.service(name)])
        if name.startswith("pgbench"):
            return Pgbench(self.bench.databases.alone(), int(name.rpartition("-")[2]))
        options = ONE_USER if name == "one-user" else []
        server = self.bench.databases.replicated() if name == "standby" else self.bench.databases.alone()
        database = server.database("load_" + name.replace("-", "_"))
        standby = self.bench.databases.servers["standby"] if name == "standby" else None
        binary = self.bench.options.without if name.startswith("earlier") else None
        names = [name, name + "-2"] if name in PARTS["instances"][1:] else [name]
        services = [self.bench.service(name, database, options, binary) for name in names]
        devices = COLD_DEVICES if name.endswith("cold") else DEVICES
        return Loaded(services, server, standby, devices, affinity=name == "affinity")

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
                    if name in self.failures or (kind != "upload" and name not in ("sqlite", "postgresql")):
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

        def add(title, name, base, key, kind="upload", **goal):
            found.append(self.compare(title, kind, name, base, key, **goal))

        if "load" in self.parts:
            both = ("postgresql", "sqlite")
            for kind in KINDS:
                goal = {} if kind == "upload" else {"least": 0.5}
                add(f"{kind}, rate to SQLite", *both, "rate", kind, **goal)
                add(f"{kind}, processor time to SQLite", *both, "service", kind)
            both = ("postgresql", "pgbench-32")
            add("upload, the server's time to pgbench with 32 in a statement", *both, "server", most=2)
            add("upload, the server's log to pgbench", *both, "log")
        if "standby" in self.parts:
            add("upload, synchronous standby, rate to none", "standby", "postgresql", "rate", least=0.6)
        if "one-user" in self.parts:
            both = ("one-user", "pgbench-1")
            add("upload, one user in a transaction, the server's time to pgbench", *both, "server", most=1.5)
            add("the same, rate to pgbench", *both, "rate", least=0.4)
        if "instances" in self.parts:
            for name, most in (("affinity", 1.1), ("round-robin", 1.3)):
                add(f"upload, two instances, {name}, the server's time to one", name, "postgresql", "server", most=most)
        if "earlier" in self.parts:
            add("upload, the service's time to an earlier program", "postgresql", "earlier", "service", most=0.7)
            add("the same, 4,500 users", "cold", "earlier-cold", "service", most=0.75)
            add("the same, the server's time", "cold", "earlier-cold", "server")
        return found


def describe(medians):
    """Returns a line for each load of each service."""
    lines = []
    for title, figures in medians.items():
        text = f"{title:24} {figures['rate']:8.0f}/s"
        for name in ("service", "server", "standby"):
            text += f"  {name} {figures[name]:6.1f} us" if name in figures else ""
        if "log" in figures:
            text += f"  log {figures['log']:6.0f} bytes"
        if "p50" in figures:
            text += f"  p50 {figures['p50'] / 1000:.2f} ms  p99 {figures['p99'] / 1000:.2f} ms"
        lines.append(text)
    return "\n".join(lines)
