#if canImport(Darwin)
    import Foundation
#else
    @_spi(_Unicode) import Swift
#endif

extension String {
    /// Runs with the text in Unicode's normal form C, in UTF-8: texts that are canonically equivalent, which Swift holds
    /// equal, are then the same bytes.
    package func withNormalizedUTF8<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        // ASCII is its own normal form.
        var text = utf8.allSatisfy { $0 < 0x80 } ? self : normalized
        return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }

    private var normalized: String {
        #if canImport(Darwin)
            precomposedStringWithCanonicalMapping
        #else
            String(UnicodeScalarView(_nfc))
        #endif
    }
}
