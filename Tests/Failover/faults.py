"""The faults of one instance and of one server of PostgreSQL."""

import signal
import time

import nginx
from bench import Bench
from processes import send


class KilledInstance(Bench):
    """One of the two instances is killed, and started again."""

    name = "instance-killed"

    def strike(self, rng, round_):
        instance = rng.choice(self.instances)
        instance.kill()
        time.sleep(rng.uniform(0, 2))
        instance.start()


class StoppedInstance(Bench):
    """One of the two instances stops for some seconds, and continues. Its clients do not wait so long."""

    name = "instance-stopped"
    timeout = 2

    def strike(self, rng, round_):
        process = rng.choice(self.instances).process
        process.send_signal(signal.SIGSTOP)
        time.sleep(rng.uniform(3, 6))
        process.send_signal(signal.SIGCONT)


class FrozenInstance(Bench):
    """One of two instances behind the shipped nginx stops for some seconds, and continues. No client waits for more than
    five seconds."""

    name = "instance-frozen"
    # The proxy waits 4.5 seconds.
    deadline = 5
    proxied = True
    proxy = None

    @staticmethod
    def missing():
        return None if nginx.program() else "nginx is not installed (on Debian: apt-get install nginx-light)"

    def set_up(self):
        super().set_up()
        self.proxy = nginx.Nginx(self.folder, [instance.port for instance in self.instances])

    @property
    def ports(self):
        return [self.proxy.port]

    def strike(self, rng, round_):
        process = rng.choice(self.instances).process
        process.send_signal(signal.SIGSTOP)
        try:
            time.sleep(rng.uniform(8, 12))
        finally:
            process.send_signal(signal.SIGCONT)

    def kill(self):
        super().kill()
        if self.proxy:
            self.proxy.kill()


class KilledBackends(Bench):
    """Processes of PostgreSQL that serve the instances end. The server ends them, or they are killed. After a kill,
    the server ends all its processes and recovers."""

    name = "backend-killed"
    count = 0

    def strike(self, rng, round_):
        self.count += 1
        server = self.servers[0]
        if self.count % 2:
            for _ in range(rng.randrange(3, 8)):
                server.sql(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'placekeeper' "
                    "ORDER BY state = 'active' DESC, random() LIMIT 2")
                time.sleep(rng.uniform(0, 0.4))
            return
        for _ in range(rng.choice((1, 1, 2))):
            pids = server.backends()
            if pids:
                send(rng.choice(pids), signal.SIGKILL)
            time.sleep(rng.uniform(0.5, 2))


class StoppedBackend(Bench):
    """A process of PostgreSQL that serves an instance stops for some seconds, and continues. It may hold the locks of a
    transaction. The requests that do not need it go on."""

    name = "backend-stopped"
    # Longer than a query of the versions of users may take, before the next query begins without it.
    longest_wait = 2

    def strike(self, rng, round_):
        began = time.monotonic()
        pids = self.servers[0].backends("state = 'active' OR random() < 0.3")
        pid = rng.choice(pids or self.servers[0].backends())
        send(pid, signal.SIGSTOP)
        try:
            time.sleep(rng.uniform(3, 6))
        finally:
            send(pid, signal.SIGCONT)
        self.notes.append(f"stopped {pid} for {time.monotonic() - began:.1f} s")


class KilledServer(Bench):
    """PostgreSQL's first process is killed, and the server is started again on the same data."""

    name = "server-killed"

    def strike(self, rng, round_):
        server = self.servers[0]
        server.kill(all_processes=rng.random() < 0.5)
        time.sleep(rng.uniform(0, 1.5))
        server.start()


class SerializationFailures(Bench):
    """PostgreSQL undoes transactions, because other transactions change the same data: all transactions are serializable
    for some seconds."""

    name = "serialization"

    def strike(self, rng, round_):
        server = self.servers[0]
        before = self.failures()
        server.configure(default_transaction_isolation="serializable")
        try:
            time.sleep(rng.uniform(3, 6))
        finally:
            server.configure(default_transaction_isolation="read committed")
        count = self.failures() - before
        self.notes.append(f"{count} transactions were undone")
        if not count:
            round_.wrong("no transaction was undone")

    def failures(self):
        with open(self.servers[0].log, encoding="utf-8", errors="replace") as log:
            return log.read().count("could not serialize access")


FAULTS = [
    KilledInstance, StoppedInstance, FrozenInstance, KilledBackends, StoppedBackend, KilledServer, SerializationFailures]
