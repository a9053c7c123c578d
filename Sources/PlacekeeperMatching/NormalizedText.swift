#if canImport(FoundationEssentials)
    @_spi(_Unicode) import Swift
#else
    import Foundation
#endif

extension String {
    /// Calls the closure with the string in Unicode normalization form C, encoded in UTF-8. Canonically equivalent
    /// strings, which are equal in Swift, have the same bytes in this form.
    package func withNormalizedUTF8<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        // An ASCII string is already normalized.
        var text = isASCII ? self : normalized
        return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }

    /// Whether the string is pure ASCII. Checks eight bytes at a time.
    private var isASCII: Bool {
        var text = self
        return text.withUTF8 { utf8 in
            let bytes = UnsafeRawBufferPointer(utf8)
            var index = 0
            while index + 8 <= bytes.count {
                guard bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0 else {
                    return false
                }
                index += 8
            }
            return bytes[index...].allSatisfy { $0 < 0x80 }
        }
    }

    private var normalized: String {
        #if canImport(FoundationEssentials)
            String(UnicodeScalarView(_nfc))
        #else
            precomposedStringWithCanonicalMapping
        #endif
    }
}
