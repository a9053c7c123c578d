import CryptoKit
import Foundation
import Security

/// A public key of the system, which verifies signatures over SHA-256.
///
/// `@unchecked Sendable`: a key is immutable once created, and several threads may verify with it at the same time.
final class PublicKey: @unchecked Sendable {
    private enum Kind {
        case rsa(SecKey)
        case p256(P256.Signing.PublicKey)
    }

    private let kind: Kind

    /// Creates an RSA key from its big-endian numbers. Nil if the system rejects them.
    init?(modulus: [UInt8], exponent: [UInt8]) {
        let attributes = NSDictionary(
            objects: [kSecAttrKeyTypeRSA, kSecAttrKeyClassPublic],
            forKeys: [kSecAttrKeyType as NSString, kSecAttrKeyClass as NSString])
        let bytes = DER.sequence(DER.integer(modulus[...]) + DER.integer(exponent[...]))
        guard let key = SecKeyCreateWithData(NSData(data: Data(bytes)), attributes, nil) else { return nil }
        kind = .rsa(key)
    }

    /// Creates a P-256 key from its coordinates of 32 bytes. Nil if the point is not on the curve.
    init?(x: [UInt8], y: [UInt8]) {
        guard let key = try? P256.Signing.PublicKey(rawRepresentation: x + y) else { return nil }
        kind = .p256(key)
    }

    /// Whether this key signed the message with the given signature: for RSA as in RFC 8017 section 8.2, and for P-256
    /// as the numbers r and s of 32 bytes each.
    func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        switch kind {
        case .rsa(let key):
            return SecKeyVerifySignature(
                key, .rsaSignatureMessagePKCS1v15SHA256, NSData(data: Data(message)), NSData(data: Data(signature)),
                nil)
        case .p256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: message)
        }
    }
}
