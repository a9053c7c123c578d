"""A proxy in front of PostgreSQL that drops every hint of other instances."""

import os
import socket
import threading

NOTIFICATION = b"A"


class HintFilter:
    """Listens on a socket in a folder, and forwards connections to the socket of a server.

    The messages of the server have a type of one byte and a length of four bytes, which counts itself. The filter drops
    the messages of the type `NotificationResponse`. Connections on such sockets are not encrypted.
    """

    def __init__(self, folder, target):
        self.folder, self.target = folder, target
        self.dropped = 0
        self.sockets = []
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(os.path.join(folder, ".s.PGSQL.5432"))
        self.listener.listen()
        threading.Thread(target=self.accept, daemon=True).start()

    def url(self, database):
        return f"postgres:///{database}?host={self.folder}&port=5432&user=test"

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            self.sockets += [client, server]
            try:
                server.connect(self.target)
            except OSError:
                client.close()
                continue
            for forward in (self.forward_requests, self.forward_answers):
                threading.Thread(target=self.serve, args=(forward, client, server), daemon=True).start()

    def serve(self, forward, client, server):
        try:
            forward(client, server)
        except OSError:
            pass
        finally:
            for connection in (client, server):
                try:
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def forward_requests(self, client, server):
        while data := client.recv(1 << 16):
            server.sendall(data)

    def forward_answers(self, client, server):
        waiting = b""
        while data := server.recv(1 << 16):
            waiting += data
            kept, at = [], 0
            while len(waiting) - at >= 5:
                length = 1 + int.from_bytes(waiting[at + 1:at + 5], "big")
                if len(waiting) - at < length:
                    break
                if waiting[at:at + 1] == NOTIFICATION:
                    self.dropped += 1
                else:
                    kept.append(waiting[at:at + length])
                at += length
            waiting = waiting[at:]
            if kept:
                client.sendall(b"".join(kept))

    def close(self):
        # A thread that waits in `accept` ends with a shutdown, and not with a close.
        for connection in [self.listener, *self.sockets]:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            connection.close()
