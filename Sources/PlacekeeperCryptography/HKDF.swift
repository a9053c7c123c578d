/// HKDF with SHA-256 (RFC 5869), which derives keys from one secret.
package enum HKDF {
    /// The maximum length of the output: 255 blocks (RFC 5869 section 2.3).
    package static let maximumCount = 255 * SHA256.count

    /// Returns a key of `count` bytes for the purpose that `info` names. Nil if `count` is negative or over
    /// `maximumCount`.
    package static func sha256(secret: [UInt8], salt: [UInt8] = [], info: [UInt8], count: Int) -> [UInt8]? {
        guard 0...maximumCount ~= count else { return nil }
        let pseudorandomKey = HMAC.sha256(secret, key: salt)
        var output: [UInt8] = []
        output.reserveCapacity(count + SHA256.count)
        var block: [UInt8] = []
        var index: UInt8 = 1
        while output.count < count {
            block = HMAC.sha256(block + info + [index], key: pseudorandomKey)
            output += block
            index &+= 1
        }
        return Array(output.prefix(count))
    }
}
