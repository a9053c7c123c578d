import CCrypto

/// A public key of libcrypto, which verifies signatures over SHA-256.
///
/// `@unchecked Sendable`: the key is immutable after its creation. Several threads may verify with one key at once,
/// because each verification has its own context.
final class PublicKey: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// - Parameters:
    ///   - type: libcrypto's name of the type of key, such as `RSA`.
    ///   - parameters: the parts of the key, and the end of the list. The memory that they point to is read before
    ///     this initializer returns.
    /// - Returns: nil if libcrypto refuses the parts.
    init?(type: String, parameters: inout [OSSL_PARAM]) {
        guard let context = EVP_PKEY_CTX_new_from_name(nil, type, nil) else {
            preconditionFailure("libcrypto does not provide \(type)")
        }
        defer { EVP_PKEY_CTX_free(context) }
        var made: OpaquePointer?
        guard EVP_PKEY_fromdata_init(context) == 1,
            EVP_PKEY_fromdata(context, &made, placekeeper_public_key_selection(), &parameters) == 1, let made
        else {
            EVP_PKEY_free(made)
            return nil
        }
        pointer = made
    }

    deinit { EVP_PKEY_free(pointer) }

    /// Whether the signature, in the form that libcrypto expects, is a signature of the message with this key.
    func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("no memory for a libcrypto context") }
        defer { EVP_MD_CTX_free(context) }
        return EVP_DigestVerifyInit_ex(context, nil, "SHA2-256", nil, nil, pointer, nil) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}
