/// scrypt (RFC 7914), which derives a key from a password at a high cost in memory and time.
package enum Scrypt {
    /// The cost of deriving a key, which takes 128 · `n` · `r` bytes of memory.
    package struct Cost: Sendable, Hashable {
        /// A power of two greater than 1.
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

    /// Returns a key of `count` bytes. Nil if the cost isn't allowed, or if there isn't enough memory.
    package static func key(of password: [UInt8], salt: [UInt8], cost: Cost, count: Int) -> [UInt8]? {
        let (table, isTooLarge) = cost.n.multipliedReportingOverflow(by: 128 &* cost.r)
        guard !isTooLarge, 1...1 << 10 ~= cost.r, 1...1 << 10 ~= cost.p, table <= 1 << 32, cost.n > 1,
            cost.n & (cost.n - 1) == 0, count > 0
        else { return nil }
        return derive(password, salt: salt, cost: cost, table: table, count: count)
    }
}
