/// AES-256-GCM (NIST SP 800-38D) with a nonce of 96 bits and a tag of 128 bits.
package enum AESGCM {
    package static let keyCount = 32
    package static let nonceCount = 12
    package static let tagCount = 16

    /// The result of sealing. A nonce must never be used twice with one key.
    package struct SealedBox: Sendable, Hashable {
        package var nonce: [UInt8]
        package var ciphertext: [UInt8]
        package var tag: [UInt8]

        package init(nonce: [UInt8], ciphertext: [UInt8], tag: [UInt8]) {
            self.nonce = nonce
            self.ciphertext = ciphertext
            self.tag = tag
        }
    }

    package enum Failure: Error, Sendable, Hashable {
        /// The key does not have 256 bits.
        case keySize
        /// The nonce does not have 96 bits, or the tag does not have 128 bits.
        case boxSize
        /// The box was not sealed with this key and this additional data, or the box was changed after sealing.
        case notAuthentic
    }

    /// Seals bytes with a random nonce. One key may seal at most 2³² messages (SP 800-38D section 8.3).
    package static func seal(
        _ plaintext: [UInt8], key: [UInt8], authenticating additional: [UInt8] = []
    ) throws(Failure) -> SealedBox {
        try seal(plaintext, key: key, nonce: Random.bytes(nonceCount), authenticating: additional)
    }

    package static func seal(
        _ plaintext: [UInt8], key: [UInt8], nonce: [UInt8], authenticating additional: [UInt8]
    ) throws(Failure) -> SealedBox {
        guard key.count == keyCount else { throw .keySize }
        guard nonce.count == nonceCount else { throw .boxSize }
        var tag = [UInt8](repeating: 0, count: tagCount)
        let ciphertext = transform(.seal, plaintext, key: key, nonce: nonce, additional: additional, tag: &tag)
        // The key and the nonce have the right size, so sealing fails only without memory.
        guard let ciphertext else { preconditionFailure("the cipher could not seal") }
        return SealedBox(nonce: nonce, ciphertext: ciphertext, tag: tag)
    }

    /// Returns the plaintext. Verifies the tag before it returns any byte of the plaintext.
    package static func open(
        _ box: SealedBox, key: [UInt8], authenticating additional: [UInt8] = []
    ) throws(Failure) -> [UInt8] {
        guard key.count == keyCount else { throw .keySize }
        guard box.nonce.count == nonceCount, box.tag.count == tagCount else { throw .boxSize }
        var tag = box.tag
        let plaintext = transform(
            .open, box.ciphertext, key: key, nonce: box.nonce, additional: additional, tag: &tag)
        guard let plaintext else { throw .notAuthentic }
        return plaintext
    }

    enum Direction: Int32 {
        case open = 0
        case seal = 1
    }
}
