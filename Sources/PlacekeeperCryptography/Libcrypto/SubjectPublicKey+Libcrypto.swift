import CPlacekeeperCrypto

extension SubjectPublicKey {
    /// Returns the parts of the key in a `SubjectPublicKeyInfo`. Nil if the bytes are malformed, or if the key has
    /// another type.
    static func parts(ofDER der: [UInt8]) -> Parts? {
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
            guard let modulus = number(OSSL_PKEY_PARAM_RSA_N), let exponent = number(OSSL_PKEY_PARAM_RSA_E) else {
                return nil
            }
            return .rsa(modulus: modulus, exponent: exponent)
        }
        // A point on another curve is rejected, either here because its coordinates are too long, or later because it
        // isn't on P-256.
        let size = P256PublicKey.coordinateCount
        guard EVP_PKEY_is_a(parsed, "EC") == 1, let x = number(OSSL_PKEY_PARAM_EC_PUB_X, count: size),
            let y = number(OSSL_PKEY_PARAM_EC_PUB_Y, count: size)
        else { return nil }
        return .p256(x: x, y: y)
    }
}
