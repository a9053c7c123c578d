"""Compares the start of two programs on SQLite: of this one, and of an earlier one."""

import os
import statistics
import time

from figures import Figure, duration, ratio, show
from processes import Failed
from services import Client

STARTS = 20


def start(service):
    """Starts the service once. Returns the seconds and the processor time until the first answer, and whether the
    process has PostgreSQL's client library."""
    began = time.monotonic()
    service.start()
    client = Client(service.port)
    client.ask("GET", "/livez")
    result = time.monotonic() - began, service.seconds()
    has_library = any("libpq" in os.path.basename(path) for path in service.libraries())
    client.close()
    service.stop()
    return *result, has_library


def starts(bench):
    if not bench.options.without:
        raise Failed("name the earlier program (--without BINARY)")
    services = {
        name: bench.service(f"start-{name}", binary=binary)
        for name, binary in (("with", bench.options.binary), ("without", bench.options.without))}
    results = {name: [] for name in services}
    for service in services.values():
        key = service.create_app()
        service.start()
        client = Client(service.port)
        for _ in range(100):
            client.register(key)
        client.close()
        service.stop()
        # The first start reads the program from the disk.
        start(service)
    for number in range(STARTS):
        show(f"start {number + 1} of {STARTS}")
        names = list(services) if number % 2 else list(reversed(services))
        for name in names:
            results[name].append(start(services[name]))
    figures = []
    for column, title in ((0, "start to the first answer"), (1, "the same, processor time")):
        columns = {name: [row[column] for row in rows] for name, rows in results.items()}
        for name, values in columns.items():
            figures.append(duration(
                f"{title}, {name} PostgreSQL", statistics.median(values),
                note=f"{STARTS} starts, longest {max(values) * 1000:.1f} ms"))
        pairs = zip(columns["with"], columns["without"])
        figures.append(ratio(f"{title}, with to without", [one / other for one, other in pairs]))
    count = sum(row[2] for row in results["with"])
    figures.append(Figure(
        "libpq in the memory map, on SQLite", f"in {count} of {STARTS} processes", "in none", count == 0, count))
    return figures
