import CCrypto

/// HMAC with SHA-256 (RFC 2104).
package enum HMAC {
    package static func sha256(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        guard let context = EVP_MAC_CTX_new(Algorithm.hmac.pointer) else {
            preconditionFailure("no memory for a context of libcrypto")
        }
        defer { EVP_MAC_CTX_free(context) }
        // libcrypto takes an empty key for none. A key is padded with zeros (RFC 2104 section 2): one zero is the same.
        let key = key.isEmpty ? [0] : key
        return [UInt8](unsafeUninitializedCapacity: SHA256.count) { buffer, count in
            var name = Array("SHA256".utf8CString)
            let isDone = name.withUnsafeMutableBufferPointer { name in
                let parameters = [
                    OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name.baseAddress, 0),
                    OSSL_PARAM_construct_end(),
                ]
                return EVP_MAC_init(context, key, key.count, parameters) == 1
                    && EVP_MAC_update(context, message, message.count) == 1
                    && EVP_MAC_final(context, buffer.baseAddress, &count, SHA256.count) == 1
            }
            precondition(isDone, "libcrypto could not compute an HMAC")
        }
    }
}
