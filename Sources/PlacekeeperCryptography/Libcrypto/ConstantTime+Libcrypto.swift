import CPlacekeeperCrypto

extension ConstantTime {
    /// Compares two arrays of the same length.
    static func haveEqualBytes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        CRYPTO_memcmp(left, right, left.count) == 0
    }
}
