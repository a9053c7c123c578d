import PlacekeeperJSON
import PlacekeeperCryptography

extension JSONWebKey {
    /// Reads a key from its JSON form (RFC 7517 section 4, RFC 7518 section 6). Throws if a key of a known type is
    /// malformed.
    ///
    /// - Returns: nil if the key is not for verifying signatures, or is for an unsupported algorithm.
    static func read(_ value: JSONValue) throws(JSONWebKeyError) -> JSONWebKey? {
        guard case .object = value else { throw JSONWebKeyError("a key is not a JSON object") }
        guard let type = try text("kty", of: value) else { throw JSONWebKeyError("a key has no type (kty)") }
        guard let kind = Kind(rawValue: type) else { return nil }
        guard try isForVerifying(value), try isSupported(kind, value) else { return nil }
        let material: Material
        switch kind {
        case .secret:
            material = .secret(try bytes("k", of: value))
        case .rsa, .elliptic:
            guard value["d"] == nil else {
                throw JSONWebKeyError("a key has the member d of a private key; the service needs only the public key")
            }
            material = try kind == .rsa ? rsa(value) : p256(value)
        }
        return try JSONWebKey(identifier: try text("kid", of: value), material: material)
    }

    private enum Kind: String {
        case secret = "oct"
        case rsa = "RSA"
        case elliptic = "EC"

        var algorithm: SignatureAlgorithm {
            switch self {
            case .secret: .hs256
            case .rsa: .rs256
            case .elliptic: .es256
            }
        }
    }

    /// Whether the members `use` and `key_ops` allow the key to verify signatures.
    private static func isForVerifying(_ value: JSONValue) throws(JSONWebKeyError) -> Bool {
        if let use = try text("use", of: value), use != "sig" { return false }
        guard let operations = value["key_ops"] else { return true }
        guard case .array(let names) = operations, names.allSatisfy({ $0.text != nil }) else {
            throw malformed("key_ops")
        }
        return names.contains(.text(Array("verify".utf8)))
    }

    /// Whether the service supports the key's algorithm and curve. A key without `alg` is for the only supported
    /// algorithm of its type.
    private static func isSupported(_ kind: Kind, _ value: JSONValue) throws(JSONWebKeyError) -> Bool {
        if let name = try text("alg", of: value) {
            guard let algorithm = SignatureAlgorithm(rawValue: name) else { return false }
            guard algorithm == kind.algorithm else {
                throw JSONWebKeyError("the algorithm (alg) of a key is not for its type")
            }
        }
        guard kind == .elliptic else { return true }
        guard let curve = try text("crv", of: value) else { throw malformed("crv") }
        if curve == "P-256" { return true }
        guard value["alg"] == nil else { throw JSONWebKeyError("the curve (crv) of a key is not for its algorithm") }
        return false
    }

    private static func rsa(_ value: JSONValue) throws(JSONWebKeyError) -> Material {
        guard let key = RSAPublicKey(modulus: try bytes("n", of: value), exponent: try bytes("e", of: value)) else {
            throw JSONWebKeyError(
                "an RSA key does not have \(RSAPublicKey.sizes.lowerBound) to \(RSAPublicKey.sizes.upperBound) bits, or its "
                    + "modulus (n) or exponent (e) is not valid")
        }
        return .rsa(key)
    }

    private static func p256(_ value: JSONValue) throws(JSONWebKeyError) -> Material {
        guard let key = P256PublicKey(x: try bytes("x", of: value), y: try bytes("y", of: value)) else {
            throw JSONWebKeyError("the point of an EC key is not on the curve P-256")
        }
        return .p256(key)
    }

    private static func malformed(_ name: String) -> JSONWebKeyError {
        JSONWebKeyError("the member \(name) of a key is missing or malformed")
    }

    private static func text(_ name: String, of value: JSONValue) throws(JSONWebKeyError) -> String? {
        guard let member = value[name] else { return nil }
        guard let bytes = member.text else { throw malformed(name) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func bytes(_ name: String, of value: JSONValue) throws(JSONWebKeyError) -> [UInt8] {
        guard let text = value[name]?.text, !text.isEmpty, let bytes = Base64URL.decode(text) else {
            throw malformed(name)
        }
        return bytes
    }
}
