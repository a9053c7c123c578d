import CCrypto

/// Comparison that takes as long for bytes that differ early as for bytes that differ late.
package enum ConstantTime {
    /// Whether both are equal; only their number may be learned from the time it takes.
    package static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}
