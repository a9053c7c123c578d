"""A service with an app, and pages that use the client for web apps. The service is the program that PLACEKEEPER_BINARY
names, or a build of this repository."""

import base64
import contextlib
import hashlib
import hmac
import json
import os
import pathlib
import re
import shutil
import subprocess
import threading
import time

root = pathlib.Path(__file__).resolve().parents[2]
module = "/client/0.2/placekeeper.js"
binaries = [os.environ.get("PLACEKEEPER_BINARY"), root / ".build/release/placekeeper", root / ".build/debug/placekeeper"]
binary = next((str(path) for path in binaries if path and os.access(path, os.X_OK)), None)

START = """async ([module, server, options]) => {
    const { Placekeeper } = await import(module);
    window.places = new Placekeeper(server, options);
    window.problems = [];
    window.places.addEventListener("problem", ({ detail }) => window.problems.push(detail.code));
    window.scene = places.scene("reader");
    window.offers = [];
    scene.addEventListener("offer", ({ detail }) => window.offers.push(detail?.archive));
}"""


class Client:
    """The program, with an app and a folder of pages that load the module."""

    def __init__(self, folder):
        assert binary, "There is no program: make build, or PLACEKEEPER_BINARY=/path/to/placekeeper"
        public = folder / "public"
        shutil.copytree(root / "Public", public)
        (public / "index.html").write_text("<!DOCTYPE html><title>Reader</title>")
        self.folder, self.data = folder, str(folder / "data")
        created = self.run("app", "create", "com.example.reader", "--json")
        self.key = json.loads(created)["publishableKey"]
        self.secret = b"a secret that the backend and the service both have"
        secret = folder / "secret"
        secret.touch(0o600)
        secret.write_bytes(self.secret)
        self.run("app", "keys", "com.example.reader", "--add-secret", str(secret), "--kid", "one")
        self.run("app", "policy", "com.example.reader", "--set", "issuer=reader", "--set", "audience=places")
        self.process = subprocess.Popen(
            [binary, "serve", "--listen", "127.0.0.1:0", "--public", str(public), "--data", self.data],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for line in self.process.stdout:
            if found := re.match(r"listening on (http\S+)", line):
                self.url = found[1]
                break
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def run(self, *arguments):
        return subprocess.run([binary, *arguments, "--data", self.data], check=True, capture_output=True, text=True).stdout

    def stop(self):
        self.process.terminate()
        self.process.wait(10)

    def open(self, context, **options):
        """A page of the app with the module."""
        page = context.new_page()
        page.goto(self.url + "/")
        return self.start(page, **options)

    def start(self, page, server=None, **options):
        page.evaluate(START, [module, server or self.url, {"key": self.key, "sendDelay": 0.05, "name": "Browser", **options}])
        return page


def place(number, screen="page"):
    return [{"screen": "book", "title": "Dune", "items": [{"source": "Book", "id": "17", "aliases": ["isbn:17"]}]},
            {"screen": screen, "parameters": {"number": number}}]


def save(page, number, flush=True, **options):
    page.evaluate("([place, options]) => scene.save(place, options)", [place(number), options])
    if flush:
        page.evaluate("() => places.flush()")


def launch(page, deadline=5000):
    """The launch's restored page, offered archive and reason."""
    return page.evaluate("""async deadline => {
        const { restore, offer, reason } = await scene.launch({ deadline });
        return { number: restore?.steps[1].parameters.number, offer: offer?.archive, reason };
    }""", deadline)


def join(page, other):
    """Makes the devices of two pages devices of one person."""
    code = page.evaluate("() => places.makeLinkCode()")["code"]
    other.evaluate("code => places.link(code)", code)


def crash(page):
    with contextlib.suppress(Exception):
        page.goto("chrome://crash", timeout=2000)
    page.close()


def sign_in(client, page, subject):
    def coded(value):
        return base64.urlsafe_b64encode(value).rstrip(b"=").decode()

    now = int(time.time())
    signed = ".".join(coded(json.dumps(part).encode()) for part in (
        {"alg": "HS256", "typ": "JWT", "kid": "one"}, {"sub": subject, "iss": "reader", "aud": "places", "iat": now, "exp": now + 600}))
    signature = hmac.new(client.secret, signed.encode(), hashlib.sha256).digest()
    page.evaluate("token => places.signIn(token)", f"{signed}.{coded(signature)}")
