package import PlacekeeperCore

/// A password as the store has it: the result of a slow hash with a random salt.
package struct PasswordHash: Sendable, Hashable {
    package var salt: [UInt8]
    package var key: [UInt8]

    package init(salt: [UInt8], key: [UInt8]) {
        self.salt = salt
        self.key = key
    }
}

/// Hashes passwords slowly, so that a stolen database reveals them only at great cost.
package protocol PasswordHashing: Sendable {
    /// Returns 32 bytes. Nil if there is not enough memory. The call blocks its thread.
    func key(of password: [UInt8], salt: [UInt8]) -> [UInt8]?
}

/// A fast hash, for a store whose data ends with the process.
package struct DigestPasswords: PasswordHashing {
    private let hashing: any Hashing
    package init(_ hashing: any Hashing) { self.hashing = hashing }
    package func key(of password: [UInt8], salt: [UInt8]) -> [UInt8]? { hashing.sha256(salt + password).bytes }
}
