import CryptoKit
import Foundation

extension SHA256 {
    /// A running digest of bytes that arrive in pieces. Only one task may use it at a time.
    ///
    /// `@unchecked Sendable`: the caller makes sure that no two threads use the digest at the same time.
    package final class Running: @unchecked Sendable {
        private var running = CryptoKit.SHA256()

        package init() {}

        package func update(_ bytes: UnsafeRawBufferPointer) { running.update(bufferPointer: bytes) }

        /// Returns the digest as four big-endian words. Must be called once, after the last piece.
        package func finish() -> (UInt64, UInt64, UInt64, UInt64) {
            var digest: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
            withUnsafeMutableBytes(of: &digest) { buffer in
                running.finalize().withUnsafeBytes { buffer.copyMemory(from: $0) }
            }
            return (digest.0.bigEndian, digest.1.bigEndian, digest.2.bigEndian, digest.3.bigEndian)
        }
    }

    /// Writes the digest of bytes. `digest` must have room for 32 bytes.
    static func hash(_ bytes: UnsafeRawBufferPointer, into digest: UnsafeMutableRawBufferPointer) {
        var running = CryptoKit.SHA256()
        running.update(bufferPointer: bytes)
        running.finalize().withUnsafeBytes { digest.copyMemory(from: $0) }
    }
}
