/// Gzip members whose deflated blocks a compressor would not make (RFC 1951, RFC 1952).
enum DeflateBlocks {
    /// A member of `count` empty blocks, each with its own Huffman codes.
    static func coded(_ count: Int) -> [UInt8] {
        member(of: []) { bits in
            for _ in 0..<count {
                bits.put(0, 1)
                bits.put(2, 2)
                // 257 literal codes, 1 distance code and 18 code length codes: one bit for each of the lengths 1 and 18.
                bits.put(0, 5)
                bits.put(0, 5)
                bits.put(14, 4)
                for symbol in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1] {
                    bits.put(symbol == 18 || symbol == 1 ? 1 : 0, 3)
                }
                // 138 and 118 codes without a length, then the end of a block and a distance with one bit each.
                bits.put(1, 1)
                bits.put(138 - 11, 7)
                bits.put(1, 1)
                bits.put(118 - 11, 7)
                bits.put(0, 1)
                bits.put(0, 1)
                // The end of the block.
                bits.put(0, 1)
            }
        }
    }

    /// A member of `count` empty blocks with the fixed Huffman codes: ten bits for each.
    static func fixed(_ count: Int) -> [UInt8] {
        member(of: []) { bits in
            for _ in 0..<count { bits.put(1 << 1, 10) }
        }
    }

    /// A member of `count` stored blocks with the same content.
    static func stored(_ count: Int, each content: [UInt8]) -> [UInt8] {
        member(of: Array(repeatElement(content, count: count).joined())) { bits in
            for _ in 0..<count { bits.putStored(content, isLast: false) }
        }
    }

    private static func member(of content: [UInt8], _ write: (inout Bits) -> Void) -> [UInt8] {
        var bits = Bits()
        write(&bits)
        bits.putStored([], isLast: true)
        var member: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF] + bits.bytes
        for number in [checksum(of: content), UInt32(content.count)] {
            for shift in [0, 8, 16, 24] as [UInt32] { member.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }
        return member
    }

    /// The checksum CRC-32 of RFC 1952 section 8.
    private static func checksum(of content: [UInt8]) -> UInt32 {
        ~content.reduce(~0 as UInt32) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
    }

    /// Bits in the order of RFC 1951 section 3.1.1.
    private struct Bits {
        private(set) var bytes: [UInt8] = []
        private var free = 0

        mutating func put(_ value: Int, _ count: Int) {
            for bit in 0..<count {
                if free == 0 {
                    bytes.append(0)
                    free = 8
                }
                bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(8 - free)
                free -= 1
            }
        }

        mutating func putStored(_ content: [UInt8], isLast: Bool) {
            put(isLast ? 1 : 0, 1)
            put(0, 2)
            free = 0
            for number in [content.count, ~content.count] {
                bytes.append(UInt8(truncatingIfNeeded: number))
                bytes.append(UInt8(truncatingIfNeeded: number >> 8))
            }
            bytes += content
        }
    }
}
