import CCrypto

/// An RSA public key, which verifies signatures of the scheme RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017 section 8.2).
package struct RSAPublicKey: Sendable {
    /// The allowed sizes of the modulus in bits.
    package static let sizes = 2048...8192
    /// The maximum size of the public exponent in bits. The time of a verification grows with this size.
    private static let exponentSize = 64

    /// The modulus as a big-endian number without leading zeros.
    package let modulus: [UInt8]
    /// The public exponent as a big-endian number without leading zeros.
    package let exponent: [UInt8]
    private let key: PublicKey

    /// Nil if the modulus is even or has a size that is not allowed, or if the exponent is even, less than 3 or too
    /// long. Leading zeros of the numbers are ignored.
    package init?(modulus: [UInt8], exponent: [UInt8]) {
        self.modulus = Array(modulus.drop { $0 == 0 })
        self.exponent = Array(exponent.drop { $0 == 0 })
        guard let last = self.modulus.last, last & 1 == 1, Self.sizes ~= Self.bitCount(of: self.modulus),
            let end = self.exponent.last, end & 1 == 1, self.exponent != [1],
            Self.bitCount(of: self.exponent) <= Self.exponentSize
        else { return nil }
        // libcrypto reads numbers in the byte order of the machine.
        var (modulus, exponent) = (Self.native(self.modulus), Self.native(self.exponent))
        let key = modulus.withUnsafeMutableBufferPointer { modulus in
            exponent.withUnsafeMutableBufferPointer { exponent in
                var parameters = [
                    placekeeper_parameter_modulus(modulus.baseAddress, modulus.count),
                    placekeeper_parameter_exponent(exponent.baseAddress, exponent.count),
                    OSSL_PARAM_construct_end(),
                ]
                return PublicKey(type: "RSA", parameters: &parameters)
            }
        }
        guard let key else { return nil }
        self.key = key
    }

    /// Whether the signature is a signature of the message with this key. libcrypto refuses a signature that is not as
    /// long as the modulus.
    package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        key.verifies(signature, of: message)
    }

    private static func bitCount(of number: [UInt8]) -> Int {
        number.count * 8 - (number.first?.leadingZeroBitCount ?? 0)
    }

    private static func native(_ number: [UInt8]) -> [UInt8] {
        1.littleEndian == 1 ? number.reversed() : number
    }
}
