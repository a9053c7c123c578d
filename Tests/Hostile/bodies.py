"""Bodies that are expensive for their size, and the plain JSON that their cost is compared with."""

import gzip
import json
import struct
import zlib


def plain(size, example=None):
    """JSON of this size: an example with a long text beside it."""
    return filled(example or {}, "zz", "x", size)


def filled(example, member, unit, size):
    """The example, in which the member is a text of repetitions of a part of a JSON text, as long as the size allows."""
    rest = {name: value for name, value in example.items() if name != member}
    head = json.dumps(rest, separators=(",", ":"))[:-1] + ("," if rest else "") + json.dumps(member) + ':"'
    count = max(0, size - len(head.encode()) - 2) // len(unit.encode())
    return (head + unit * count + '"}').encode()


def repeated(size, unit, opening, closing):
    count = max(1, (size - len(opening) - len(closing)) // (len(unit) + 1))
    return (opening + ",".join([unit] * count) + closing).encode()


def numbered(size, unit, opening, closing):
    """Like `repeated`, with a number in each unit."""
    units, length, number = [], len(opening) + len(closing), 0
    while length < size - len(unit) - 8:
        units.append(unit.replace("#", str(number)))
        length += len(units[-1]) + 1
        number += 1
    return (opening + ",".join(units) + closing).encode()


# Parts of a text that take longer to read than a letter.
UNITS = {
    "escapes": "\\n", "quotes": '\\"', "hexadecimal": "\\u00e9", "pairs": "\\ud83d\\ude00", "letters": "é",
    "symbols": "😀", "marks": "e" + "\u0301" * 200, "half pairs": "\\ud800",
}


def shapes(size, example):
    """Yields the names and bytes of JSON bodies of about this size."""
    texts = [name for name, value in example.items() if isinstance(value, str)] or ["name"]
    for name, unit in UNITS.items():
        for member in [*texts[:2], "zz"]:
            yield f"{name} in {member}", filled(example, member, unit, size)
        count = size // (len(unit.encode()) + 8)
        yield f"{name} in a name", ('{"' + unit * (size // len(unit.encode()) - 4) + '":1}').encode()
    yield "spaces", b" " * (size - 2) + b"{}"
    yield "numbers", repeated(size, "0", '{"zz":[', "]}")
    yield "long number", b'{"zz":' + b"9" * (size - 8) + b"}"
    yield "arrays", repeated(size, "[]", '{"zz":[', "]}")
    yield "objects", repeated(size, "{}", '{"zz":[', "]}")
    yield "depth", b'{"zz":' + b"[" * 60 + b"0," * ((size - 140) // 2) + b"0" + b"]" * 60 + b"}"
    for name, unit in [("short escaped names", '"\\n":0'), ("escaped names", '"\\u006e\\u0061#":0')]:
        yield name, numbered(size, unit, json.dumps(example)[:-1] + ("," if example else ""), "}")
    yield "members", numbered(size, '"#":0', "{", "}")
    yield "one name", repeated(size, '"zz":0', "{", "}")
    for name, value in example.items():
        yield f"{name} again", repeated(size, f"{json.dumps(name)}:{json.dumps(value)}", "{", "}")
        if isinstance(value, list) and value:
            rest = {other: kept for other, kept in example.items() if other != name}
            opening = json.dumps(rest)[:-1] + ("," if rest else "") + f"{json.dumps(name)}:["
            yield f"elements of {name}", repeated(size, json.dumps(value[0], separators=(",", ":")), opening, "]}")
            yield f"empty elements of {name}", repeated(
                size, {str: '""', dict: "{}"}.get(type(value[0]), "0"), opening, "]}")
    yield "no JSON", b"\xff" * size
    yield "open string", b'{"zz":"' + b"x" * (size - 7)
    yield "zeros", bytes(size)


class Bits:
    """Bits in the order of RFC 1951 section 3.1.1."""

    def __init__(self):
        self.bytes, self.value, self.count = bytearray(), 0, 0

    def put(self, value, count):
        self.value |= value << self.count
        self.count += count
        while self.count >= 8:
            self.bytes.append(self.value & 255)
            self.value >>= 8
            self.count -= 8

    def align(self):
        if self.count:
            self.put(0, 8 - self.count)


def coded_block(bits):
    """An empty block with Huffman codes of its own, as short as possible."""
    bits.put(0, 1)
    bits.put(2, 2)
    bits.put(0, 10)
    bits.put(14, 4)
    for symbol in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1]:
        bits.put(1 if symbol in (1, 18) else 0, 3)
    bits.put(1 | (138 - 11) << 1, 8)
    bits.put(1 | (118 - 11) << 1, 8)
    bits.put(0, 3)


def member(write, size, content=b""):
    """A gzip member of at most this size, which repeats what `write` writes."""
    bits = Bits()
    while len(bits.bytes) < size - 100:
        write(bits)
    bits.put(1, 3)
    bits.align()
    deflated = bytes(bits.bytes) + b"\x00\x00\xff\xff"
    return (b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff" + deflated
            + struct.pack("<II", zlib.crc32(content), len(content)))


def fixed_block(bits):
    bits.put(2, 10)


def stored_block(bits):
    bits.put(0, 3)
    bits.align()
    bits.bytes += b"\x00\x00\xff\xff"


def coded(size, example):
    """Yields names, gzip bodies of at most this size, and the larger of their two sizes."""
    empty = gzip.compress(b"", mtime=0)
    yield "empty members", empty * (size // len(empty)), size
    yield "empty stored blocks", member(stored_block, size), size
    yield "empty fixed blocks", member(fixed_block, size), size
    yield "empty coded blocks", member(coded_block, size), size
    yield "empty members behind content", gzip.compress(plain(100, example)) + empty * (size // len(empty) - 10), size
    yield "zeros", gzip.compress(bytes(size), 9), size
    yield "over the limit", gzip.compress(bytes(20 * size), 9), size
    yield "false length", gzip.compress(bytes(20 * size), 9)[:-4] + struct.pack("<I", size), size
    flushed = zlib.compressobj(9, zlib.DEFLATED, 31)
    body = plain(size // 2, example)
    pieces = [flushed.compress(body[at:at + 8]) + flushed.flush(zlib.Z_FULL_FLUSH) for at in range(0, size // 2, 8)]
    yield "flushed", (b"".join(pieces) + flushed.flush())[:size], size
    for name, body in shapes(size, example):
        yield name, gzip.compress(body, 6), len(body)
