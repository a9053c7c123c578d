/// The base64url encoding without padding (RFC 4648 section 5, RFC 7515 section 2).
package enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Decodes base64url. Nil if a byte is not in the alphabet, the length is impossible, or an unused bit at the end
    /// isn't zero, so each byte sequence has exactly one accepted encoding.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 2)
        var (bits, count): (UInt32, Int) = (0, 0)
        for character in text {
            guard let digit = digit(character) else { return nil }
            bits = bits << 6 | digit
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            bits &= 1 << UInt32(count) - 1
        }
        return count < 6 && bits == 0 ? bytes : nil
    }

    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count / 3 * 4 + 4)
        var (bits, count): (UInt32, UInt32) = (0, 0)
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(alphabet[Int(bits >> count & 63)])
            }
            bits &= 1 << count - 1
        }
        if count > 0 { text.append(alphabet[Int(bits << (6 - count) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func digit(_ character: UInt8) -> UInt32? {
        switch character {
        case 0x41...0x5A: UInt32(character) - 0x41
        case 0x61...0x7A: UInt32(character) - 0x61 + 26
        case 0x30...0x39: UInt32(character) - 0x30 + 52
        case 0x2D: 62
        case 0x5F: 63
        default: nil
        }
    }
}
