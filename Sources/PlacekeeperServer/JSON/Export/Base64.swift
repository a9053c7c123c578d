/// The base64 encoding with padding (RFC 4648 section 4).
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")
    /// The value of each character, or 0xFF.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    static func encode(_ bytes: [UInt8]) -> String {
        let count = (bytes.count + 2) / 3 * 4
        return String(unsafeUninitializedCapacity: count) { text in
            alphabet.withUnsafeBufferPointer { alphabet in
                var position = 0
                var index = 0
                while index < bytes.count {
                    let rest = bytes.count - index
                    let group =
                        UInt32(bytes[index]) << 16 | (rest > 1 ? UInt32(bytes[index + 1]) << 8 : 0)
                        | (rest > 2 ? UInt32(bytes[index + 2]) : 0)
                    text[position] = alphabet[Int(group >> 18 & 63)]
                    text[position + 1] = alphabet[Int(group >> 12 & 63)]
                    text[position + 2] = rest > 1 ? alphabet[Int(group >> 6 & 63)] : padding
                    text[position + 3] = rest > 2 ? alphabet[Int(group & 63)] : padding
                    position += 4
                    index += 3
                }
            }
            return count
        }
    }

    /// Decodes base64. Nil if a byte is not in the alphabet, the padding is wrong, or an unused bit at the end isn't
    /// zero, so each byte sequence has exactly one accepted encoding.
    static func decode(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { text in
            guard text.count.isMultiple(of: 4) else { return nil }
            let unpadded = text.count - text.suffix(2).count { $0 == padding }
            let count = unpadded * 6 / 8
            var isValid = true
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { bytes, initialized in
                values.withUnsafeBufferPointer { values in
                    var (bits, bitCount, position): (UInt32, UInt32, Int) = (0, 0, 0)
                    for character in text[..<unpadded] {
                        let value = values[Int(character)]
                        isValid = isValid && value != 0xFF
                        bits = bits << 6 | UInt32(value & 63)
                        bitCount += 6
                        guard bitCount >= 8 else { continue }
                        bitCount -= 8
                        bytes[position] = UInt8(truncatingIfNeeded: bits >> bitCount)
                        position += 1
                        bits &= 1 << bitCount - 1
                    }
                    // A single padding character stands for two unused bits, and two for four.
                    isValid = isValid && bits == 0 && Int(bitCount) == 2 * (text.count - unpadded)
                }
                initialized = count
            }
            return isValid ? bytes : nil
        }
    }
}
