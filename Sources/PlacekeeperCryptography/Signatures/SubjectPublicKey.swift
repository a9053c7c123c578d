/// A public key of a supported type, read from a `SubjectPublicKeyInfo` (RFC 5280 section 4.1.2.7).
package enum SubjectPublicKey: Sendable {
    case rsa(RSAPublicKey)
    case p256(P256PublicKey)

    /// The unchecked numbers of a key.
    enum Parts: Sendable, Hashable {
        case rsa(modulus: [UInt8], exponent: [UInt8])
        case p256(x: [UInt8], y: [UInt8])
    }

    /// Nil if the bytes are not a `SubjectPublicKeyInfo` in DER, or if the type or size of the key is not supported.
    package init?(der: [UInt8]) {
        switch Self.parts(ofDER: der) {
        case .rsa(let modulus, let exponent):
            guard let key = RSAPublicKey(modulus: modulus, exponent: exponent) else { return nil }
            self = .rsa(key)
        case .p256(let x, let y):
            guard let key = P256PublicKey(x: x, y: y) else { return nil }
            self = .p256(key)
        case nil: return nil
        }
    }
}
