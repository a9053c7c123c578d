"""Measures how soon an upload at one instance reaches a device's event stream at another instance."""

import http.client
import json
import os
import random
import statistics
import threading
import time
import uuid

import prepare
from figures import duration, percentile, show
from hints import HintFilter
from processes import Failed
from services import Client

USERS = 10
# Uploads in a second by the devices that are measured, and by other devices at both instances.
UPLOADS, OTHER_UPLOADS = 20, 40
# Without hints, each event waits for the search once a second. Fewer uploads are spread over more searches.
SLOW_UPLOADS = 5
# An event that takes longer counts as lost.
LOST = 15


class Uploader:
    """A device that uploads archives, each with other bytes, over one connection."""

    def __init__(self, port, token):
        self.client, self.token = Client(port), token
        archive, first, last = prepare.archive_of(4096)
        self.before, self.length, self.after = archive[:first], last - first, archive[last:]

    def upload(self, identifier):
        body = self.before + os.urandom(self.length) + self.after
        self.client.ask(
            "PUT", f"/v1/scenes/main/archives/{identifier}", self.token, body, kind="application/x-plist")


class Stream(threading.Thread):
    """The event stream of a device. It notes when the event of each archive arrives."""

    def __init__(self, port, token):
        super().__init__(daemon=True)
        self.arrivals = {}
        self.problem = None
        self.is_over = False
        # The service sends a comment every 15 seconds.
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=40)
        self.connection.request("GET", "/v1/events", headers={"Authorization": f"Bearer {token}"})
        self.answer = self.connection.getresponse()
        if self.answer.status != 200:
            raise Failed(f"the event stream got {self.answer.status}")

    def run(self):
        try:
            while line := self.answer.readline():
                now = time.monotonic()
                if line.startswith(b"data:"):
                    archive = json.loads(line[5:]).get("archive")
                    self.arrivals.setdefault(archive, now)
            problem = "the service ended an event stream"
        except (OSError, ValueError, http.client.HTTPException, AttributeError) as error:
            problem = f"an event stream failed: {error!r}"
        if not self.is_over:
            self.problem = problem


class Follower:
    """A user with two devices: one uploads at the first instance, and the other has a stream at the second instance."""

    def __init__(self, key, first, second):
        client = Client(first)
        (token, _), (other, _) = client.user(key, 2)
        client.close()
        self.uploader, self.stream = Uploader(first, token), Stream(second, other)
        self.stream.start()
        # The time of sending and the time of the answer of each archive.
        self.sent = {}

    def upload(self):
        identifier = str(uuid.uuid4())
        began = time.monotonic()
        self.uploader.upload(identifier)
        self.sent[identifier] = (began, time.monotonic())

    def times(self):
        """Returns the seconds until each event, from the answer and from the sending. Waits for the events."""
        end = time.monotonic() + LOST
        while len(self.stream.arrivals) < len(self.sent):
            if self.stream.problem or time.monotonic() > end:
                raise Failed(self.stream.problem or f"an event did not arrive within {LOST} s")
            time.sleep(0.01)
        if self.stream.arrivals.keys() != self.sent.keys():
            raise Failed("an event stream had an event of another archive")
        return [
            (self.stream.arrivals[archive] - answered, self.stream.arrivals[archive] - began)
            for archive, (began, answered) in self.sent.items()]


class Load:
    """Threads that call functions at random times, together `rate` times a second. They end after `count` calls."""

    def __init__(self, calls, rate, count=None):
        self.left, self.done, self.problem = count, 0, None
        self.lock, self.is_over = threading.Lock(), threading.Event()
        self.threads = [
            threading.Thread(target=self.run, args=(call, rate / len(calls)), daemon=True) for call in calls]
        for thread in self.threads:
            thread.start()

    def run(self, call, rate):
        rng = random.Random()
        while not self.is_over.wait(rng.expovariate(rate)):
            with self.lock:
                if self.left == 0:
                    return
                self.left = self.left and self.left - 1
            try:
                call()
            except Exception as error:  # A failed request must not look like success.
                self.problem = str(error)
                self.is_over.set()
            with self.lock:
                self.done += 1

    def end(self):
        self.is_over.set()
        for thread in self.threads:
            thread.join(60)


def measure(title, key, first, second, rate, count):
    """Returns the times of at least `count` events."""
    followers = [Follower(key, first, second) for _ in range(USERS)]
    others = []
    for port in (first, second):
        client = Client(port)
        others += [Uploader(port, client.register(key)[0]) for _ in range(4)]
        client.close()
    load = Load([lambda other=other: other.upload(uuid.uuid4()) for other in others], OTHER_UPLOADS)
    measured = Load([follower.upload for follower in followers], rate, count)
    end = time.monotonic() + 3 * count / rate + 30
    try:
        while measured.done < count:
            show(f"{title}: {measured.done} of {count}")
            problem = measured.problem or load.problem
            if problem or time.monotonic() > end:
                raise Failed(problem or f"there were fewer than {count} uploads within the time")
            time.sleep(0.2)
        found = [times for follower in followers for times in follower.times()]
    finally:
        for part in (measured, load):
            part.end()
        for follower in followers:
            follower.stream.is_over = True
    if load.problem:
        raise Failed(load.problem)
    return found


def events(bench):
    server = bench.databases.alone()
    database = server.database("events")
    folder = os.path.join(bench.databases.folder, "filter")
    os.makedirs(folder)
    hints = HintFilter(folder, server.socket_path())
    try:
        services = [
            bench.service(f"events-{number}", url)
            for number, url in enumerate((database, database, hints.url("events")), 1)]
        key = services[0].create_app()
        for service in services:
            service.start()
        bench.databases.settle()
        first, second, third = (service.port for service in services)
        rounds = bench.options.rounds
        fast = measure("events with hints", key, first, second, UPLOADS, max(200, 100 * rounds))
        before = hints.dropped
        slow = measure("events without hints", key, first, third, SLOW_UPLOADS, max(50, 20 * rounds))
        dropped = hints.dropped - before
        if not dropped:
            raise Failed("no hint was dropped, so the service sent none or the filter did not see it")
        for service in services:
            service.stop()
    finally:
        hints.close()
    answers, sendings = zip(*fast)
    late, late_sendings = zip(*slow)
    note = f"{len(fast)} events"
    return [
        duration("event on another instance, from the answer, p50", statistics.median(answers), note=note),
        duration("event on another instance, from the answer, p99", percentile(answers, 0.99), 0.1, note),
        duration("event on another instance, from the sending, p50", statistics.median(sendings), note=note),
        duration("event on another instance, from the sending, p99", percentile(sendings, 0.99), 0.1, note),
        duration("the same without hints, from the answer, p50", statistics.median(late), note=f"{len(late)} events"),
        duration(
            "the same without hints, from the answer, maximum", max(late), 1.5,
            f"{len(late)} events, {dropped} hints dropped"),
        duration("the same without hints, from the sending, maximum", max(late_sendings), 1.5, f"{len(late)} events"),
    ]
