import CPlacekeeperCrypto

extension AESGCM {
    /// Seals or opens `input`, and returns the output. Nil if the cipher fails, for example because the tag is wrong
    /// when `input` is opened.
    static func transform(
        _ direction: Direction, _ input: [UInt8], key: [UInt8], nonce: [UInt8], additional: [UInt8],
        tag: inout [UInt8]
    ) -> [UInt8]? {
        let context = ThreadContext.cipher.pointer
        // The thread keeps the context for later calls, so the key is removed from the context.
        defer { EVP_CIPHER_CTX_reset(context) }
        let tagSize = Int32(tagCount)
        var written: Int32 = 0
        var isSound =
            EVP_CipherInit_ex(context, Algorithm.aes256GCM.pointer, nil, key, nonce, direction.rawValue) == 1
            // libcrypto treats an update of no bytes as a call to finish, so this call is left out if there are no
            // bytes.
            && (additional.isEmpty
                || EVP_CipherUpdate(context, nil, &written, additional, Int32(additional.count)) == 1)
        let output = [UInt8](unsafeUninitializedCapacity: input.count) { buffer, count in
            guard isSound, !input.isEmpty else { return }
            isSound = EVP_CipherUpdate(context, buffer.baseAddress, &written, input, Int32(input.count)) == 1
            count = input.count
        }
        if direction == .open {
            isSound = isSound && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, tagSize, &tag) == 1
        }
        var rest = [UInt8](repeating: 0, count: tagCount)
        isSound = isSound && EVP_CipherFinal_ex(context, &rest, &written) == 1
        if direction == .seal {
            isSound = isSound && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, tagSize, &tag) == 1
        }
        return isSound ? output : nil
    }
}
