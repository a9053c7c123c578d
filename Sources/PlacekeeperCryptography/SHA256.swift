/// SHA-256 (FIPS 180-4).
package enum SHA256 {
    /// The length of a digest in bytes.
    package static let count = 32

    /// Returns the digest as four big-endian words. Doesn't allocate.
    package static func words(of bytes: UnsafeRawBufferPointer) -> (UInt64, UInt64, UInt64, UInt64) {
        var digest: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        withUnsafeMutableBytes(of: &digest) { hash(bytes, into: $0) }
        return (digest.0.bigEndian, digest.1.bigEndian, digest.2.bigEndian, digest.3.bigEndian)
    }

    package static func digest(of bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, count in
            bytes.withUnsafeBytes { hash($0, into: UnsafeMutableRawBufferPointer(buffer)) }
            count = Self.count
        }
    }
}
