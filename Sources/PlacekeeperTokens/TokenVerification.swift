import PlacekeeperJSON

/// The required values of a token's claims.
package struct TokenExpectations: Sendable, Hashable {
    /// The tolerated difference between the clocks of the token's issuer and of this service, in seconds.
    package static let skew = 60.0

    /// The required issuer (`iss`). Nil accepts any issuer.
    package var issuer: String?
    /// The audience (`aud`) that a token must have if it has an audience, so tokens for other recipients are rejected
    /// (RFC 7519 section 4.1.3).
    package var audience: String
    /// Whether a token without an audience is rejected.
    package var requiresAudience: Bool

    package init(issuer: String? = nil, audience: String, requiresAudience: Bool) {
        self.issuer = issuer
        self.audience = audience
        self.requiresAudience = requiresAudience
    }
}

extension JSONWebKeySet {
    /// Verifies a token, and returns its subject (`sub`) as UTF-8 bytes. The claims aren't read until the signature is
    /// verified.
    ///
    /// - Parameter now: seconds since 1970.
    package func subject(
        of token: [UInt8], expecting expectations: TokenExpectations, at now: Double
    ) throws(TokenError) -> [UInt8] {
        let token = try SignInToken(token)
        try verifySignature(of: token)
        let claims = try token.claims()
        try expectations.check(claims, at: now)
        guard let subject = claims["sub"]?.text, !subject.isEmpty else { throw .subject }
        return subject
    }

    /// Verifies the signature. A token with a key identifier is verified only with that key, and a token without one is
    /// tried with each key for its algorithm.
    private func verifySignature(of token: SignInToken) throws(TokenError) {
        let candidates: [JSONWebKey]
        if let identifier = token.keyIdentifier {
            candidates = key(identifier).map { [$0] } ?? []
        } else {
            candidates = keys
        }
        let fitting = candidates.filter { $0.algorithm == token.algorithm }
        guard !fitting.isEmpty else { throw .unknownKey }
        guard fitting.contains(where: { $0.verifies(token.signature, of: token.signed) }) else { throw .signature }
    }
}

extension TokenExpectations {
    fileprivate func check(_ claims: JSONValue, at now: Double) throws(TokenError) {
        guard let expiration = try time("exp", of: claims) else { throw .expired }
        guard now < expiration + Self.skew else { throw .expired }
        // A token issued in the future is as invalid as one that isn't valid yet.
        for name in ["nbf", "iat"] {
            guard let start = try time(name, of: claims) else { continue }
            guard start - Self.skew <= now else { throw .notYetValid }
        }
        if let issuer {
            guard claims["iss"]?.text == Array(issuer.utf8) else { throw .issuer }
        }
        let audience = JSONValue.text(Array(audience.utf8))
        switch claims["aud"] {
        case nil where !requiresAudience: break
        case audience: break
        case .array(let audiences)? where audiences.contains(audience): break
        default: throw .audience
        }
    }

    /// Returns the seconds since 1970 in a claim (RFC 7519 section 2, NumericDate). Throws if the claim isn't a finite
    /// number.
    private func time(_ name: String, of claims: JSONValue) throws(TokenError) -> Double? {
        guard let value = claims[name] else { return nil }
        guard let number = value.number, number.isFinite else { throw .malformed }
        return number
    }
}
