#!/bin/bash
# Tests that a power loss loses nothing that was acknowledged, and which backup is left:
#   run.sh BINARY [--rounds N] [--seed S] [--interval SECONDS] [--keep DIR]
# `run.py` explains the checks. They need root, /dev/fuse, and libfuse (on Debian: apt-get install fuse3).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

if [ "$(id -u)" != 0 ] || ! [ -w /dev/fuse ]; then
    echo "A file system in user space needs root and /dev/fuse." >&2
    exit 69
fi
environment=$here/../../.build-ci/power-loss
if ! cmp -s "$here/requirements.txt" "$environment/requirements.txt"; then
    rm -rf "$environment"
    python3 -m venv "$environment"
    "$environment/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
    cp "$here/requirements.txt" "$environment/"
fi
exec "$environment/bin/python" -B "$here/run.py" "$@"
