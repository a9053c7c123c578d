package import PlacekeeperCryptography

/// A key that verifies the signatures of tokens (RFC 7517 section 4). A key is bound to one algorithm, so a token can't
/// choose the algorithm.
package struct JSONWebKey: Sendable {
    /// The minimum length of a secret in bytes: the size of the hash (RFC 7518 section 3.2).
    package static let minimumSecret = 32
    /// The maximum length of a key's identifier, in UTF-8 bytes.
    package static let maximumIdentifier = 255

    /// The material of a key. A secret and a public key are different cases, so a public key is never used as an HMAC
    /// secret.
    package enum Material: Sendable {
        case secret([UInt8])
        case rsa(RSAPublicKey)
        case p256(P256PublicKey)
    }

    /// The key's identifier (`kid`), unique within a set.
    package let identifier: String?
    package let material: Material

    package init(identifier: String?, material: Material) throws(JSONWebKeyError) {
        if let identifier {
            guard 1...Self.maximumIdentifier ~= identifier.utf8.count else {
                throw JSONWebKeyError("the identifier of a key does not have 1 to \(Self.maximumIdentifier) bytes")
            }
        }
        if case .secret(let bytes) = material {
            guard bytes.count >= Self.minimumSecret else {
                throw JSONWebKeyError("a secret has less than \(Self.minimumSecret) bytes")
            }
            // A public key is not a secret: anyone could create signatures with it.
            guard !bytes.starts(with: "-----BEGIN ".utf8) else { throw JSONWebKeyError("a secret is a key in PEM") }
        }
        self.identifier = identifier
        self.material = material
    }

    /// The only algorithm that the key is used with.
    package var algorithm: SignatureAlgorithm {
        switch material {
        case .secret: .hs256
        case .rsa: .rs256
        case .p256: .es256
        }
    }

    package var isSecret: Bool { if case .secret = material { true } else { false } }

    /// Whether this key signed the message with the given signature. For a secret, the comparison takes the same time
    /// for all signatures of the same length.
    func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        switch material {
        case .secret(let secret): ConstantTime.isEqual(HMAC.sha256(message, key: secret), signature)
        case .rsa(let key): key.verifies(signature, of: message)
        case .p256(let key): key.verifies(signature, of: message)
        }
    }

    /// The SHA-256 thumbprint in base64url (RFC 7638).
    package var thumbprint: String {
        // The required members, sorted by name. Their values need no escapes.
        let members = requiredMembers.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\"\($0.value)\"" }
        return Base64URL.encode(SHA256.digest(of: Array("{\(members.joined(separator: ","))}".utf8)))
    }

    /// The members of the key's JSON form, all with string values. The member `k` of a secret must be kept secret.
    package var members: [String: String] {
        var members = requiredMembers
        members["alg"] = algorithm.rawValue
        members["kid"] = identifier
        return members
    }

    private var requiredMembers: [String: String] {
        switch material {
        case .secret(let bytes): ["kty": "oct", "k": Base64URL.encode(bytes)]
        case .rsa(let key): ["kty": "RSA", "n": Base64URL.encode(key.modulus), "e": Base64URL.encode(key.exponent)]
        case .p256(let key): ["kty": "EC", "crv": "P-256", "x": Base64URL.encode(key.x), "y": Base64URL.encode(key.y)]
        }
    }
}
