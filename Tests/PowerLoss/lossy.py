"""A file system that loses what was not synced: lossy.py DISK MOUNT SEED nothing|files|directories

DISK is a folder with what the disk has when the power returns. It is read at the start, and written at the cut. In
between, a write is on the disk after an `fsync` of its file, and a name after an `fsync` of its directory: the `fsync`
of a new file does not keep its name. Of everything else, the disk has nothing, all, the first part, or any part, in
sectors of 512 bytes. The last argument is what `fsync` ignores.

Lines on standard input cut the power: `cut` at once, or `cut OPERATION TEXT N` at the Nth operation on a path with TEXT.
"""

import errno
import itertools
import os
import random
import shutil
import stat
import sys
import threading
import time

import mfusepy

SECTOR = 512
NO_REPLACE = 1


def apply(content, position, data):
    """Performs a write, or without data a truncation."""
    end = position + len(data or b"")
    content.extend(bytes(max(0, end - len(content))))
    if data is None:
        del content[position:]
    else:
        content[position:end] = data


def survivors(changes, rng):
    """Chooses the changes that the disk has after a cut."""
    kind = rng.choice(("nothing", "all", "first", "any"))
    if kind == "any":
        return [change for change in changes if rng.random() < 0.5]
    return changes[:{"nothing": 0, "all": len(changes), "first": rng.randrange(len(changes) + 1)}[kind]]


