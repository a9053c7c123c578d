/// The content coding `gzip` (RFC 9110 section 8.4.1.3). The command wires in the real one.
package protocol GzipCoding: Sendable {
    /// The bytes in coded form; nil when that saves nothing.
    func deflate(_ bytes: [UInt8]) -> [UInt8]?
    /// The bytes again, at most `limit` of them and at most 100 times as many as came in, a piece at a time.
    func inflating(_ bytes: [UInt8], limit: Int) throws(GzipError) -> any GzipPieces
}

/// A body whose gzip coding is undone a piece at a time.
package protocol GzipPieces: AnyObject {
    /// The next bytes; none at the end.
    func next() throws(GzipError) -> [UInt8]
}

/// Why a body's gzip coding could not be undone.
package enum GzipError: Error, Sendable, Hashable {
    case malformed
    /// Over the limit, or beyond 100:1.
    case tooLarge
}
