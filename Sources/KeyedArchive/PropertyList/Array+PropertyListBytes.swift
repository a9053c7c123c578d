extension Array<UInt8> {
    /// Appends the low bytes of a number, the highest first.
    @inline(__always)
    mutating func appendNumber(_ number: UInt64, width: Int) {
        for shift in stride(from: 8 * (width - 1), through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }

    /// Appends a whole number: 1, 2 or 4 bytes without a sign, else 8 with one.
    mutating func appendInteger(_ value: Int64) {
        let number = UInt64(bitPattern: value)
        let exponent: UInt8 = number <= 0xFF ? 0 : number <= 0xFFFF ? 1 : number <= 0xFFFF_FFFF ? 2 : 3
        append(0x10 | exponent)
        appendNumber(number, width: 1 << Int(exponent))
    }

    /// Appends a type with a count; a count of 15 and more follows as a number.
    mutating func appendMarker(_ type: UInt8, count: Int) {
        append(type | UInt8(Swift.min(count, 0xF)))
        if count >= 0xF { appendInteger(Int64(count)) }
    }

    static func markerLength(count: Int) -> Int {
        count < 0xF ? 1 : count <= 0xFF ? 3 : count <= 0xFFFF ? 4 : count <= 0xFFFF_FFFF ? 6 : 10
    }

    /// Appends a string: ASCII where it can be, else UTF-16. Returns whether it is ASCII.
    mutating func appendString(_ string: String) -> Bool {
        var string = string
        let isASCII = string.withUTF8 { text in
            guard text.allSatisfy({ $0 < 0x80 }) else { return false }
            appendMarker(0x50, count: text.count)
            append(contentsOf: text)
            return true
        }
        guard !isASCII else { return true }
        appendMarker(0x60, count: string.utf16.count)
        for unit in string.utf16 { appendNumber(UInt64(unit), width: 2) }
        return false
    }
}
