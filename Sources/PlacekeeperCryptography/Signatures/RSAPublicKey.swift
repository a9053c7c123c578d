/// An RSA public key, which verifies RSASSA-PKCS1-v1_5 signatures with SHA-256 (RFC 8017 section 8.2).
package struct RSAPublicKey: Sendable {
    /// The allowed sizes of the modulus, in bits.
    package static let sizes = 2048...8192
    /// The maximum size of the public exponent, in bits. Verification takes longer with larger exponents.
    private static let exponentSize = 64

    /// The modulus as a big-endian number without leading zeros.
    package let modulus: [UInt8]
    /// The public exponent as a big-endian number without leading zeros.
    package let exponent: [UInt8]
    private let key: PublicKey

    /// Nil if the modulus is even or its size isn't allowed. Also nil if the exponent is even, less than 3 or too long.
    /// Ignores leading zeros.
    package init?(modulus: [UInt8], exponent: [UInt8]) {
        self.modulus = Array(modulus.drop { $0 == 0 })
        self.exponent = Array(exponent.drop { $0 == 0 })
        guard let last = self.modulus.last, last & 1 == 1, Self.sizes ~= Self.bitCount(of: self.modulus),
            let end = self.exponent.last, end & 1 == 1, self.exponent != [1],
            Self.bitCount(of: self.exponent) <= Self.exponentSize
        else { return nil }
        guard let key = PublicKey(modulus: self.modulus, exponent: self.exponent) else { return nil }
        self.key = key
    }

    /// Whether this key signed the message with the given signature. Rejects a signature that isn't as long as the
    /// modulus.
    package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        key.verifies(signature, of: message)
    }

    private static func bitCount(of number: [UInt8]) -> Int {
        number.count * 8 - (number.first?.leadingZeroBitCount ?? 0)
    }
}
