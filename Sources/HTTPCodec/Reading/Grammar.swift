/// The classes of bytes that HTTP's grammar speaks of (RFC 9110 section 5.6, RFC 3986 section 2).
///
/// A class is two words of bits: no table to load, no bounds to check, no branch to miss.
enum Grammar {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20

    /// tchar (RFC 9110 section 5.6.2).
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool { contains(byte, 0x03FF_6CFA_0000_0000, 0x57FF_FFFF_C7FF_FFFE) }

    /// What stands in a reg-name unencoded: unreserved and sub-delims (RFC 3986 section 3.2.2).
    @inline(__always)
    static func isRegisteredName(_ byte: UInt8) -> Bool { contains(byte, 0x2BFF_7FD2_0000_0000, 0x47FF_FFFE_87FF_FFFE) }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    @inline(__always)
    static func isWhiteSpace(_ byte: UInt8) -> Bool { byte == space || byte == tab }

    /// What may stand in a field value: visible ASCII, space, tab and obs-text (RFC 9110 section 5.5).
    @inline(__always)
    static func isFieldValue(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F || byte == tab }

    /// The value of a hexadecimal digit; nil for any other byte.
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

    /// The range without the optional white space around it (OWS, RFC 9110 section 5.6.3).
    static func trimmed(_ range: Range<Int>, of bytes: UnsafeRawBufferPointer) -> Range<Int> {
        var lower = range.lowerBound
        var upper = range.upperBound
        while lower < upper, isWhiteSpace(bytes[lower]) { lower += 1 }
        while lower < upper, isWhiteSpace(bytes[upper - 1]) { upper -= 1 }
        return lower..<upper
    }

    /// Whether the range spells `word`, which is in lower case, in any case.
    static func spells(_ word: StaticString, _ range: Range<Int>, of bytes: UnsafeRawBufferPointer) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        for index in 0..<range.count {
            let byte = bytes[range.lowerBound + index]
            let expected = word.utf8Start[index]
            // Only letters have another case: `-` with the bit of the case taken off is a carriage return.
            guard byte == expected || byte | 0x20 == expected && expected >= 0x61 else { return false }
        }
        return true
    }

    /// The first byte in the range that ends a run of field content: a control byte, tab among them, or DEL; the
    /// range's end if there is none.
    ///
    /// Eight bytes at a time: a byte below 0x20 borrows its high bit on subtraction, DEL turns zero under XOR. A borrow
    /// reaches only bytes above the first one found, so the lowest flag is exact.
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
