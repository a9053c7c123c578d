#!/usr/bin/env bash
# Runs the tests of the admin page in Chromium: Tests/Page/run.sh [ARGUMENT OF PYTEST …]
# conftest.py says how the tests of the views use a running service instead of the stand-in.
set -euo pipefail
cd "$(dirname "$0")/../.."

browser=${PLACEKEEPER_BROWSER:-/usr/bin/chromium}
if ! [ -x "$browser" ]; then
    echo "There is no browser at $browser. Install Chromium (Debian: apt-get install chromium), or name another" >&2
    echo "build of Chromium: PLACEKEEPER_BROWSER=/path/to/chromium Tests/Page/run.sh" >&2
    exit 1
fi
environment=.build-ci/page
if ! cmp -s Tests/Page/requirements.txt "$environment/requirements.txt"; then
    rm -rf "$environment"
    python3 -m venv "$environment"
    "$environment/bin/pip" install --quiet --disable-pip-version-check -r Tests/Page/requirements.txt
    cp Tests/Page/requirements.txt "$environment/"
fi
if [ -n "${PLACEKEEPER_PAGE_URL:-}" ] && [ $# = 0 ]; then set -- test_views.py; fi
cd Tests/Page
PYTHONDONTWRITEBYTECODE=1 exec "../../$environment/bin/python" -m pytest -q -p no:cacheprovider "$@"
