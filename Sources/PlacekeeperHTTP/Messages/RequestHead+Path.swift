extension RequestHead {
    /// Percent-decodes a range of the target. Nil if the bytes are not UTF-8 or contain NUL.
    ///
    /// A `+` remains a `+` (RFC 3986). Only HTML forms encode a space as `+`.
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

    /// Returns the string with these bytes, or nil if they are not UTF-8. The result is compared with the bytes,
    /// because the validating initializer of `String` requires newer systems than this code.
    private static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) ? text : nil
    }
}

/// Decodes percent-encoding (RFC 3986 section 2.1). `RequestDecoder` has already rejected targets with malformed
/// encoding.
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
