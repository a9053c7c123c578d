"""A TCP proxy between an instance and PostgreSQL that can hold all bytes back, or drop the answer to a commit."""

import select
import socket
import threading

READY = b"Z\0\0\0\5I"


def is_committed(answer):
    """Returns whether an answer of PostgreSQL ends a transaction that wrote."""
    return answer.endswith(READY) and (b"INSERT 0 " in answer or b"UPDATE " in answer or b"DELETE " in answer)


class Proxy:
    def __init__(self, target):
        self.target = target
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.lock = threading.Lock()
        # Not set while all bytes are held back.
        self.flow = threading.Event()
        self.flow.set()
        self.wanted_cuts = 0
        self.cuts = 0
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def hold(self):
        """Holds all bytes back. New connections are accepted, but get no answer."""
        self.flow.clear()

    def release(self):
        self.flow.set()

    def cut(self, count):
        """Drops the answers to the next commits, and closes their connections."""
        with self.lock:
            self.wanted_cuts = count

    def take_cut(self):
        with self.lock:
            if not self.wanted_cuts:
                return False
            self.wanted_cuts -= 1
            self.cuts += 1
            return True

    def serve(self, client):
        server = None
        try:
            self.flow.wait()
            server = socket.create_connection(self.target, timeout=10)
            for connection in (client, server):
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                connection.settimeout(30)
            self.forward(client, server)
        except OSError:
            pass
        finally:
            for connection in (client, server):
                if connection:
                    connection.close()

    def forward(self, client, server):
        answer = b""
        while True:
            readable, _, _ = select.select([client, server], [], [], 1)
            # Bytes that arrive from now on wait in the kernel.
            self.flow.wait()
            if client in readable:
                data = client.recv(1 << 16)
                if not data:
                    return
                server.sendall(data)
            if server in readable:
                data = server.recv(1 << 16)
                answer += data
                # The answer to a commit is complete, so that the commit is certain.
                if data and self.wanted_cuts and len(answer) > 1 and not answer.endswith(READY):
                    continue
                if is_committed(answer) and self.take_cut():
                    return
                client.sendall(answer)
                answer = b""
                if not data:
                    return

    def close(self):
        self.flow.set()
        self.listener.close()
