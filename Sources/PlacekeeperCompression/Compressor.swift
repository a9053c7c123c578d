/// Deflates and inflates whole messages in one framing. Any thread may use a compressor.
package struct Compressor: Sendable {
    private let deflaters: StreamPool<Deflater>
    private let inflaters: StreamPool<Inflater>

    /// - Parameter level: The zlib level, from 1 (fastest) to 9.
    package init(_ framing: Framing, level: Int = 1) {
        let level = Int32(min(max(level, 1), 9))
        deflaters = StreamPool { () throws(CompressionError) in try Deflater(framing, level: level) }
        inflaters = StreamPool { () throws(CompressionError) in try Inflater(framing) }
    }

    /// Returns the deflated bytes. Nil if the result needs more than `limit` bytes, or if the system has no memory
    /// for the stream. The default limit is one byte less than the input.
    package func deflate(_ bytes: [UInt8], limit: Int? = nil) -> [UInt8]? {
        let limit = limit ?? bytes.count - 1
        return bytes.withUnsafeBytes { bytes in
            try? deflaters.withStream { $0.deflate(bytes, limit: limit) }
        }
    }

    /// Inflates a message to exactly `count` bytes.
    package func inflate(_ bytes: [UInt8], count: Int) throws(CompressionError) -> [UInt8] {
        try inflaters.withStream { stream throws(CompressionError) in
            try bytes.withUnsafeBytes { bytes in
                Result { () throws(CompressionError) in try stream.whole(bytes, count: count) }
            }.get()
        }
    }

    /// Inflates bytes one piece at a time: at most `limit` bytes, and at most `ratio` times the size of the input.
    package func inflating(
        _ bytes: [UInt8], limit: Int, ratio: Int = 100
    ) throws(CompressionError) -> InflatedPieces {
        try InflatedPieces(of: bytes, limits: Inflater.Limits(bytes: max(limit, 0), ratio: ratio), from: inflaters)
    }
}
