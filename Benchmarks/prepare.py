#!/usr/bin/env python3
"""Fills a data folder for the load scripts: an app, and devices that each have their own user and one archive of 4 KB.

    prepare.py DATA [--binary .build/release/placekeeper] [--devices 1000]

Writes these files to DATA, next to the database: `tokens` (a line for each device), `entity-tags` (the tag of each
device's latest archive), and for each size `archive-SIZE.bplist` and `vary-SIZE` (the range of the archive's bytes that
can be changed).
"""
import argparse, http.client, json, os, plistlib, re, subprocess, sys, uuid

# The sizes of archives in bytes: a small one, a usual one, and a large one.
SIZES = [4096, 35 * 1024, 300 * 1024]
CONTEXT = "idiom=phone&layout=compact&bundleVersion=42&systemVersion=17.4"


class Refused(Exception):
    """The service did not answer as expected."""


def keyed_archive(noise):
    """Returns a small valid archive. Most of its bytes are one data value."""
    strings = ["$null", "42", "17.4", noise]
    top = {
        "UIApplicationStateRestorationBundleVersion": plistlib.UID(1),
        "UIApplicationStateRestorationUserInterfaceIdiom": 0,
        "UIApplicationStateRestorationSystemVersion": plistlib.UID(2),
        "content": plistlib.UID(3),
    }
    archive = {"$archiver": "NSKeyedArchiver", "$version": 100000, "$top": top, "$objects": strings}
    return plistlib.dumps(archive, fmt=plistlib.FMT_BINARY)


def archive_of(size):
    noise = os.urandom(size - len(keyed_archive(b"x" * 300)) + 300)
    archive = keyed_archive(noise)
    while len(archive) != size:
        noise = os.urandom(len(noise) + size - len(archive))
        archive = keyed_archive(noise)
    return archive, archive.index(noise), archive.index(noise) + len(noise)


def fill(port, key, data, devices):
    """Registers the devices at the service on this port, uploads their archives, and writes the files."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def ask(method, path, body=None, **fields):
        connection.request(method, path, body, fields)
        answer = connection.getresponse()
        content = answer.read()
        if answer.status >= 400:
            raise Refused(f"{method} {path}: {answer.status} {content.decode(errors='replace')}")
        return answer, content

    archives = {size: archive_of(size) for size in SIZES}
    archive, first, last = archives[SIZES[0]]
    tokens, tags = [], []
    for number in range(devices):
        body = json.dumps({"app": key, "idiom": "phone", "name": f"bench {number}"})
        token = json.loads(ask("POST", "/v1/devices", body, **{"Content-Type": "application/json"})[1])["token"]
        bearer = {"Authorization": f"Bearer {token}"}
        content = archive[:first] + os.urandom(last - first) + archive[last:]
        ask("PUT", f"/v1/scenes/main/archives/{uuid.uuid4()}", content, **bearer)
        answer, served = ask("GET", f"/v1/scenes/main/archives/latest?{CONTEXT}", **bearer)
        if served != content:
            raise Refused("the service returned bytes that differ from the uploaded archive")
        tokens.append(token)
        tags.append(answer.headers["ETag"])
        if sys.stderr.isatty():
            print(f"\r{number + 1} of {devices} devices", end="", file=sys.stderr)
    connection.close()
    if sys.stderr.isatty():
        print(file=sys.stderr)
    for name, content in {
        "tokens": "\n".join(tokens) + "\n", "entity-tags": "\n".join(tags) + "\n",
        **{f"vary-{size}": f"{first}\n{last}\n" for size, (_, first, last) in archives.items()},
    }.items():
        with open(os.path.join(data, name), "w") as file:
            file.write(content)
    for size, (archive, _, _) in archives.items():
        with open(os.path.join(data, f"archive-{size}.bplist"), "wb") as file:
            file.write(archive)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("--binary", default=".build/release/placekeeper")
    parser.add_argument("--devices", type=int, default=1000)
    options = parser.parse_args()
    os.makedirs(options.data, mode=0o700, exist_ok=True)
    created = subprocess.run(
        [options.binary, "app", "create", "com.example.bench", "--data", options.data, "--json"],
        capture_output=True, text=True, check=True)
    key = json.loads(created.stdout)["publishableKey"]
    server = subprocess.Popen(
        [options.binary, "serve", "--listen", "127.0.0.1:0", "--data", options.data], stderr=subprocess.PIPE, text=True)
    try:
        port = None
        for line in server.stderr:
            if found := re.search(r"listening on http://127\.0\.0\.1:(\d+)", line):
                port = int(found.group(1))
                break
        if port is None:
            sys.exit("the service did not start: see the lines above")
        fill(port, key, options.data, options.devices)
    except Refused as error:
        sys.exit(str(error))
    finally:
        server.terminate()
        server.wait(20)


if __name__ == "__main__":
    main()
