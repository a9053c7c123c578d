#!/usr/bin/env bash
# Measures the service with wrk, one load after the other, on loopback. The run takes about two minutes, and four with
# peers.
#
#     Benchmarks/run.sh                   this service alone
#     PEERS=DIR Benchmarks/run.sh         with nginx and Hummingbird in the same run (DIR has compare.py, peers.lua,
#                                         nginx/nginx.conf, and hummingbird/ built with `swift build -c release`)
set -euo pipefail
cd "$(dirname "$0")/.."
for tool in wrk python3; do
    command -v "$tool" >/dev/null || { echo "make bench needs $tool: install it with your package manager" >&2; exit 69; }
done
binary=.build/release/placekeeper
[ -x "$binary" ] || { echo "$binary is missing: run make build first" >&2; exit 69; }

rm -rf .build-bench/data
python3 Benchmarks/prepare.py .build-bench/data --binary "$binary"

if [ -n "${PEERS:-}" ]; then
    cp "$PEERS/peers.lua" .build-bench/peers.lua
    python3 "$PEERS/compare.py" Benchmarks/spec.json --rounds "${ROUNDS:-4}"
    # Larger archives have their own database, because they would fill the caches and the file of the first.
    rm -rf .build-bench/sizes .build-bench/hummingbird
    python3 Benchmarks/prepare.py .build-bench/sizes --binary "$binary"
    python3 "$PEERS/compare.py" Benchmarks/spec-sizes.json --rounds "${ROUNDS:-4}"
    rm -rf .build-bench/sizes .build-bench/hummingbird
else
    "$binary" serve --listen 127.0.0.1:9003 --data .build-bench/data 2>.build-bench/serve.log &
    server=$!
    trap 'kill "$server"; wait "$server" || true' EXIT
    until grep -q 'listening on' .build-bench/serve.log; do
        kill -0 "$server" 2>/dev/null || { cat .build-bench/serve.log >&2; exit 69; }
        sleep 0.1
    done
    for kind in hello latest not-modified mixed upload; do
        printf '%-14s' "$kind"
        wrk -t2 -c64 -d5s --timeout 10s -s Benchmarks/placekeeper.lua http://127.0.0.1:9003 -- "$kind" .build-bench/data |
            sed -n 's/^JSON //p'
    done
fi
python3 Benchmarks/footprint.py --binary "$binary" --data .build-bench/data
.build/release/placekeeper-bench
