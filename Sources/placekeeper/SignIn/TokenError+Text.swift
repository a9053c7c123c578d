import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTokens

extension TokenError {
    /// The stable name of the reason.
    var name: String {
        switch self {
        case .tooLong: "too-long"
        case .malformed: "malformed"
        case .algorithm: "algorithm"
        case .criticalExtension: "critical-extension"
        case .type: "type"
        case .unknownKey: "unknown-key"
        case .signature: "signature"
        case .subject: "subject"
        case .issuer: "issuer"
        case .audience: "audience"
        case .expired: "expired"
        case .notYetValid: "not-yet-valid"
        }
    }

    /// The reason and how to correct it, for an app's operator.
    func text(for app: App) -> String {
        let settings = app.settings.signIn
        return switch self {
        case .tooLong: "the token has more than 8 KiB"
        case .malformed:
            "the token is not three parts in base64url, or its header or claims do not have the required form"
        case .algorithm: "the algorithm (alg) is not HS256, RS256 or ES256"
        case .criticalExtension: "the header has a critical extension (crit)"
        case .type: "the type (typ) is neither JWT nor at+jwt"
        case .unknownKey:
            "the app has no key with the token's identifier (kid) and algorithm (alg); app keys lists the keys"
        case .signature: "the signature was made with another key, or the token was changed"
        case .subject:
            "the subject (sub) is missing, empty, longer than \(Limits.subject) bytes, or has control characters"
        case .issuer: "the issuer (iss) is not \(quoted(settings.issuer ?? ""))"
        case .audience:
            "the audience (aud) is not, and does not contain, \(quoted(settings.audience ?? app.bundleIdentifier))"
        case .expired: "the token has expired, or has no expiry (exp)"
        case .notYetValid: "the token is not valid yet (nbf), or was issued in the future (iat); compare the two clocks"
        }
    }
}
