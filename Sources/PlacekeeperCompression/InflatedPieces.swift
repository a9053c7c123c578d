/// The inflated bytes of a message, one piece at a time, so that memory need not hold the whole inflated message. Only
/// one task at a time may use this object.
package final class InflatedPieces {
    private let bytes: [UInt8]
    private let stream: Inflater
    private let pool: StreamPool<Inflater>

    init(of bytes: [UInt8], limits: Inflater.Limits, from pool: StreamPool<Inflater>) throws(CompressionError) {
        self.bytes = bytes
        self.pool = pool
        stream = try pool.take()
        try stream.begin(bytes.count, limits: limits)
    }

    deinit { pool.giveBack(stream) }

    /// Returns the next piece, or an empty piece at the end.
    package func next() throws(CompressionError) -> [UInt8] {
        // The closure returns a `Result`, because the closure of `withUnsafeBytes` cannot throw a typed error.
        try bytes.withUnsafeBytes { bytes in
            Result { () throws(CompressionError) in try stream.next(bytes) }
        }.get()
    }
}
