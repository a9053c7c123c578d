import PlacekeeperCryptography

extension JSONWebKey {
    /// Reads a public key in PEM (RFC 7468 section 13), such as from `openssl pkey -pubout`. The key's identifier
    /// defaults to its thumbprint.
    package init(pem bytes: [UInt8], identifier: String?) throws(JSONWebKeyError) {
        let lines = bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
        guard lines.count > 2, lines.first.map(Array.init) == Array("-----BEGIN PUBLIC KEY-----".utf8),
            lines.last.map(Array.init) == Array("-----END PUBLIC KEY-----".utf8)
        else { throw JSONWebKeyError("it is not a public key in PEM (BEGIN PUBLIC KEY)") }
        let digits = lines.dropFirst().dropLast().joined().filter { $0 != UInt8(ascii: "=") }.map { digit in
            switch digit {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: digit
            }
        }
        guard let der = Base64URL.decode(digits), let key = SubjectPublicKey(der: der) else {
            throw JSONWebKeyError("it is not an RSA key of 2048 to 8192 bits and not a key on the curve P-256")
        }
        let material: Material =
            switch key {
            case .rsa(let key): .rsa(key)
            case .p256(let key): .p256(key)
            }
        let anonymous = try JSONWebKey(identifier: nil, material: material)
        try self.init(identifier: identifier ?? anonymous.thumbprint, material: material)
    }
}
