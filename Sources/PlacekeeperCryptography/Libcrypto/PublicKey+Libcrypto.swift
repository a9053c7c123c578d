import CPlacekeeperCrypto

/// A public key of libcrypto, which verifies signatures over SHA-256.
///
/// `@unchecked Sendable`: the key is immutable once created. Several threads may verify with it at the same time,
/// because each verification has its own context.
final class PublicKey: @unchecked Sendable {
    private let pointer: OpaquePointer
    private let isP256: Bool

    /// Creates an RSA key from its big-endian numbers. Nil if libcrypto rejects them.
    init?(modulus: [UInt8], exponent: [UInt8]) {
        // libcrypto expects numbers in the machine's byte order.
        var (modulus, exponent) = (Self.native(modulus), Self.native(exponent))
        let key = modulus.withUnsafeMutableBufferPointer { modulus in
            exponent.withUnsafeMutableBufferPointer { exponent in
                Self.make(
                    "RSA",
                    placekeeper_parameter_modulus(modulus.baseAddress, modulus.count),
                    placekeeper_parameter_exponent(exponent.baseAddress, exponent.count))
            }
        }
        guard let key else { return nil }
        pointer = key
        isP256 = false
    }

    /// Creates a P-256 key from its coordinates of 32 bytes. Nil if the point is not on the curve.
    init?(x: [UInt8], y: [UInt8]) {
        var group = Array("P-256".utf8CString)
        // An uncompressed point (SEC 1 section 2.3.3).
        var point = [0x04] + x + y
        let key = group.withUnsafeMutableBufferPointer { group in
            point.withUnsafeMutableBufferPointer { point in
                Self.make(
                    "EC",
                    placekeeper_parameter_group(group.baseAddress),
                    placekeeper_parameter_point(point.baseAddress, point.count))
            }
        }
        guard let key else { return nil }
        pointer = key
        isP256 = true
    }

    deinit { EVP_PKEY_free(pointer) }

    /// Whether this key signed the message with the given signature: for RSA as in RFC 8017 section 8.2, and for P-256
    /// as the numbers r and s of 32 bytes each.
    func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        // libcrypto expects r and s as a sequence in DER (RFC 3279 section 2.2.3).
        let half = signature.count / 2
        let signature =
            isP256 ? DER.sequence(DER.integer(signature[..<half]) + DER.integer(signature[half...])) : signature
        // Fails only if memory runs out. For a bad signature, a later call fails, and the result is false.
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("no memory for a libcrypto context") }
        defer { EVP_MD_CTX_free(context) }
        return EVP_DigestVerifyInit_ex(context, nil, "SHA2-256", nil, nil, pointer, nil) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    /// Returns nil if libcrypto rejects the parts.
    ///
    /// - Parameter type: libcrypto's name for the type of key.
    private static func make(_ type: String, _ first: OSSL_PARAM, _ second: OSSL_PARAM) -> OpaquePointer? {
        guard let context = EVP_PKEY_CTX_new_from_name(nil, type, nil) else {
            // The type is RSA or EC, which every build of libcrypto provides. For bad numbers, a later call fails.
            preconditionFailure("libcrypto does not provide \(type)")
        }
        defer { EVP_PKEY_CTX_free(context) }
        var parameters = [first, second, OSSL_PARAM_construct_end()]
        var made: OpaquePointer?
        guard EVP_PKEY_fromdata_init(context) == 1,
            EVP_PKEY_fromdata(context, &made, placekeeper_public_key_selection(), &parameters) == 1
        else {
            EVP_PKEY_free(made)
            return nil
        }
        return made
    }

    private static func native(_ number: [UInt8]) -> [UInt8] {
        1.littleEndian == 1 ? number.reversed() : number
    }
}
