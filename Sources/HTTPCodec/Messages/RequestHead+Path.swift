extension RequestHead {
    /// The path's segments, each percent-decoded by itself, so that `%2F` stays inside its segment; nil when one is not
    /// UTF-8. `/a/` has an empty segment at its end, `/` is one empty segment, the asterisk-form has none.
    package var pathSegments: [String]? {
        guard path.first.map({ bytes[$0] }) == 0x2F else { return [] }
        var segments: [String] = []
        var start = path.lowerBound + 1
        for index in start...path.upperBound where index == path.upperBound || bytes[index] == 0x2F {
            guard let segment = percentDecoded(start..<index) else { return nil }
            segments.append(segment)
            start = index + 1
        }
        return segments
    }

    /// The text that a range of the target stands for; nil when it is not UTF-8, or has a NUL, which no text wants.
    ///
    /// `+` is itself (RFC 3986): only HTML forms mean a space by it.
    package func percentDecoded(_ range: Range<Int>) -> String? {
        bytes.withUnsafeBytes { bytes in
            let encoded = UnsafeRawBufferPointer(rebasing: bytes[range])
            guard encoded.contains(0x25) else { return Self.text(encoded) }
            return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: encoded.count) { decoded in
                var count = 0
                var rest = PercentDecoding(encoded)
                while let byte = rest.next() {
                    guard byte != 0 else { return nil }
                    decoded[count] = byte
                    count += 1
                }
                return Self.text(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(decoded)[..<count]))
            }
        }
    }

    /// Repairs what is no UTF-8 and compares: the validating initialiser asks for newer systems than this code does.
    private static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) ? text : nil
    }
}

/// The bytes that percent-encoded ones stand for (RFC 3986 section 2.1). The decoder has refused malformed encoding.
struct PercentDecoding: IteratorProtocol {
    private let bytes: UnsafeRawBufferPointer
    private var index = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func next() -> UInt8? {
        guard index < bytes.count else { return nil }
        let byte = bytes[index]
        if byte == 0x25, index + 2 < bytes.count, let high = Grammar.hexValue(bytes[index + 1]),
            let low = Grammar.hexValue(bytes[index + 2])
        {
            index += 3
            return high << 4 | low
        }
        index += 1
        return byte
    }
}