class Node:
    """A file or a directory: its content now and on the disk, and the changes of a file in between."""

    numbers = itertools.count(1)

    def __init__(self, mode):
        self.number = next(Node.numbers)
        self.mode = mode
        self.time = time.time_ns()
        self.now, self.disk = ({}, {}) if stat.S_ISDIR(mode) else (bytearray(), bytearray())
        self.pending = []

    def change(self, position, data):
        apply(self.now, position, data)
        self.pending.append((position, data))
        self.time = time.time_ns()

    def sync(self):
        for change in self.pending:
            apply(self.disk, *change)
        self.pending.clear()

    def lose(self, rng):
        """Chooses what the disk has after a cut. It writes whole sectors, in any order."""
        pieces = []
        for position, data in self.pending:
            if data is None:
                pieces.append((position, None))
                continue
            end = position + len(data)
            edges = [position, *range(position // SECTOR * SECTOR + SECTOR, end, SECTOR), end]
            pieces += [(first, data[first - position:last - position]) for first, last in zip(edges, edges[1:])]
        self.pending = survivors(pieces, rng)
        self.sync()


class Disk(mfusepy.Operations):
    use_ns = True

    def __init__(self, folder, seed, ignored):
        self.folder = folder
        self.rng = random.Random(seed)
        self.ignored = ignored
        self.turn = threading.Lock()
        # Changes of names, in their order. Each is a list of (directory, name, node or None).
        self.pending = []
        # A file can be used after it was unlinked.
        self.opened = {}
        # Where the power is cut: the name of the operation, a part of its path, and how many are left.
        self.last = None
        self.root = self.load(folder)

    def load(self, path):
        node = Node(os.stat(path).st_mode)
        if stat.S_ISDIR(node.mode):
            node.now = {name: self.load(os.path.join(path, name)) for name in os.listdir(path)}
            node.disk = dict(node.now)
        else:
            with open(path, "rb") as file:
                node.change(0, file.read())
            node.sync()
        return node

    def store(self, node, path):
        if stat.S_ISDIR(node.mode):
            os.mkdir(path)
            for name, child in node.disk.items():
                self.store(child, os.path.join(path, name))
        else:
            node.lose(self.rng)
            with open(path, "wb") as file:
                file.write(node.disk)
        os.chmod(path, stat.S_IMODE(node.mode))

    def cut(self):
        for changes in survivors(self.pending, self.rng):
            self.name_on_disk(changes)
        shutil.rmtree(self.folder)
        self.store(self.root, self.folder)
        os._exit(0)

    def is_last(self, operation, path):
        """Returns whether this is the operation at which the power is cut."""
        if not self.last or self.last[0] != operation or self.last[1] not in path:
            return False
        self.last[2] -= 1
        return self.last[2] <= 0

    def at(self, path):
        node = self.root
        for name in filter(None, path.split("/")):
            node = node.now.get(name)
            if node is None:
                raise OSError(errno.ENOENT, path)
        return node

    def parent(self, path):
        return self.at(os.path.dirname(path)), os.path.basename(path)

    def name(self, *changes):
        """Gives names to nodes, and takes names away."""
        for directory, name, node in changes:
            directory.now.pop(name, None)
            if node:
                directory.now[name] = node
        self.pending.append(changes)

    @staticmethod
    def name_on_disk(changes):
        for directory, name, node in changes:
            directory.disk.pop(name, None)
            if node:
                directory.disk[name] = node

    def getattr(self, path, fh=None):
        node = self.opened[fh] if fh else self.at(path)
        return {"st_mode": node.mode, "st_ino": node.number, "st_nlink": 1, "st_size": len(node.now),
                "st_uid": os.getuid(), "st_gid": os.getgid(), "st_mtime": node.time, "st_ctime": node.time}

    def statfs(self, path):
        status = os.statvfs(self.folder)
        return {name: getattr(status, name) for name in dir(status) if name.startswith("f_")}

    def mkdir(self, path, mode):
        self.name((*self.parent(path), Node(stat.S_IFDIR | mode)))

    def create(self, path, mode, fi=None):
        self.name((*self.parent(path), Node(stat.S_IFREG | mode)))
        return self.open(path, 0)

    def open(self, path, flags):
        node = self.at(path)
        self.opened[node.number] = node
        return node.number

    def readdir(self, path, fh):
        return [(name, {"st_ino": node.number, "st_mode": node.mode}, 0) for name, node in self.at(path).now.items()]

    def read(self, path, size, offset, fh):
        return bytes(self.opened[fh].now[offset:offset + size])

    def write(self, path, data, offset, fh):
        self.opened[fh].change(offset, data)
        return len(data)

    def truncate(self, path, length, fh=None):
        self.at(path).change(length, None)

    def fsync(self, path, datasync, fh):
        if self.ignored != "files":
            self.opened[fh].sync()

    def fsyncdir(self, path, datasync, fh):
        if self.ignored == "directories":
            return
        directory = self.at(path)
        synced = [changes for changes in self.pending if any(changed is directory for changed, _, _ in changes)]
        for changes in synced:
            self.name_on_disk(changes)
        self.pending = [changes for changes in self.pending if changes not in synced]

    def unlink(self, path):
        self.at(path)
        self.name((*self.parent(path), None))

    def rename(self, old, new, flags=0):
        node, (directory, name) = self.at(old), self.parent(new)
        if flags & ~NO_REPLACE:
            raise OSError(errno.EINVAL, new)
        if flags and name in directory.now:
            raise OSError(errno.EEXIST, new)
        self.name((*self.parent(old), None), (directory, name, node))

    def chmod(self, path, mode):
        node = self.at(path)
        node.mode = stat.S_IFMT(node.mode) | stat.S_IMODE(mode)

    def chown(self, path, uid, gid):
        """All files belong to the user of this process."""


class Mount(mfusepy.FUSE):
    """Performs one operation after the other, and cuts the power before or after the last one."""

    def _wrapper(self, function, *arguments, **named):
        disk = self.operations
        with disk.turn:
            paths = " ".join(argument.decode() for argument in arguments if isinstance(argument, bytes))
            is_last = disk.is_last(function.__name__.removesuffix("_fuse_3"), paths)
            if is_last and disk.rng.random() < 0.5:
                disk.cut()
            result = super()._wrapper(function, *arguments, **named)
            if is_last:
                disk.cut()
            return result

    def rename_fuse_3(self, old, new, flags):
        return self.operations.rename(old.decode(), new.decode(), flags)


def listen(disk):
    for line in sys.stdin:
        with disk.turn:
            if line == "cut\n":
                disk.cut()
            _, operation, text, number = line.split()
            disk.last = [operation, text, int(number)]
    # The test ended.
    os._exit(1)


def main():
    folder, mount, seed, ignored = sys.argv[1:]
    disk = Disk(folder, seed, ignored)
    threading.Thread(target=listen, args=(disk,), daemon=True).start()
    Mount(disk, mount, foreground=True, nothreads=True, use_ino=True, hard_remove=True)


if __name__ == "__main__":
    main()
