/// The classes of bytes in HTTP's grammar (RFC 9110 section 5.6, RFC 3986 section 2).
///
/// A class is a bit set of two words, so testing a byte needs no table, bounds check or branch.
enum Grammar {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20

    /// Whether a byte is a tchar (RFC 9110 section 5.6.2).
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool { contains(byte, 0x03FF_6CFA_0000_0000, 0x57FF_FFFF_C7FF_FFFE) }

    /// Whether a byte is allowed unencoded in a reg-name: unreserved or sub-delims (RFC 3986 section 3.2.2).
    @inline(__always)
    static func isRegisteredName(_ byte: UInt8) -> Bool { contains(byte, 0x2BFF_7FD2_0000_0000, 0x47FF_FFFE_87FF_FFFE) }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    @inline(__always)
    static func isWhiteSpace(_ byte: UInt8) -> Bool { byte == space || byte == tab }

    /// Whether a byte is allowed in a field value: visible ASCII, space, tab and obs-text (RFC 9110 section 5.5).
    @inline(__always)
    static func isFieldValue(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F || byte == tab }

    /// Returns the value of a hexadecimal digit. Nil for any other byte.
    @inline(__always)
    static func hexValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte &- 0x30 }
        let letter = (byte | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }

    @inline(__always)
    private static func contains(_ byte: UInt8, _ low: UInt64, _ high: UInt64) -> Bool {
        byte < 0x80 && ((byte < 0x40 ? low : high) &>> UInt64(byte & 0x3F)) & 1 == 1
    }

    /// Returns the range without surrounding optional white space (OWS, RFC 9110 section 5.6.3).
    static func trimmed(_ range: Range<Int>, of bytes: UnsafeRawBufferPointer) -> Range<Int> {
        var lower = range.lowerBound
        var upper = range.upperBound
        while lower < upper, isWhiteSpace(bytes[lower]) { lower += 1 }
        while lower < upper, isWhiteSpace(bytes[upper - 1]) { upper -= 1 }
        return lower..<upper
    }

    /// Whether the range equals `word`, ignoring case. `word` must be lowercase.
    static func equalsIgnoringCase(_ word: StaticString, _ range: Range<Int>, of bytes: UnsafeRawBufferPointer) -> Bool
    {
        guard range.count == word.utf8CodeUnitCount else { return false }
        for index in 0..<range.count {
            let byte = bytes[range.lowerBound + index]
            let expected = word.utf8Start[index]
            // Only letters are compared without case. Otherwise, a carriage return (0x0D) would match `-` (0x2D),
            // because the two differ only in the case bit.
            guard byte == expected || byte | 0x20 == expected && expected >= 0x61 else { return false }
        }
        return true
    }

    /// Returns the index of the first control byte (including tab and DEL) in the range, or the end of the range if
    /// there is none.
    ///
    /// The loop tests eight bytes at a time. The first subtraction sets the high bit of a byte below 0x20. XOR turns
    /// DEL into zero, and the second subtraction sets the high bit of a zero byte. A borrow affects only bytes above
    /// the first match, so the lowest flag is exact.
    @inline(__always)
    static func indexOfControl(in range: Range<Int>, of bytes: UnsafeRawBufferPointer) -> Int {
        var index = range.lowerBound
        while index &+ 8 <= range.upperBound {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let delete = word ^ 0x7F7F_7F7F_7F7F_7F7F
            let flags =
                ((word &- 0x2020_2020_2020_2020) & ~word | (delete &- 0x0101_0101_0101_0101) & ~delete)
                & 0x8080_8080_8080_8080
            if flags != 0 { return index &+ flags.trailingZeroBitCount &>> 3 }
            index &+= 8
        }
        while index < range.upperBound, bytes[index] >= 0x20, bytes[index] != 0x7F { index &+= 1 }
        return index
    }
}
