extension Array<UInt8> {
    /// Appends the low `width` bytes of a number in big-endian order.
    @inline(__always)
    mutating func appendNumber(_ number: UInt64, width: Int) {
        for shift in stride(from: 8 * (width - 1), through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }

    /// Appends an integer: a marker, then 1, 2 or 4 unsigned bytes, or 8 signed bytes.
    mutating func appendInteger(_ value: Int64) {
        let number = UInt64(bitPattern: value)
        let exponent: UInt8 = number <= 0xFF ? 0 : number <= 0xFFFF ? 1 : number <= 0xFFFF_FFFF ? 2 : 3
        append(0x10 | exponent)
        appendNumber(number, width: 1 << Int(exponent))
    }

    /// Appends a marker and a count. A count of 15 or more follows the marker as an integer.
    mutating func appendMarker(_ type: UInt8, count: Int) {
        append(type | UInt8(Swift.min(count, 0xF)))
        if count >= 0xF { appendInteger(Int64(count)) }
    }

    static func markerLength(count: Int) -> Int {
        count < 0xF ? 1 : count <= 0xFF ? 3 : count <= 0xFFFF ? 4 : count <= 0xFFFF_FFFF ? 6 : 10
    }

    /// Appends a string, as ASCII if possible and otherwise as UTF-16. Returns whether it is ASCII.
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
