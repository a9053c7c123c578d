/// Lossless compression of stored blobs.
package protocol BlobCompression: Sendable {
    /// Returns the compressed bytes, or nil if compression saves too little.
    func compress(_ bytes: [UInt8]) -> [UInt8]?
    /// Returns the original bytes. Throws unless the result has exactly `count` bytes.
    func decompress(_ bytes: [UInt8], count: Int) throws -> [UInt8]
}
