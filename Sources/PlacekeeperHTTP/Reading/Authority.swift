/// The grammar `uri-host [ ":" port ]` of the Host field and of the absolute-form (RFC 9110 section 7.2).
enum Authority {
    /// Whether the range is a host with an optional port. An empty range is valid, because the Host field is empty if
    /// the target has no authority.
    static func isValid(_ range: Range<Int>, of bytes: UnsafeRawBufferPointer) -> Bool {
        guard let first = range.first else { return true }
        var index = first
        if bytes[first] == 0x5B {
            // The grammar of IP literals isn't checked, because the server never connects to the address.
            index += 1
            while index < range.upperBound, Grammar.hexValue(bytes[index]) != nil || isAddressMark(bytes[index]) {
                index += 1
            }
            guard index > first + 1, index < range.upperBound, bytes[index] == 0x5D else { return false }
            index += 1
        } else {
            while index < range.upperBound, bytes[index] != 0x3A {
                if bytes[index] == 0x25 {
                    guard index + 2 < range.upperBound, Grammar.hexValue(bytes[index + 1]) != nil,
                        Grammar.hexValue(bytes[index + 2]) != nil
                    else { return false }
                } else if !Grammar.isRegisteredName(bytes[index]) {
                    return false
                }
                index += 1
            }
            guard index > first else { return false }
        }
        guard index < range.upperBound else { return true }
        return bytes[index] == 0x3A && (index + 1..<range.upperBound).allSatisfy { Grammar.isDigit(bytes[$0]) }
    }

    private static func isAddressMark(_ byte: UInt8) -> Bool { byte == 0x3A || byte == 0x2E }
}
