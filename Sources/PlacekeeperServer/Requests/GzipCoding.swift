/// The content coding `gzip` (RFC 9110 section 8.4.1.3). The command provides the implementation.
package protocol GzipCoding: Sendable {
    /// Compresses the bytes. Returns nil if compression saves nothing.
    func deflate(_ bytes: [UInt8]) -> [UInt8]?
    /// Inflates the bytes in pieces. Fails if the inflated body exceeds `limit` bytes or 100 times the compressed
    /// size.
    func inflating(_ bytes: [UInt8], limit: Int) throws(GzipError) -> any GzipPieces
}

/// A body that is inflated in pieces.
package protocol GzipPieces: AnyObject {
    /// Returns the next bytes, or no bytes at the end.
    func next() throws(GzipError) -> [UInt8]
}

/// The reason why a body cannot be inflated.
package enum GzipError: Error, Sendable, Hashable {
    case malformed
    /// The inflated body exceeds the limit, or the ratio of 100:1.
    case tooLarge
}
