import CCrypto

/// A public key on the curve P-256, which verifies signatures of ECDSA with SHA-256 (FIPS 186-5 section 6).
package struct P256PublicKey: Sendable {
    /// The length of a coordinate, and of each number of a signature, in bytes.
    package static let coordinateCount = 32

    /// The coordinates as big-endian numbers of 32 bytes.
    package let x, y: [UInt8]
    private let key: PublicKey

    /// Nil if a coordinate does not have 32 bytes, or if the point is not on the curve.
    package init?(x: [UInt8], y: [UInt8]) {
        guard x.count == Self.coordinateCount, y.count == Self.coordinateCount else { return nil }
        self.x = x
        self.y = y
        var group = Array("P-256".utf8CString)
        // An uncompressed point (SEC 1 section 2.3.3).
        var point = [0x04] + x + y
        let key = group.withUnsafeMutableBufferPointer { group in
            point.withUnsafeMutableBufferPointer { point in
                var parameters = [
                    placekeeper_parameter_group(group.baseAddress),
                    placekeeper_parameter_point(point.baseAddress, point.count),
                    OSSL_PARAM_construct_end(),
                ]
                return PublicKey(type: "EC", parameters: &parameters)
            }
        }
        guard let key else { return nil }
        self.key = key
    }

    /// Whether the signature is a signature of the message with this key. The signature consists of the numbers r and
    /// s with 32 bytes each (IEEE P1363).
    package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard signature.count == 2 * Self.coordinateCount else { return false }
        let numbers =
            Self.integer(signature.prefix(Self.coordinateCount)) + Self.integer(signature.suffix(Self.coordinateCount))
        // libcrypto reads the numbers as a sequence in DER (RFC 3279 section 2.2.3). The sequence has at most 70 bytes
        // of content, so its length takes one byte.
        return key.verifies([0x30, UInt8(truncatingIfNeeded: numbers.count)] + numbers, of: message)
    }

    /// Returns a big-endian number as an integer in DER: without leading zeros, but with a zero byte if the number
    /// would otherwise be negative.
    private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var digits = Array(bytes.drop { $0 == 0 })
        if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
        return [0x02, UInt8(truncatingIfNeeded: digits.count)] + digits
    }
}
