"""Runs attackers and a healthy client against one server process, and checks the results of the healthy client."""

import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "OpenAPI"))

import attacks
from service import Service

SLOWEST_P99 = 0.200
LARGEST_MEMORY = 512 << 20
HELD_CONNECTIONS = 1000


class Monitor(threading.Thread):
    """Reads the server's resident memory every second, and its standard error so that the server never blocks."""

    def __init__(self, service):
        super().__init__(daemon=True)
        self.process = service.process
        self.samples = []
        self.errors = []
        threading.Thread(target=self.drain, daemon=True).start()

    def drain(self):
        for line in self.process.stderr:
            self.errors = self.errors[-99:] + [line]

    def memory(self):
        """Returns the resident memory, and the part of it that is not mapped from a file."""
        with open(f"/proc/{self.process.pid}/status") as status:
            fields = dict(line.split(":", 1) for line in status)
        return tuple(int(fields[name].split()[0]) << 10 for name in ("VmRSS", "RssAnon"))

    def run(self):
        start = time.monotonic()
        while self.process.poll() is None:
            try:
                self.samples.append((time.monotonic() - start, *self.memory()))
            except (OSError, KeyError):
                return
            time.sleep(1)


def is_flat(samples):
    """Returns whether memory in the last quarter is hardly more than in the second. Caches fill in the first."""
    if len(samples) < 600:
        return True
    quarter = len(samples) // 4
    middle = lambda part: sorted(sample[2] for sample in part)[len(part) // 2]
    early, late = middle(samples[quarter:2 * quarter]), middle(samples[-quarter:])
    return late <= early * 1.2 + (32 << 20)


def attack(seconds, seed, number, target):
    """Runs one attacker: random attacks, one after the other. Attacker 0 holds a thousand connections open instead."""
    rng = random.Random(f"{seed}/{number}")
    end = time.monotonic() + seconds
    counts = {}
    while time.monotonic() < end:
        name, function = ("hold", attacks.hold) if number == 0 else rng.choice(attacks.MIXED)
        counts[name] = counts.get(name, 0) + 1
        try:
            function(target, rng, end)
        except OSError:
            # The server may refuse, reset or time out any attack.
            pass
    print(json.dumps(counts))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seconds", type=int)
    parser.add_argument("binary")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--attackers", type=int, default=3)
    parser.add_argument("--only", help="the names of the attacks to mix, separated by commas")
    parser.add_argument("--attacker", type=int)
    parser.add_argument("--target")
    arguments = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65536), hard))
    if arguments.only:
        attacks.MIXED[:] = [attack for attack in attacks.MIXED if attack[0] in arguments.only.split(",")]
    if arguments.attacker is not None:
        target = attacks.Target(**json.loads(arguments.target))
        return attack(arguments.seconds, arguments.seed, arguments.attacker, target)

    print(f"seed {arguments.seed}, {arguments.seconds} s", flush=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    service = Service(os.path.abspath(arguments.binary))
    children = []
    try:
        return run(arguments, service, children)
    finally:
        for process in [*children, service.process]:
            if process.poll() is None:
                process.kill()
        service.directory.cleanup()


def run(arguments, service, children):
    monitor = Monitor(service)
    key = service.create_app("com.example.hostile")
    target = attacks.Target(port=service.port, key=key, sample=service.sample().hex(), heavy=None)
    target.heavy = attacks.heavy_user(target)
    monitor.start()

    def start(*parts):
        children.append(subprocess.Popen([sys.executable, "-B", *parts], stdout=subprocess.PIPE, text=True))
        return children[-1]

    passed = json.dumps(vars(target))
    healthy = start(os.path.join(HERE, "healthy.py"), str(arguments.seconds), passed)
    only = ["--only", arguments.only] if arguments.only else []
    attackers = [
        start(
            os.path.abspath(__file__), str(arguments.seconds), arguments.binary, "--seed", arguments.seed, *only,
            "--attacker", str(number), "--target", passed) for number in range(arguments.attackers + 1)
    ]
    began = time.monotonic()
    reported = 0
    while healthy.poll() is None and service.process.poll() is None and time.monotonic() - began < arguments.seconds + 120:
        time.sleep(1)
        if time.monotonic() - began >= reported + 30:
            reported = int(time.monotonic() - began)
            at, all_memory, own = monitor.samples[-1]
            print(f"  {reported} s: {all_memory >> 20} MB resident, {own >> 20} MB of it anonymous", flush=True)

    faults = []
    if service.process.poll() is not None:
        faults.append(f"the server ended with status {service.process.returncode}:\n" + "".join(monitor.errors[-20:]))
    for process in [healthy, *attackers]:
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
    for number, attacker in enumerate(attackers):
        print(f"attacker {number}: {attacker.stdout.read().strip()}")
    said = healthy.stdout.read()
    try:
        result = json.loads(said)
    except ValueError:
        faults.append("the healthy client did not finish")
        result = {"requests": 0, "failed": 0, "failures": [], "p50": 0, "p99": 0, "most": 0, "slowest": "none"}
    print(
        f"healthy client: {result['requests']} requests, p50 {result['p50'] * 1000:.1f} ms, "
        f"p99 {result['p99'] * 1000:.1f} ms, longest {result['most'] * 1000:.0f} ms "
        f"({result['slowest']})")
    largest = max((sample[1] for sample in monitor.samples), default=0)
    print(f"memory: at most {largest >> 20} MB resident; anonymous memory by tenths of the time:", *(
        f"{monitor.samples[index * len(monitor.samples) // 10][2] >> 20}" for index in range(10)), "MB")
    if result["failed"]:
        faults.append(f"{result['failed']} healthy requests failed: " + "; ".join(result["failures"][:5]))
    if result["p99"] > SLOWEST_P99:
        faults.append(f"p99 exceeded {SLOWEST_P99 * 1000:.0f} ms")
    if largest > LARGEST_MEMORY:
        faults.append(f"resident memory exceeded {LARGEST_MEMORY >> 20} MB")
    if not is_flat(monitor.samples):
        faults.append("memory kept growing")
    if service.process.poll() is None:
        service.terminate()
        service.process.wait(timeout=60)
        if service.process.returncode != 0:
            faults.append(f"the server did not shut down gracefully: {service.process.returncode}")
    for fault in faults:
        print("FAILED:", fault)
    print("passed" if not faults else f"{len(faults)} failures; repeat with SEED={arguments.seed}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
