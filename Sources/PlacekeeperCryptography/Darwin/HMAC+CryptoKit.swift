import CryptoKit
import Foundation

extension HMAC {
    /// HMAC with SHA-256 for a sequence of messages with the same key. The key is processed only once.
    package struct Keyed: ~Copyable {
        /// The initial state, copied for each message.
        private let beginning: CryptoKit.HMAC<CryptoKit.SHA256>

        package init(key: [UInt8]) { beginning = CryptoKit.HMAC(key: SymmetricKey(data: key)) }

        /// Writes the authentication code of a message. `code` must have room for 32 bytes.
        func hash(_ message: UnsafeRawBufferPointer, into code: UnsafeMutableRawBufferPointer) {
            var running = beginning
            running.update(data: message)
            running.finalize().withUnsafeBytes { code.copyMemory(from: $0) }
        }
    }

    /// HMAC with SHA-1, as one-time passwords use it (RFC 6238).
    package static func sha1(_ message: [UInt8], key: [UInt8]) -> [UInt8]? {
        Array(CryptoKit.HMAC<Insecure.SHA1>.authenticationCode(for: message, using: SymmetricKey(data: key)))
    }
}
