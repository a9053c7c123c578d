#!/bin/bash
# Attacks one server process on this machine while a healthy client uses it: run.sh SECONDS [BINARY]
# The attacks are mixed at random; SEED=NUMBER repeats a mix. It ends with what the healthy client measured, and fails when
# one of its requests failed or took too long, when the server held more than 512 MB, or when the server ended. In a run of ten
# minutes or more it fails, too, when the memory went on growing.
set -euo pipefail
cd "$(dirname "$0")/../.."

usage() { echo "usage: Tests/Hostile/run.sh SECONDS [BINARY]" >&2; exit 2; }
[ $# -ge 1 ] && [ $# -le 2 ] || usage
case $1 in
'' | *[!0-9]*) usage ;;
esac
binary=${2:-.build/release/placekeeper}
[ -x "$binary" ] || { echo "$binary is not built: run make build, or name another one" >&2; exit 2; }
exec python3 -B Tests/Hostile/hostile.py "$1" "$binary" --seed "${SEED:-$RANDOM$RANDOM}"
