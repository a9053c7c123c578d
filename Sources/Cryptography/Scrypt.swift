import CCrypto

/// scrypt (RFC 7914), which derives a key from a password at a great cost of memory and time.
package enum Scrypt {
    /// The cost of a derivation. It takes 128 · `n` · `r` bytes of memory.
    package struct Cost: Sendable, Hashable {
        /// A power of two over 1.
        package var n: UInt64
        package var r: UInt64
        package var p: UInt64

        package init(n: UInt64, r: UInt64, p: UInt64) {
            self.n = n
            self.r = r
            self.p = p
        }

        /// The cost for passwords: 128 MiB (OWASP Password Storage Cheat Sheet).
        package static let password = Cost(n: 1 << 17, r: 8, p: 1)
    }

    /// Returns a key of `count` bytes. Nil if the cost is not allowed, or if there is not enough memory.
    package static func key(of password: [UInt8], salt: [UInt8], cost: Cost, count: Int) -> [UInt8]? {
        // libcrypto's own limit is 32 MiB. The additional mebibyte is for the blocks beside the large table.
        let (table, isTooLarge) = cost.n.multipliedReportingOverflow(by: 128 &* cost.r)
        guard !isTooLarge, cost.r <= 1 << 10, cost.p <= 1 << 10, table <= 1 << 32, count > 0 else { return nil }
        var isDone = false
        let key = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            isDone = password.withUnsafeBytes { password in
                EVP_PBE_scrypt(
                    // libcrypto takes no password as a question for its limits, so the pointer must not be nil.
                    password.baseAddress?.assumingMemoryBound(to: CChar.self), password.count, salt, salt.count,
                    cost.n, cost.r, cost.p, table + (1 << 20) * cost.p, buffer.baseAddress, count) == 1
            }
            initialized = isDone ? count : 0
        }
        return isDone ? key : nil
    }
}
