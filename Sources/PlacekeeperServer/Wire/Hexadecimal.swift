import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

extension UnsafeMutableBufferPointer<UInt8> {
    /// Writes a word as sixteen hexadecimal digits, beginning at `start`.
    func write(hexadecimal word: UInt64, at start: Int = 0) {
        for position in 0..<16 {
            let digit = UInt8(truncatingIfNeeded: word >> (60 - UInt64(position) * 4)) & 0xF
            self[start + position] = digit < 10 ? 0x30 + digit : 0x57 + digit
        }
    }
}

extension [UInt8] {
    /// Appends each word as sixteen hexadecimal digits.
    mutating func append(hexadecimal words: UInt64...) {
        for word in words {
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { digits in
                digits.write(hexadecimal: word)
                append(contentsOf: digits)
            }
        }
    }
}

extension ResponseFields {
    /// Adds a field with an id in the form of a UUID. Doesn't allocate a string.
    mutating func add<Entity>(_ name: FieldName, _ id: ID<Entity>) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36 + 32) { buffer in
            let digits = UnsafeMutableBufferPointer(rebasing: buffer[36...])
            digits.write(hexadecimal: id.high)
            digits.write(hexadecimal: id.low, at: 16)
            var next = 0
            for position in 0..<36 {
                if position == 8 || position == 13 || position == 18 || position == 23 {
                    buffer[position] = 0x2D
                } else {
                    buffer[position] = digits[next]
                    next += 1
                }
            }
            add(name, UnsafeMutableBufferPointer(rebasing: buffer[..<36]))
        }
    }
}
