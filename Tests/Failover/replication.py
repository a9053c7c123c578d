"""The faults of a primary server with a standby."""

import math
import random
import signal
import time
from concurrent.futures import ThreadPoolExecutor

from bench import Bench
from client import Client
from load import CONTEXT, Upload
from processes import Failed, send, wait_until


class Replicated(Bench):
    """A primary and a standby. The instances know both, and use the one that accepts writes."""

    is_synchronous = True

    def set_up(self):
        self.primary, self.standby = self.server("a"), self.server("b")
        self.primary.create()
        self.primary.start()
        self.add_standby(self.standby.copy)
        # Each instance has the hosts in another order.
        hosts = [self.primary.host, self.standby.host]
        self.start_instances(*(
            f"postgres://test@{first},{second}/postgres?target_session_attrs=read-write"
            for first, second in (hosts, reversed(hosts))))
        # The app must be on the standby, too.
        self.wait_for_standby()

    def add_standby(self, make):
        """Makes the standby from the primary. Then each commit waits for the standby, if that is wanted."""
        make(self.primary)
        self.standby.start()
        self.primary.configure(synchronous_standby_names="*" if self.is_synchronous else "")
        self.wait_for_standby()

    def wait_for_standby(self):
        if not wait_until(lambda: self.primary.is_streaming(self.is_synchronous), 60):
            raise Failed("the standby does not follow the primary")
        lag = "SELECT count(*) FROM pg_stat_replication WHERE flush_lsn >= pg_current_wal_lsn()"
        wait_until(lambda: self.primary.sql(lag) == ["1"], 10)

    def fail_over(self):
        """Kills the primary, and promotes the standby."""
        self.primary.kill()
        self.promote_standby()

    def promote_standby(self):
        # The new primary has no standby yet, so its commits wait for none.
        self.standby.configure(synchronous_standby_names="")
        self.standby.promote()
        self.primary, self.standby = self.standby, self.primary


class PrimaryLost(Replicated):
    """The primary is killed, and the synchronous standby is promoted. The old primary becomes the standby."""

    name = "primary-lost"

    def strike(self, rng, round_):
        self.fail_over()

    def repair(self, rng):
        if rng.random() < 0.5:
            try:
                return self.add_standby(self.standby.rewind)
            except Failed as error:
                self.notes.append(f"pg_rewind: {error}")
                self.standby.kill()
        self.add_standby(self.standby.copy)


class LossyPrimaryLost(PrimaryLost):
    """The control: the standby is asynchronous, and gets nothing for a moment before the primary is killed. This test
    must find that acknowledged writes are lost."""

    name = "control"
    is_synchronous = False
    must_lose = True

    def strike(self, rng, round_):
        for pid in self.primary.processes("walsender"):
            send(pid, signal.SIGSTOP)
        time.sleep(rng.uniform(0.5, 1.5))
        self.fail_over()


class StandbyLost(Replicated):
    """The synchronous standby stops or is killed, and comes back. Until then, no commit can be acknowledged."""

    name = "standby-lost"
    count = 0

    def strike(self, rng, round_):
        self.count += 1
        is_stopped = self.count % 2
        if is_stopped:
            self.standby.signal_all(signal.SIGSTOP)
        else:
            self.standby.kill()
        # The last answers of the standby may be on their way.
        time.sleep(1)
        before = round_.acknowledged
        time.sleep(rng.uniform(12, 25))
        if round_.acknowledged > before:
            round_.lost("a write was acknowledged while the synchronous standby was away")
        if is_stopped:
            self.standby.signal_all(signal.SIGCONT)
        else:
            self.standby.start()

    def repair(self, rng):
        self.wait_for_standby()


class UnreplicatedRepeat(Replicated):
    """The synchronous standby gets nothing, and commits wait. The waits end: the service's deadline passes, or the
    server ends the connections. The clients repeat their uploads. Then the primary is killed, and the standby is
    promoted. A repeated upload must not be acknowledged because the lost primary had it."""

    name = "repeat-unreplicated"
    count = 0

    def strike(self, rng, round_):
        self.count += 1
        for pid in self.primary.processes("walsender"):
            send(pid, signal.SIGSTOP)
        if self.count % 2:
            # Longer than the deadline of the service.
            time.sleep(rng.uniform(13, 15))
        else:
            for _ in range(3):
                time.sleep(rng.uniform(0.3, 1))
                self.primary.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
            time.sleep(2)
        self.fail_over()

    repair = PrimaryLost.repair


class ReturnedPrimary(PrimaryLost):
    """The primary is killed, and the standby is promoted. Then the old primary is started by mistake as it was, and
    accepts writes, too. The instances connect anew, and one of them may be restarted. Writes to the old primary are
    lost, so none of them may be acknowledged."""

    name = "old-primary-returns"

    def strike(self, rng, round_):
        self.fail_over()
        # Each instance must have met the new primary.
        if not self.wait_for_recovery(round_):
            return
        old = self.standby
        # Otherwise the commits of the old primary would wait for a standby.
        old.configure(synchronous_standby_names="")
        old.start()
        for _ in range(3):
            self.primary.sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'placekeeper'")
            time.sleep(rng.uniform(0.3, 1))
        if rng.random() < 0.5:
            self.restart(rng.choice(self.instances))
        time.sleep(rng.uniform(0.5, 2))
        old.kill()
        for instance in self.instances:
            if not instance.is_open():
                instance.start()

    @staticmethod
    def restart(instance):
        """Restarts an instance without waiting for it, because it may wait until the old primary is gone."""
        instance.kill()
        instance.launch()


class FrozenPrimary(PrimaryLost):
    """The primary stops, and the standby is promoted. The connections to the old primary stay open and give no answer,
    so the instances must give them up. Each instance must acknowledge a write within five seconds after the promotion,
    whether its URL names the stopped server first or last. The old primary is killed only then."""

    name = "primary-frozen"
    limit = 5

    def strike(self, rng, round_):
        stopped, began = self.primary, time.monotonic()
        stopped.signal_all(signal.SIGSTOP)
        # Sometimes all requests have failed before the promotion.
        time.sleep(rng.uniform(0, 3) if rng.random() < 0.7 else rng.uniform(9, 12))
        self.promote_standby()
        promoted = time.monotonic()
        with ThreadPoolExecutor(len(self.instances)) as pool:
            recoveries = pool.map(lambda instance: self.seconds_to_write(instance, round_), self.instances)
        for instance, seconds in zip(self.instances, recoveries):
            is_first = instance.database.startswith(f"postgres://test@{stopped.host},")
            text = f"with the stopped server {'first' if is_first else 'last'}, a write took {seconds:.2f} s"
            self.notes.append(f"{text} after the promotion, which was {promoted - began:.2f} s after the stop")
            self.recoveries.append(seconds)
            if seconds > self.limit:
                round_.wrong(f"{text}, and not {self.limit} s")
        self.standby.kill()

    @staticmethod
    def seconds_to_write(instance, round_):
        """Returns the time until an instance acknowledges a write, or infinity after a minute."""
        began = time.monotonic()
        client = Client([instance.port], round_.measurements)
        upload = Upload("probe", random.Random())
        try:
            client.settled("PUT", f"{upload.path}?{CONTEXT}", round_.users[0].tokens[0], [200, 201], upload.bytes)
            return time.monotonic() - began
        except AssertionError:
            return math.inf
        finally:
            client.close()


FAULTS = [PrimaryLost, LossyPrimaryLost, StandbyLost, UnreplicatedRepeat, ReturnedPrimary, FrozenPrimary]
