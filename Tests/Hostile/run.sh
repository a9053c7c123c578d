#!/bin/bash
# Attacks one server process on this machine while a healthy client uses it: run.sh SECONDS [BINARY]
# The attacks are mixed at random. SEED=NUMBER repeats a mix. At the end, the script prints the measurements of the
# healthy client.
# It fails if a request of the healthy client failed, if the client's p99 exceeded 200 ms, if the server used more
# than 512 MB, or if the server ended. A run of ten minutes or more also fails if memory kept growing.
set -euo pipefail
cd "$(dirname "$0")/../.."

usage() { echo "usage: Tests/Hostile/run.sh SECONDS [BINARY]" >&2; exit 2; }
[ $# -ge 1 ] && [ $# -le 2 ] || usage
case $1 in
'' | *[!0-9]*) usage ;;
esac
binary=${2:-.build/release/placekeeper}
[ -x "$binary" ] || { echo "$binary is not built: run make build, or name another binary" >&2; exit 2; }
exec python3 -B Tests/Hostile/hostile.py "$1" "$binary" --seed "${SEED:-$RANDOM$RANDOM}"
