import PlacekeeperJSON

/// An unverified token in the compact form of a signed JSON Web Token (RFC 7515 section 7.1, RFC 7519).
struct SignInToken {
    /// The maximum size of a token, in bytes.
    static let maximumBytes = 8 << 10
    /// The maximum depth of the header and of the claims, and their maximum number of values.
    private static let (depth, values) = (16, 1000)

    /// The signed bytes: the first two parts and the dot between them.
    let signed: [UInt8]
    let signature: [UInt8]
    let algorithm: SignatureAlgorithm
    /// The identifier of the key (`kid`).
    let keyIdentifier: [UInt8]?
    private let payload: [UInt8]

    /// Reads the header. Ignores its members `jku`, `x5u`, `x5c` and `jwk`, which name or contain keys.
    init(_ token: [UInt8]) throws(TokenError) {
        guard token.count <= Self.maximumBytes else { throw .tooLong }
        let parts = token.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { throw .malformed }
        let members = try Self.object(header)
        guard let name = members["alg"]?.text else { throw .malformed }
        guard let algorithm = SignatureAlgorithm(name) else { throw .algorithm }
        // No extensions are supported, so any critical extension is rejected (RFC 7515 section 4.1.11).
        guard members["crit"] == nil else { throw .criticalExtension }
        try Self.checkType(members["typ"])
        keyIdentifier = try members["kid"].map { value throws(TokenError) in
            guard let text = value.text else { throw .malformed }
            return text
        }
        signed = Array(token[..<parts[1].endIndex])
        self.signature = signature
        self.algorithm = algorithm
        self.payload = payload
    }

    /// Reads the claims. Must not be called before the signature is verified.
    func claims() throws(TokenError) -> JSONValue { try Self.object(payload) }

    /// Rejects tokens of other kinds, which may be signed with the same key (RFC 8725 section 3.11).
    private static func checkType(_ value: JSONValue?) throws(TokenError) {
        guard let value else { return }
        guard let text = value.text else { throw .malformed }
        let name = text.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
        guard name == Array("jwt".utf8) || name == Array("at+jwt".utf8) else { throw .type }
    }

    private static func object(_ bytes: [UInt8]) throws(TokenError) -> JSONValue {
        guard let value = try? JSONValue(bytes, depth: depth, values: values), case .object = value else {
            throw .malformed
        }
        return value
    }
}

/// The reason why a token is rejected. It is for operators, and must not be shown to the token's sender.
package enum TokenError: Error, Sendable, Hashable {
    case tooLong
    /// The token does not have three parts in base64url, or a part is not a JSON object of the required form.
    case malformed
    /// The algorithm is unknown, or `none`.
    case algorithm
    case criticalExtension
    case type
    /// The set contains no key with the token's key identifier and algorithm.
    case unknownKey
    case signature
    case subject
    case issuer
    case audience
    case expired
    case notYetValid
}
