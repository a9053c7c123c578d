"""The nginx of deploy/postgresql, in front of the instances of a test."""

import os
import re
import shutil
import socket
import subprocess

from processes import Failed, free_port, wait_until

SHIPPED = os.path.join(os.path.dirname(__file__), "../../deploy/postgresql/nginx.conf")
ADDRESSES = ("172.28.8.11:8080", "172.28.8.12:8080")


def program():
    """Returns the path of nginx. None if it is not installed."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


class Nginx:
    """A process of nginx with the shipped configuration, but with the test's ports and folder, and without TLS."""

    def __init__(self, folder, ports):
        self.port = free_port()
        folder = os.path.join(folder, "nginx")
        os.mkdir(folder)
        with open(SHIPPED, encoding="utf-8") as file:
            text = file.read()
        for address, port in zip(ADDRESSES, ports):
            text = text.replace(address, f"127.0.0.1:{port}")
        text = text.replace("listen 8443 ssl;", f"listen 127.0.0.1:{self.port};")
        text = re.sub(r"\n *ssl_certificate(_key)? [^\n]*", "", text).replace("/tmp/", folder + "/")
        path = os.path.join(folder, "nginx.conf")
        with open(path, "w", encoding="utf-8") as file:
            # The worker processes read bodies from the folder, which may belong to root.
            file.write(("user root;\n" if os.geteuid() == 0 else "") + text)
        log = os.path.join(folder, "log")
        with open(log, "wb") as file:
            self.process = subprocess.Popen(
                [program(), "-c", path, "-g", "daemon off;"], stdin=subprocess.DEVNULL, stdout=file, stderr=file)
        if not wait_until(self.listens, 30, 0.05):
            self.kill()
            raise Failed(f"nginx did not start: see {log}")

    def listens(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            return True
        except OSError:
            return False

    def kill(self):
        # nginx's first process ends the others.
        self.process.terminate()
        self.process.wait()
