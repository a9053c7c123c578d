"""The parts that all faults need: servers, two instances, an app, and rounds of load around a strike."""

import json
import random
import time

from client import Client, Measurements
from history import Round
from load import CONTEXT, Upload
from postgres import Server
from processes import Instance


class Bench:
    """The processes of one fault, with their folder.

    A fault is a subclass. It makes the servers in `set_up`, injects and ends the fault in `strike`, and repairs the
    redundancy in `repair`, after the checks and without load.
    """

    # How long a client waits for an answer.
    timeout = 45
    # An answer that comes later counts as a hang.
    deadline = 15
    # Whether a proxy is at the ports of the clients.
    proxied = False
    must_lose = False

    def __init__(self, binary, folder):
        self.binary = binary
        self.folder = folder
        self.servers = []
        self.instances = []
        self.recoveries = []
        self.notes = []

    @staticmethod
    def missing():
        """Returns why the fault cannot be injected on this machine. None if it can."""
        return None

    def server(self, name, **options):
        server = Server(self.folder, name, **options)
        self.servers.append(server)
        return server

    def start_instances(self, *databases):
        self.instances = [
            Instance(self.binary, self.folder, number, database) for number, database in enumerate(databases)]
        created = json.loads(self.instances[0].command("app", "create", "com.example.failover", "--json"))
        self.key = created["publishableKey"]
        # No archive is removed because there are newer archives.
        self.instances[0].command("app", "policy", "com.example.failover", "--set", "retainedArchives=1000")
        for instance in self.instances:
            instance.start()

    @property
    def ports(self):
        return [instance.port for instance in self.instances]

    def set_up(self):
        server = self.server("main")
        server.create()
        server.start()
        self.start_instances(server.socket_url, server.socket_url)

    def strike(self, rng, round_):
        raise NotImplementedError

    def repair(self, rng):
        pass

    def wait_for_recovery(self, round_):
        """Waits until a device uploads at each instance. Returns whether this happens within a minute."""
        began = time.monotonic()
        for instance in self.instances:
            client = Client([instance.port], Measurements())
            upload = Upload("probe", random.Random())
            try:
                client.settled("PUT", f"{upload.path}?{CONTEXT}", round_.users[0].tokens[0], [200, 201], upload.bytes)
            except AssertionError as error:
                round_.wrong(f"an instance did not recover: {error}")
                return False
            finally:
                client.close()
        self.recoveries.append(time.monotonic() - began)
        return True

    def round(self, seed):
        rng = random.Random(seed)
        round_ = Round(self.ports, self.key, seed, timeout=self.timeout, deadline=self.deadline, proxied=self.proxied)
        round_.begin()
        try:
            time.sleep(rng.uniform(0.5, 2))
            self.strike(rng, round_)
            has_recovered = self.wait_for_recovery(round_)
            time.sleep(1)
        except BaseException:
            # The processes are ended soon, so nobody waits for the answers.
            round_.is_over.set()
            raise
        round_.end()
        for instance in self.instances:
            if instance.ended() is not None:
                round_.wrong(f"an instance ended with status {instance.ended()}: see {instance.log}")
        if has_recovered:
            round_.verify()
        if not round_.acknowledged:
            round_.wrong("no write was acknowledged")
        self.repair(rng)
        return round_

    def tear_down(self):
        """Ends all processes. Returns the problems of the instances' shutdown."""
        problems = []
        for instance in self.instances:
            try:
                problems.append(instance.stop())
            finally:
                instance.kill()
        for server in self.servers:
            server.kill()
        return [problem for problem in problems if problem]

    def clean_up(self):
        """Removes parts of the system that outlive the processes."""

    def kill(self):
        for process in [*self.instances, *self.servers]:
            process.kill()
