#!/usr/bin/env bash
# Builds and runs the benchmark of the client against .build/release/placekeeper. Passes its arguments on: --json prints
# JSON, and the name of a measurement runs only this one.
set -euo pipefail
cd "$(dirname "$0")/.."
binary=.build/release/placekeeper
[ -x "$binary" ] || { echo "$binary is missing: run make build first" >&2; exit 69; }

# URLSession wants libcurl when Foundation is linked statically. The library without its headers is enough.
libraries=$PWD/.build-bench/lib
mkdir -p "$libraries"
curl=$(ldconfig -p | awk '/libcurl\.so\.4 / { print $NF; exit }')
[ -n "$curl" ] || { echo "make bench-client needs libcurl: install libcurl4" >&2; exit 69; }
ln -sf "$curl" "$libraries/libcurl.so"
for product in bench-client size-with-client size-without-client; do
    "${SWIFT:-swift}" build -c release --product "placekeeper-$product" --static-swift-stdlib -Xlinker -s \
        -Xlinker "-L$libraries" >&2
done
options=()
if [ "${1:-}" = --json ]; then
    options=(--json)
    shift
fi
.build/release/placekeeper-bench-client "${options[@]}" "$binary" "$@"
