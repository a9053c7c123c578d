package import PlacekeeperCore

/// A password as it is stored: the output of a slow hash with a random salt. Or an invitation to set one: then `salt` is
/// the time at which it expires, and `key` is the digest of its secret, which no password has.
package struct PasswordHash: Sendable, Hashable {
    package var salt: [UInt8]
    package var key: [UInt8]

    package init(salt: [UInt8], key: [UInt8]) {
        self.salt = salt
        self.key = key
    }
}

/// Hashes passwords slowly, so that recovering them from a stolen database is expensive.
package protocol PasswordHashing: Sendable {
    /// Returns 32 bytes, or nil if there isn't enough memory. Blocks the calling thread.
    func key(of password: [UInt8], salt: [UInt8]) -> [UInt8]?
    /// Returns the HMAC with SHA-1 of a message, 20 bytes, for one-time passwords. Nil if the system has no SHA-1.
    func code(of message: [UInt8], key: [UInt8]) -> [UInt8]?
}

/// A fast hash, for a store that keeps its data only in memory.
package struct DigestPasswords: PasswordHashing {
    private let hashing: any Hashing
    package init(_ hashing: any Hashing) { self.hashing = hashing }
    package func key(of password: [UInt8], salt: [UInt8]) -> [UInt8]? { hashing.sha256(salt + password).bytes }
    package func code(of message: [UInt8], key: [UInt8]) -> [UInt8]? {
        Array(hashing.sha256(key + message).bytes[..<20])
    }
}
