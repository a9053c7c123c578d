/// The members of a list-valued field (RFC 9110 section 5.6.1), without empty ones. A comma inside quotes is content.
struct ListMembers: Sequence, IteratorProtocol {
    private let bytes: UnsafeRawBufferPointer
    private var rest: Range<Int>

    init(_ range: Range<Int>, of bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        rest = range
    }

    mutating func next() -> Range<Int>? {
        while !rest.isEmpty {
            let end = endOfMember()
            let member = Grammar.trimmed(rest.lowerBound..<end, of: bytes)
            rest = Swift.min(end + 1, rest.upperBound)..<rest.upperBound
            if !member.isEmpty { return member }
        }
        return nil
    }

    private func endOfMember() -> Int {
        var isQuoted = false
        var index = rest.lowerBound
        while index < rest.upperBound {
            switch bytes[index] {
            case 0x2C where !isQuoted: return index
            case 0x22: isQuoted.toggle()
            case 0x5C where isQuoted: index += 1
            default: break
            }
            index += 1
        }
        return rest.upperBound
    }
}
