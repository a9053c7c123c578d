import CPlacekeeperCrypto

extension SHA256 {
    /// A running digest of bytes that arrive in pieces. Only one task may use it at a time.
    ///
    /// `@unchecked Sendable`: the caller makes sure that no two threads use the context at the same time.
    package final class Running: @unchecked Sendable {
        private let context: OpaquePointer

        package init() {
            // Fails only if memory runs out.
            guard let context = EVP_MD_CTX_new() else { preconditionFailure("no memory for a libcrypto context") }
            self.context = context
            let isDone = EVP_DigestInit_ex(context, Algorithm.sha256.pointer, nil) == 1
            // The algorithm was already fetched, so this fails only if memory runs out.
            precondition(isDone, "libcrypto could not begin SHA-256")
        }

        deinit { EVP_MD_CTX_free(context) }

        package func update(_ bytes: UnsafeRawBufferPointer) {
            let isDone = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
            // SHA-256 accepts any bytes. Only a call after `finish` fails, and exports, imports and transfers hash
            // nothing after it.
            precondition(isDone, "libcrypto could not continue SHA-256")
        }

        /// Returns the digest as four big-endian words. Must be called once, after the last piece.
        package func finish() -> (UInt64, UInt64, UInt64, UInt64) {
            var digest: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
            let isDone = withUnsafeMutableBytes(of: &digest) { buffer in
                EVP_DigestFinal_ex(context, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), nil) == 1
            }
            // Only a second call fails. Exports, imports and transfers finish a digest once.
            precondition(isDone, "libcrypto could not finish SHA-256")
            return (digest.0.bigEndian, digest.1.bigEndian, digest.2.bigEndian, digest.3.bigEndian)
        }
    }

    /// Writes the digest of bytes. `digest` must have room for 32 bytes.
    ///
    /// The algorithm is fetched once, and each thread keeps a context. Fetching the algorithm for each call would take
    /// several times as long as hashing a bearer token.
    static func hash(_ bytes: UnsafeRawBufferPointer, into digest: UnsafeMutableRawBufferPointer) {
        let context = ThreadContext.digest.pointer
        let isDone =
            EVP_DigestInit_ex(context, Algorithm.sha256.pointer, nil) == 1
            && EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
            && EVP_DigestFinal_ex(context, digest.baseAddress?.assumingMemoryBound(to: UInt8.self), nil) == 1
        // SHA-256 accepts any bytes, and all callers pass 32 bytes for the digest.
        precondition(isDone, "libcrypto could not compute SHA-256")
    }
}
