/// The few forms of DER (X.690) needed for keys and signatures.
enum DER {
    /// Returns a sequence with this content.
    static func sequence(_ content: [UInt8]) -> [UInt8] { element(0x30, content) }

    /// Encodes a big-endian number as an integer: without leading zeros, but with a zero byte if it would otherwise be
    /// negative.
    static func integer(_ number: ArraySlice<UInt8>) -> [UInt8] {
        let digits = Array(number.drop { $0 == 0 })
        return element(0x02, digits.first.map { $0 < 0x80 } ?? false ? digits : [0] + digits)
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
        let length = (0..<8).map { UInt8(truncatingIfNeeded: content.count >> (56 - 8 * $0)) }.drop { $0 == 0 }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }

    // MARK: - Reading

    /// The algorithm identifiers of an RSA key (RFC 3279 section 2.3.1) and of a P-256 key (RFC 5480 section 2.1.1).
    private static let rsa: [UInt8] = [
        0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
    ]
    private static let p256: [UInt8] = [
        0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01,
        0x07,
    ]

    /// Reads the parts of a `SubjectPublicKeyInfo`. Nil if the bytes are malformed, or if the key has another type. A
    /// P-256 point must be uncompressed.
    static func parts(ofSubjectPublicKey der: [UInt8]) -> SubjectPublicKey.Parts? {
        var bytes = der[...]
        guard var info = take(0x30, &bytes), bytes.isEmpty, let algorithm = take(0x30, &info),
            let bits = take(0x03, &info), info.isEmpty, bits.first == 0
        else { return nil }
        var key = bits.dropFirst()
        if algorithm.elementsEqual(p256) {
            guard key.count == 1 + 2 * P256PublicKey.coordinateCount, key.popFirst() == 0x04 else { return nil }
            return .p256(
                x: Array(key.prefix(P256PublicKey.coordinateCount)), y: Array(key.suffix(P256PublicKey.coordinateCount))
            )
        }
        guard algorithm.elementsEqual(rsa), var numbers = take(0x30, &key), key.isEmpty,
            let modulus = takeNumber(&numbers), let exponent = takeNumber(&numbers), numbers.isEmpty
        else { return nil }
        return .rsa(modulus: modulus, exponent: exponent)
    }

    /// Removes an element with this tag from the front, and returns its content.
    private static func take(_ tag: UInt8, _ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.popFirst() == tag, let first = bytes.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            // The long form has at most three bytes without leading zeros, and is used only if one byte isn't enough.
            let digits = bytes.prefix(Int(first & 0x7F))
            guard 1...3 ~= digits.count, digits.count == Int(first & 0x7F), digits.first != 0 else { return nil }
            bytes.removeFirst(digits.count)
            length = digits.reduce(0) { $0 << 8 | Int($1) }
            guard length >= 0x80 else { return nil }
        }
        guard length <= bytes.count else { return nil }
        defer { bytes.removeFirst(length) }
        return bytes.prefix(length)
    }

    /// Removes a positive integer in its shortest form, and returns its big-endian digits.
    private static func takeNumber(_ bytes: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard let content = take(0x02, &bytes), let first = content.first, first < 0x80 else { return nil }
        guard first == 0, content.count > 1 else { return Array(content) }
        guard let second = content.dropFirst().first, second >= 0x80 else { return nil }
        return Array(content.dropFirst())
    }
}
