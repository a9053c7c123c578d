#!/usr/bin/env bash
# Runs the tests of the page's views, and of an operator's questions, with a running service and generated data:
# Tests/Page/run-service.sh BINARY [ARGUMENT OF PYTEST …]
set -euo pipefail
binary=$(realpath "$1")
shift
cd "$(dirname "$0")/../.."

scratch=$(mktemp -d)
service=
trap '[ -z "$service" ] || kill "$service" 2>/dev/null || true; wait; rm -rf "$scratch"' EXIT
(umask 077 && echo "a password of the page's tests" > "$scratch/password")
"$binary" app create com.example.page --data "$scratch/data" >/dev/null
"$binary" generate com.example.page --users 40 --archives 400 --seed 1 --hostile --data "$scratch/data" >/dev/null
"$binary" generate com.example.questions --users 400 --archives 4000 --seed 1 --data "$scratch/data" >/dev/null
"$binary" admin create owner --role owner --password-file "$scratch/password" --data "$scratch/data" >/dev/null
"$binary" serve --listen 127.0.0.1:0 --data "$scratch/data" > "$scratch/log" 2>&1 &
service=$!
until url=$(sed -n 's/^listening on //p' "$scratch/log") && [ -n "$url" ]; do
    kill -0 "$service" 2>/dev/null || { cat "$scratch/log" >&2; exit 1; }
    sleep 0.1
done
PLACEKEEPER_PAGE_URL=$url PLACEKEEPER_PAGE_NAME=owner PLACEKEEPER_PAGE_PASSWORD=$(cat "$scratch/password") \
    Tests/Page/run.sh test_views.py test_questions.py "$@"
