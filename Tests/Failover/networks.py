"""The faults of the network between the instances and PostgreSQL."""

import os
import subprocess
import time

from bench import Bench
from proxy import Proxy


class Proxied(Bench):
    """Each instance reaches PostgreSQL through a proxy."""

    def set_up(self):
        server = self.server("main")
        server.create()
        server.start()
        self.proxies = [Proxy(("127.0.0.1", server.port)) for _ in range(2)]
        self.start_instances(*(f"postgres://test@127.0.0.1:{proxy.port}/postgres" for proxy in self.proxies))

    def clean_up(self):
        for proxy in getattr(self, "proxies", []):
            proxy.close()


class CutAnswers(Proxied):
    """The answers to some commits are dropped, and their connections are closed. So an instance does not know
    whether its write was carried out."""

    name = "answer-cut"

    def strike(self, rng, round_):
        before = sum(proxy.cuts for proxy in self.proxies)
        for _ in range(rng.randrange(2, 6)):
            for proxy in self.proxies:
                proxy.cut(rng.randrange(1, 9))
            time.sleep(rng.uniform(0.2, 0.8))
        for proxy in self.proxies:
            proxy.cut(0)
        cuts = sum(proxy.cuts for proxy in self.proxies) - before
        self.notes.append(f"{cuts} answers were cut")
        if not cuts:
            round_.wrong("no answer to a commit was cut")


class HeldBytes(Proxied):
    """The network between one or both instances and PostgreSQL carries nothing for some seconds."""

    name = "network-held"

    def strike(self, rng, round_):
        proxies = rng.choice((self.proxies, [rng.choice(self.proxies)]))
        for proxy in proxies:
            proxy.hold()
        time.sleep(rng.choice((rng.uniform(1, 5), rng.uniform(11, 16), rng.uniform(24, 30))))
        for proxy in proxies:
            proxy.release()


class LinkDown(Bench):
    """PostgreSQL is in a network namespace of its own, and its network device is down for some seconds."""

    name = "link-down"

    @staticmethod
    def missing():
        if os.geteuid() != 0:
            return "only root creates network namespaces"
        trial = f"placekeeper-{os.getpid()}"
        done = subprocess.run(["ip", "netns", "add", trial], capture_output=True)
        subprocess.run(["ip", "netns", "del", trial], capture_output=True)
        return None if done.returncode == 0 else "this system refuses network namespaces"

    def set_up(self):
        self.space = f"placekeeper-{os.getpid()}"
        self.device = f"pk{os.getpid() % 10_000_000}"
        # A network of four addresses that is unlikely to be in use.
        network = f"10.{200 + os.getpid() % 50}.{os.getpid() // 50 % 250}"
        for line in (
                f"ip netns add {self.space}",
                f"ip link add {self.device} type veth peer name {self.device}p",
                f"ip link set {self.device}p netns {self.space}",
                f"ip addr add {network}.1/30 dev {self.device}",
                f"ip link set {self.device} up",
                f"ip netns exec {self.space} ip addr add {network}.2/30 dev {self.device}p",
                f"ip netns exec {self.space} ip link set {self.device}p up",
                f"ip netns exec {self.space} ip link set lo up"):
            subprocess.run(line.split(), check=True)
        server = self.server("main", address=f"{network}.2", namespace=self.space)
        server.create()
        server.start()
        database = f"postgres://test@{server.host}/postgres"
        self.start_instances(database, database)

    def strike(self, rng, round_):
        inner = ["ip", "netns", "exec", self.space, "ip", "link", "set", f"{self.device}p"]
        # The side of the service gets no error when the other side is down, as if a switch between them failed.
        subprocess.run([*inner, "down"], check=True)
        time.sleep(rng.choice((rng.uniform(1, 5), rng.uniform(8, 14))))
        subprocess.run([*inner, "up"], check=True)

    def clean_up(self):
        if hasattr(self, "space"):
            subprocess.run(["ip", "link", "del", self.device], capture_output=True)
            subprocess.run(["ip", "netns", "del", self.space], capture_output=True)


FAULTS = [CutAnswers, HeldBytes, LinkDown]
