#!/usr/bin/env python3
"""Measures the cold start of a service on an existing database, and its memory for each idle connection.

    footprint.py --data DIR [--binary .build/release/placekeeper] [--connections 10000] [--starts 20]
"""
import argparse, os, re, resource, socket, statistics, subprocess, sys, time

REQUEST = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"


def start(options):
    began = time.monotonic()
    server = subprocess.Popen(
        [options.binary, "serve", "--listen", "127.0.0.1:0", "--data", options.data], stderr=subprocess.PIPE, text=True)
    for line in server.stderr:
        if found := re.search(r"listening on http://127\.0\.0\.1:(\d+)", line):
            return server, int(found.group(1)), began
    sys.exit("the service did not start")


def ask(connection):
    connection.sendall(REQUEST)
    answer = b""
    while b"\r\n\r\n" not in answer:
        piece = connection.recv(4096)
        if not piece:
            sys.exit("the service closed a connection that should stay open")
        answer += piece


def anonymous_bytes(pid):
    with open(f"/proc/{pid}/smaps_rollup") as rollup:
        for line in rollup:
            if line.startswith("Anonymous:"):
                return int(line.split()[1]) * 1024
    return 0


def stop(server):
    server.terminate()
    server.wait(30)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--binary", default=".build/release/placekeeper")
    parser.add_argument("--connections", type=int, default=10_000)
    parser.add_argument("--starts", type=int, default=20)
    options = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))

    times = []
    for _ in range(options.starts):
        server, port, began = start(options)
        with socket.create_connection(("127.0.0.1", port)) as connection:
            ask(connection)
        times.append((time.monotonic() - began) * 1000)
        stop(server)
    print(f"cold start to first response: median {statistics.median(times):.1f} ms, worst {max(times):.1f} ms")

    server, port, _ = start(options)
    try:
        # The first connections leave memory in use. This memory is not part of the cost of an idle connection.
        for _ in range(200):
            with socket.create_connection(("127.0.0.1", port)) as connection:
                ask(connection)
        before = anonymous_bytes(server.pid)
        connections = []
        for number in range(options.connections):
            # Loopback has many addresses, so that there can be more connections than one address has ports.
            connection = socket.create_connection(("127.0.0.1", port), source_address=(f"127.0.1.{number // 5000 + 1}", 0))
            ask(connection)
            connections.append(connection)
        during = anonymous_bytes(server.pid)
        for connection in connections:
            connection.close()
        deadline = time.monotonic() + 10
        while (after := anonymous_bytes(server.pid)) > before + 256 * 1024 and time.monotonic() < deadline:
            time.sleep(0.1)
        print(f"{options.connections} idle connections: {(during - before) / options.connections:.0f} anonymous bytes each; "
              f"{(after - before) / 1024:.0f} KiB more than before after they were closed")
    finally:
        stop(server)


if __name__ == "__main__":
    main()
