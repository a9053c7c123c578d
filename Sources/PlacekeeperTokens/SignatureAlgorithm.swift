/// A supported signature algorithm, under its JSON Web Algorithms name (RFC 7518 section 3.1).
package enum SignatureAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// HMAC with SHA-256.
    case hs256 = "HS256"
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// ECDSA on the curve P-256 with SHA-256.
    case es256 = "ES256"

    init?(_ bytes: [UInt8]) { self.init(rawValue: String(decoding: bytes, as: UTF8.self)) }
}
