import CryptoKit
import Foundation

extension HMAC {
    /// HMAC with SHA-256 for many messages in sequence with one key. The key is processed once.
    package struct Keyed: ~Copyable {
        /// The code of no bytes. Each message continues a copy of this value.
        private let beginning: CryptoKit.HMAC<CryptoKit.SHA256>

        package init(key: [UInt8]) { beginning = CryptoKit.HMAC(key: SymmetricKey(data: key)) }

        /// Writes the authentication code of a message. `code` must have room for 32 bytes.
        func hash(_ message: UnsafeRawBufferPointer, into code: UnsafeMutableRawBufferPointer) {
            var running = beginning
            running.update(data: message)
            running.finalize().withUnsafeBytes { code.copyMemory(from: $0) }
        }
    }
}
