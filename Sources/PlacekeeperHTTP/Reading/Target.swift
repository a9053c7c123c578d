/// A request target in origin-form, absolute-form or asterisk-form (RFC 9112 section 3.2), as ranges of the head.
struct Target: Sendable {
    var path = 0..<0
    var query: Range<Int>?
    /// The host and port of an absolute-form target, which take precedence over the Host field (RFC 9112 section
    /// 3.2.2).
    var authority: Range<Int>?

    init() {}

    /// Parses a target in `range`, which contains only visible ASCII. Accepts quotes, braces, bars and similar
    /// characters: RFC 3986 requires that they are encoded, but clients send them as they are. Ignores a fragment,
    /// which starts with `#` and is not part of a target.
    init(_ range: Range<Int>, of bytes: UnsafeRawBufferPointer, method: Method) throws(Fault) {
        guard let first = range.first else { throw .requestLineMalformed }
        if bytes[first] == 0x2F {
            try readPath(range, of: bytes)
        } else if bytes[first] == 0x2A, range.count == 1 {
            // The asterisk-form is for OPTIONS (RFC 9112 section 3.2.4). An unknown method passes here and gets 501
            // later.
            guard method == .options || method == .other else { throw .targetInvalid }
            path = range
        } else {
            try readAbsoluteForm(range, of: bytes)
        }
    }

    private mutating func readAbsoluteForm(_ range: Range<Int>, of bytes: UnsafeRawBufferPointer) throws(Fault) {
        guard let colon = range.first(where: { bytes[$0] == 0x3A }),
            Grammar.equalsIgnoringCase("http", range.lowerBound..<colon, of: bytes)
                || Grammar.equalsIgnoringCase("https", range.lowerBound..<colon, of: bytes),
            colon + 2 < range.upperBound, bytes[colon + 1] == 0x2F, bytes[colon + 2] == 0x2F
        else { throw .targetInvalid }
        let start = colon + 3
        let end = (start..<range.upperBound).first { [0x2F, 0x3F, 0x23].contains(bytes[$0]) } ?? range.upperBound
        // The server ignores user information (RFC 9110 section 4.2.4).
        let host = (start..<end).last { bytes[$0] == 0x40 }.map { $0 + 1 } ?? start
        guard host < end, Authority.isValid(host..<end, of: bytes) else { throw .hostInvalid }
        authority = host..<end
        try readPath(end..<range.upperBound, of: bytes)
        // An empty path means `/` (RFC 9110 section 4.2.3). Use the slash before the authority as the path.
        if path.isEmpty { path = start - 1..<start }
    }

    private mutating func readPath(_ range: Range<Int>, of bytes: UnsafeRawBufferPointer) throws(Fault) {
        var end = range.upperBound
        var mark: Int?
        var index = range.lowerBound
        scan: while index < end {
            switch bytes[index] {
            case 0x3F where mark == nil: mark = index
            case 0x23: end = index
            case 0x25:
                guard index + 2 < end, Grammar.hexValue(bytes[index + 1]) != nil,
                    Grammar.hexValue(bytes[index + 2]) != nil
                else { throw .targetEncodingInvalid }
            default: break
            }
            index += 1
        }
        path = range.lowerBound..<(mark ?? end)
        query = mark.map { $0 + 1..<end }
    }
}
