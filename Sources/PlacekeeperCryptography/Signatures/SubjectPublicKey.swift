/// A public key of one of the supported types, as it is read from a `SubjectPublicKeyInfo` (RFC 5280 section 4.1.2.7).
package enum SubjectPublicKey: Sendable {
    case rsa(RSAPublicKey)
    case p256(P256PublicKey)

    /// The numbers of a key, which are not checked yet.
    enum Parts: Sendable, Hashable {
        case rsa(modulus: [UInt8], exponent: [UInt8])
        case p256(x: [UInt8], y: [UInt8])
    }

    /// Nil if the bytes are not a `SubjectPublicKeyInfo` in DER, or if the key has another type or a refused size.
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
