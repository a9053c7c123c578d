#!/usr/bin/env bash
# Profiles the service under each load of the benchmark: Benchmarks/profile.sh BINARY [LOAD …]
# BINARY must have its symbols. Writes the folded stacks of each load to .build-bench/profile-LOAD.folded, for any tool
# that draws flame graphs, and prints the functions with the most samples. Needs perf, wrk and python3.
set -euo pipefail
cd "$(dirname "$0")/.."
binary=$1
shift
loads=("$@")
[ $# -gt 0 ] || loads=(hello latest not-modified upload)
for tool in perf wrk python3; do
    command -v "$tool" >/dev/null || { echo "make profile needs $tool: install it (Debian: apt-get install linux-perf wrk python3)" >&2; exit 69; }
done

rm -rf .build-bench/profile
python3 Benchmarks/prepare.py .build-bench/profile --binary "$binary"
"$binary" serve --listen 127.0.0.1:9003 --data .build-bench/profile 2>.build-bench/serve.log &
server=$!
trap 'kill "$server"; wait "$server" || true' EXIT
until grep -q 'listening on' .build-bench/serve.log; do
    kill -0 "$server" 2>/dev/null || { cat .build-bench/serve.log >&2; exit 69; }
    sleep 0.1
done
for load in "${loads[@]}"; do
    printf '== %s\n' "$load"
    wrk -t2 -c64 -d10s --timeout 10s -s Benchmarks/placekeeper.lua http://127.0.0.1:9003 -- "$load" .build-bench/profile |
        sed -n 's/^JSON //p' &
    running=$!
    sleep 2
    perf record -q -F 1999 --call-graph fp -p "$server" -o .build-bench/profile.data -- sleep 6
    wait "$running"
    perf script -i .build-bench/profile.data -F comm,tid,ip,sym,dso 2>/dev/null |
        python3 Benchmarks/fold.py >".build-bench/profile-$load.folded"
done
rm -f .build-bench/profile.data
printf 'The folded stacks are in .build-bench/profile-*.folded.\n'
