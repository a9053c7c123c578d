/// The content coding `gzip` (RFC 9110 section 8.4.1.3). The command provides the implementation.
package protocol GzipCoding: Sendable {
    /// Compresses the bytes. Returns nil if compression saves nothing.
    func deflate(_ bytes: [UInt8]) -> [UInt8]?
    /// Inflates a body to exactly `count` bytes.
    func inflate(_ bytes: [UInt8], count: Int) throws(GzipError) -> [UInt8]
    /// Inflates the bytes in pieces. Fails if the inflated body exceeds `limit` bytes, or 100 times the compressed
    /// size.
    func inflating(_ bytes: [UInt8], limit: Int) throws(GzipError) -> any GzipPieces
}

/// The length of the content according to the last four bytes of a gzip body (RFC 1952 section 2.3.1). Nil if the body
/// is too short for a gzip header and trailer.
package func declaredLength(ofGzip body: [UInt8]) -> Int? {
    guard body.count >= 18 else { return nil }
    return body.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
}

/// A body that is inflated in pieces.
package protocol GzipPieces: AnyObject {
    /// Returns the next bytes, or no bytes at the end.
    func next() throws(GzipError) -> [UInt8]
}

/// Why a body can't be inflated.
package enum GzipError: Error, Sendable, Hashable {
    /// The body is not exactly one valid gzip member, or it has many tiny blocks.
    case malformed
    /// The inflated body exceeds the limit, or the ratio of 100:1.
    case tooLarge
}
