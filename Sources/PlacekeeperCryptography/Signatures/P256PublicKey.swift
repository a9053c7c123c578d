/// A public key on the curve P-256, which verifies ECDSA signatures with SHA-256 (FIPS 186-5 section 6).
package struct P256PublicKey: Sendable {
    /// The length in bytes of a coordinate, and of each number in a signature.
    package static let coordinateCount = 32

    /// The coordinates as big-endian numbers of 32 bytes.
    package let x, y: [UInt8]
    private let key: PublicKey

    /// Nil if a coordinate isn't 32 bytes long, or if the point is not on the curve.
    package init?(x: [UInt8], y: [UInt8]) {
        guard x.count == Self.coordinateCount, y.count == Self.coordinateCount else { return nil }
        self.x = x
        self.y = y
        guard let key = PublicKey(x: x, y: y) else { return nil }
        self.key = key
    }

    /// Whether this key signed the message with the given signature, which consists of the numbers r and s of 32 bytes
    /// each (IEEE P1363).
    package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        signature.count == 2 * Self.coordinateCount && key.verifies(signature, of: message)
    }
}
