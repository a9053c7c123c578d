import CPlacekeeperCrypto

extension HMAC {
    /// HMAC with SHA-256 for a sequence of messages with the same key. The key is processed only once.
    package struct Keyed: ~Copyable {
        private let context: OpaquePointer

        package init(key: [UInt8]) {
            guard let context = EVP_MAC_CTX_new(Algorithm.hmac.pointer) else {
                // Fails only if memory runs out.
                preconditionFailure("no memory for a libcrypto context")
            }
            self.context = context
            // libcrypto treats an empty key as a missing one. HMAC pads keys with zeros (RFC 2104 section 2), so a
            // single zero byte is equivalent to an empty key.
            let key = key.isEmpty ? [0] : key
            var name = Array("SHA256".utf8CString)
            let isDone = name.withUnsafeMutableBufferPointer { name in
                let parameters = [
                    placekeeper_parameter_digest(name.baseAddress),
                    OSSL_PARAM_construct_end(),
                ]
                return EVP_MAC_init(context, key, key.count, parameters) == 1
            }
            // HMAC accepts keys of any length, so this fails only if memory runs out.
            precondition(isDone, "libcrypto could not begin an HMAC")
        }

        deinit { EVP_MAC_CTX_free(context) }

        /// Writes the authentication code of a message. `code` must have room for 32 bytes.
        func hash(_ message: UnsafeRawBufferPointer, into code: UnsafeMutableRawBufferPointer) {
            var count = 0
            // Without a key, EVP_MAC_init restarts the context with the key from the initializer.
            let isDone =
                EVP_MAC_init(context, nil, 0, nil) == 1
                && EVP_MAC_update(context, message.bindMemory(to: UInt8.self).baseAddress, message.count) == 1
                && EVP_MAC_final(
                    context, code.bindMemory(to: UInt8.self).baseAddress, &count, SHA256.count) == 1
            // HMAC accepts messages of any length, and all callers pass 32 bytes for the code.
            precondition(isDone, "libcrypto could not compute an HMAC")
        }
    }

    /// HMAC with SHA-1, as one-time passwords use it (RFC 6238). `nil` if libcrypto does not provide SHA-1.
    package static func sha1(_ message: [UInt8], key: [UInt8]) -> [UInt8]? {
        var code = [UInt8](repeating: 0, count: 20)
        var count = 0
        let result = EVP_Q_mac(
            nil, "HMAC", nil, "SHA1", nil, key, key.count, message, message.count, &code, code.count, &count)
        return result != nil && count == code.count ? code : nil
    }
}
