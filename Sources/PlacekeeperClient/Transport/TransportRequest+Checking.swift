extension TransportRequest {
    /// Throws if the request is not valid HTTP, because a part of it could then become another field, another request,
    /// or another host. Values may come from a server, as a token does.
    package func check() throws(TransportError) {
        guard !method.isEmpty, method.utf8.allSatisfy(Self.isToken) else { throw .invalid("The method is not valid.") }
        // A target that starts with `/` cannot extend the host in the service's address.
        guard target.utf8.first == 0x2F, target.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw .invalid("The target of the request is not valid.")
        }
        for field in fields {
            guard !field.name.isEmpty, field.name.utf8.allSatisfy(Self.isToken) else {
                throw .invalid("The name of a field is not valid.")
            }
            guard field.value.utf8.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }) else {
                throw .invalid("The value of the field \(field.name) is not valid.")
            }
        }
    }

    /// Whether a byte is a tchar (RFC 9110 section 5.6.2).
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: false
        }
    }
}
