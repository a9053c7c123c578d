/// HMAC with SHA-256, and with SHA-1 for one-time passwords (RFC 2104).
package enum HMAC {
    package static func sha256(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        let keyed = Keyed(key: key)
        return [UInt8](unsafeUninitializedCapacity: SHA256.count) { buffer, count in
            message.withUnsafeBytes { keyed.hash($0, into: UnsafeMutableRawBufferPointer(buffer)) }
            count = SHA256.count
        }
    }
}

extension HMAC.Keyed {
    /// Returns the first eight bytes of a message's authentication code as a big-endian number. Doesn't allocate.
    package func firstWord(of message: UnsafeRawBufferPointer) -> UInt64 {
        var code: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        withUnsafeMutableBytes(of: &code) { hash(message, into: $0) }
        return code.0.bigEndian
    }
}
