/// The content coding `gzip` (RFC 9110 section 8.4.1.3). The command wires in the real one.
package protocol GzipCoding: Sendable {
    /// The bytes in coded form; nil when that saves nothing.
    func deflate(_ bytes: [UInt8]) -> [UInt8]?
    /// The bytes again, at most `limit` of them and at most 100 times as many as came in, in bounded memory.
    func inflate(_ bytes: [UInt8], limit: Int) throws(GzipError) -> [UInt8]
}

/// Why a body's gzip coding could not be undone.
package enum GzipError: Error, Sendable, Hashable {
    case malformed
    /// Over the limit, or beyond 100:1.
    case tooLarge
}
