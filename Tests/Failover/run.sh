#!/bin/bash
# Tests that no acknowledged write is lost while processes, networks and disks fail:
#   run.sh BINARY [--rounds N] [--seed S] [--only NAME] [--json] [--keep DIR]
# `run.sh --list` prints the names of the faults.
# Clients upload, read and delete at two instances with one database. Each round injects one fault, waits until the
# service answers again, and compares the data of the service with the answers that the clients got.
# It fails if an acknowledged write is lost, if a read is older than an acknowledged write, if a request is unanswered
# after 15 seconds, if an answer has an unexpected status, or if a write takes longer than 5 seconds after the failover
# from a frozen primary. The fault `control` must lose writes, so that the test shows that it detects losses.
# As root, it also uses network namespaces and small file systems. Exits with 69 if PostgreSQL is not installed.
set -euo pipefail
exec python3 -B "$(dirname "$0")/failover.py" "$@"
