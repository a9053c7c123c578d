import CCrypto

/// A public key of one of the supported types, as it is read from a `SubjectPublicKeyInfo` (RFC 5280 section 4.1.2.7).
package enum SubjectPublicKey: Sendable {
    case rsa(RSAPublicKey)
    case p256(P256PublicKey)

    /// Nil if the bytes are not a `SubjectPublicKeyInfo` in DER, or if the key has another type or a refused size.
    package init?(der: [UInt8]) {
        let parsed = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var position = bytes.baseAddress
            let key = d2i_PUBKEY(nil, &position, bytes.count)
            guard position == bytes.baseAddress.map({ $0 + bytes.count }) else {
                EVP_PKEY_free(key)
                return nil
            }
            return key
        }
        guard let parsed else { return nil }
        defer { EVP_PKEY_free(parsed) }
        func number(_ name: String, count: Int? = nil) -> [UInt8]? {
            var number: OpaquePointer?
            guard EVP_PKEY_get_bn_param(parsed, name, &number) == 1, let number else { return nil }
            defer { BN_free(number) }
            let count = count ?? Int(BN_num_bits(number) + 7) / 8
            var bytes = [UInt8](repeating: 0, count: count)
            return BN_bn2binpad(number, &bytes, Int32(count)) == Int32(count) ? bytes : nil
        }
        if EVP_PKEY_is_a(parsed, "RSA") == 1 {
            guard let modulus = number(OSSL_PKEY_PARAM_RSA_N), let exponent = number(OSSL_PKEY_PARAM_RSA_E),
                let key = RSAPublicKey(modulus: modulus, exponent: exponent)
            else { return nil }
            self = .rsa(key)
        } else {
            // A point on another curve is refused, because it is not on P-256 or its coordinates are too long.
            let size = P256PublicKey.coordinateCount
            guard EVP_PKEY_is_a(parsed, "EC") == 1, let x = number(OSSL_PKEY_PARAM_EC_PUB_X, count: size),
                let y = number(OSSL_PKEY_PARAM_EC_PUB_Y, count: size), let key = P256PublicKey(x: x, y: y)
            else { return nil }
            self = .p256(key)
        }
    }
}
