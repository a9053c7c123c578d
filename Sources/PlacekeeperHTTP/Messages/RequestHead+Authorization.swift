extension RequestHead {
    /// The token in `Authorization: Bearer token` (RFC 6750 section 2.1, token68 of RFC 9110 section 11.2). Nil if the
    /// token is missing or malformed, if the scheme is not Bearer, or if there is more than one Authorization field.
    package var bearerToken: ArraySlice<UInt8>? {
        var found: Range<Int>?
        for field in fields where equalsIgnoringCase(field.name, .authorization) {
            guard found == nil else { return nil }
            found = field.value
        }
        guard let value = found else { return nil }
        return bytes.withUnsafeBytes { Self.token68(afterBearer: value, of: $0) }.map { bytes[$0] }
    }

    private static func token68(afterBearer value: Range<Int>, of bytes: UnsafeRawBufferPointer) -> Range<Int>? {
        let scheme = value.prefix(6)
        guard Grammar.equalsIgnoringCase("bearer", scheme, of: bytes) else { return nil }
        let token = scheme.upperBound..<value.upperBound
        guard let start = token.first(where: { bytes[$0] != Grammar.space }), start > token.lowerBound else {
            return nil
        }
        var end = start
        while end < token.upperBound, isToken68(bytes[end]) { end += 1 }
        guard end > start else { return nil }
        guard (end..<token.upperBound).allSatisfy({ bytes[$0] == 0x3D }) else { return nil }
        return start..<token.upperBound
    }

    private static func isToken68(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E, 0x2B, 0x2F: true
        default: false
        }
    }
}
