/// A quick estimate of whether bytes can be compressed. Deflating bytes that cannot be compressed, such as a picture,
/// takes a hundred times as long as this estimate.
package enum Randomness {
    /// The number of sampled bytes.
    private static let sampleCount = 4096

    /// Returns whether a sample of the bytes looks random: two bytes of the sample are equal with a probability below
    /// 1/200. This probability is 1/256 for random bytes, and about 1/16 for text.
    ///
    /// Bytes that repeat a long random piece count as random, although they can be compressed.
    package static func isLikely(in bytes: [UInt8]) -> Bool {
        guard bytes.count >= sampleCount else { return false }
        return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 256) { counts in
            counts.initialize(repeating: 0)
            // The positions are not multiples of one number. Otherwise, the sample could contain the same byte of every
            // record.
            for sample in 0..<sampleCount {
                counts[Int(bytes[sample * (bytes.count - 1) / (sampleCount - 1)])] += 1
            }
            let equalPairs = counts.reduce(0 as UInt64) { $0 + UInt64($1) * UInt64($1) }
            return equalPairs < UInt64(sampleCount * sampleCount / 200)
        }
    }
}
