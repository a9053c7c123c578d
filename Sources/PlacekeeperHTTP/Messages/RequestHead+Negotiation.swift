extension RequestHead {
    /// Whether the response may be gzip-coded. The request must give gzip, by name or by `*`, a weight above 0 that is
    /// not less than the weight of the identity coding (RFC 9110 section 12.5.3).
    package var acceptsGzip: Bool {
        var gzip: Int?
        var identity: Int?
        var anything: Int?
        forEachMember(of: .acceptEncoding) { member, bytes in
            let coding = member.prefix { Grammar.isToken(bytes[$0]) }
            let weight = Self.weight(coding.upperBound..<member.upperBound, of: bytes)
            if Grammar.equalsIgnoringCase("gzip", coding, of: bytes)
                || Grammar.equalsIgnoringCase("x-gzip", coding, of: bytes)
            {
                gzip = weight
            } else if Grammar.equalsIgnoringCase("identity", coding, of: bytes) {
                identity = weight
            } else if coding.count == 1, bytes[coding.lowerBound] == 0x2A {
                anything = weight
            }
        }
        let weight = gzip ?? anything ?? 0
        return weight > 0 && weight >= identity ?? 0
    }

    /// Whether the Accept fields give `mediaType` a greater weight than `other` (RFC 9110 section 12.5.1). A type that
    /// isn't listed has the weight 0. Ranges such as `*/*` are ignored.
    package func prefers(_ mediaType: StaticString, to other: StaticString) -> Bool {
        var weights = (own: 0, other: 0)
        forEachMember(of: .accept) { member, bytes in
            let end = member.first { bytes[$0] == 0x3B } ?? member.upperBound
            let range = Grammar.trimmed(member.lowerBound..<end, of: bytes)
            if Grammar.equalsIgnoringCase(mediaType, range, of: bytes) {
                weights.own = Self.weight(afterParameters: end..<member.upperBound, of: bytes)
            } else if Grammar.equalsIgnoringCase(other, range, of: bytes) {
                weights.other = Self.weight(afterParameters: end..<member.upperBound, of: bytes)
            }
        }
        return weights.own > weights.other
    }

    /// Returns the weight of a media range. Any of the range's parameters may be the weight.
    private static func weight(afterParameters range: Range<Int>, of bytes: UnsafeRawBufferPointer) -> Int {
        var rest = range
        while let start = rest.first {
            let end = rest.dropFirst().first { bytes[$0] == 0x3B } ?? rest.upperBound
            let name = Grammar.trimmed(start + 1..<end, of: bytes)
            if name.count > 1, bytes[name.lowerBound] | 0x20 == 0x71, bytes[name.lowerBound + 1] == 0x3D {
                return weight(start..<end, of: bytes)
            }
            rest = end..<rest.upperBound
        }
        return 1000
    }

    /// A content coding. The service supports identity and gzip. Any other coding gets 415 (RFC 9110 section 8.4).
    package enum ContentCoding: Sendable, Hashable {
        case identity, gzip, unknown
    }

    /// The content coding in the Content-Encoding fields. `unknown` if they contain a coding other than identity and
    /// gzip, or gzip twice.
    package var contentCoding: ContentCoding {
        var coding = ContentCoding.identity
        forEachMember(of: .contentEncoding) { member, bytes in
            if Grammar.equalsIgnoringCase("identity", member, of: bytes) { return }
            let isGzip =
                Grammar.equalsIgnoringCase("gzip", member, of: bytes)
                || Grammar.equalsIgnoringCase("x-gzip", member, of: bytes)
            coding = isGzip && coding == .identity ? .gzip : .unknown
        }
        return coding
    }

    /// Returns the weight in thousandths: 1000 if it is absent, 0 if it is malformed (RFC 9110 section 12.4.2).
    private static func weight(_ range: Range<Int>, of bytes: UnsafeRawBufferPointer) -> Int {
        var rest = Grammar.trimmed(range, of: bytes)
        if rest.isEmpty { return 1000 }
        guard bytes[rest.lowerBound] == 0x3B else { return 0 }
        rest = Grammar.trimmed(rest.dropFirst(), of: bytes)
        guard (3...7).contains(rest.count), bytes[rest.lowerBound] | 0x20 == 0x71, bytes[rest.lowerBound + 1] == 0x3D,
            bytes[rest.lowerBound + 2] == 0x30 || bytes[rest.lowerBound + 2] == 0x31
        else { return 0 }
        var weight = Int(bytes[rest.lowerBound + 2] - 0x30) * 1000
        guard rest.count > 3 else { return weight }
        guard bytes[rest.lowerBound + 3] == 0x2E else { return 0 }
        var unit = 100
        for index in rest.dropFirst(4) {
            guard Grammar.isDigit(bytes[index]) else { return 0 }
            weight += Int(bytes[index] - 0x30) * unit
            unit /= 10
        }
        return weight <= 1000 ? weight : 0
    }
}
