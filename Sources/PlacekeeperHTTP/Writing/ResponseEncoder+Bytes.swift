extension ResponseEncoder {
    @inline(__always)
    static func append(_ text: StaticString, to out: inout [UInt8]) {
        out.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    static func append(decimal value: Int, to out: inout [UInt8]) { append(value.magnitude, radix: 10, to: &out) }

    static func append(hexadecimal value: Int, to out: inout [UInt8]) { append(value.magnitude, radix: 16, to: &out) }

    /// Appends digits, which are made from last to first on the stack.
    private static func append(_ value: UInt, radix: UInt, to out: inout [UInt8]) {
        let width = 20
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: width) { digits in
            var first = width
            var rest = value
            repeat {
                first -= 1
                let digit = UInt8(rest % radix)
                digits[first] = digit < 10 ? 0x30 + digit : 0x57 + digit
                rest /= radix
            } while rest > 0
            out.append(contentsOf: UnsafeBufferPointer(rebasing: digits[first...]))
        }
    }
}
