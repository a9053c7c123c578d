import CZlib

/// A reusable inflating stream. The stream checks the limits while it inflates, so it allocates no memory for output
/// over a limit.
///
/// `@unchecked Sendable`: only the caller that took the stream out of its `StreamPool` uses the stream.
final class Inflater: @unchecked Sendable {
    /// The limits of the inflated bytes.
    struct Limits {
        var bytes: Int
        /// The limit of the ratio of inflated bytes to input bytes.
        var ratio: Int
    }

    private let stream: UnsafeMutablePointer<z_stream>
    private var limits = Limits(bytes: 0, ratio: 0)
    /// The maximum number of inflated bytes that `limits.ratio` allows for this message.
    private var ratioBound = 0
    /// The number of the message's bytes that were read.
    private var consumed = 0
    /// The number of inflated bytes that were returned.
    private var produced = 0
    private var isAtEnd = true

    init(_ framing: Framing) throws(CompressionError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard czlib_inflate_init(stream, framing.windowBits) == Z_OK else { throw CompressionError(.outOfMemory) }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Begins a message of `count` bytes.
    func begin(_ count: Int, limits: Limits) throws(CompressionError) {
        guard count <= Int(UInt32.max) else { throw CompressionError(.tooLarge) }
        inflateReset(stream)
        self.limits = limits
        let (scaled, overflow) = count.multipliedReportingOverflow(by: limits.ratio)
        ratioBound = overflow ? .max : scaled
        (consumed, produced, isAtEnd) = (0, 0, false)
    }

    /// Returns the next inflated bytes, or no bytes at the end. Consecutive gzip members form one content (RFC 1952
    /// section 2.2).
    ///
    /// - Parameter bytes: The whole message. It must be the same in every call.
    func next(_ bytes: UnsafeRawBufferPointer) throws(CompressionError) -> [UInt8] {
        while !isAtEnd {
            // The capacity is one byte over the limit, to distinguish output at the limit from output over it.
            let room = min(limits.bytes, ratioBound, .max - 1) - produced + 1
            let (piece, result) = nextPiece(of: bytes, upTo: min(room, max(bytes.count * 4, 4096), 256 * 1024))
            produced += piece.count
            if produced > limits.bytes { throw CompressionError(.tooLarge) }
            if produced > ratioBound { throw CompressionError(.ratioExceeded) }
            switch result {
            case Z_STREAM_END where stream.pointee.avail_in == 0: isAtEnd = true
            case Z_STREAM_END: inflateReset(stream)
            // No input is left. zlib returns Z_OK if the call produced output, and Z_BUF_ERROR if the call produced
            // no output.
            case Z_OK where stream.pointee.avail_in == 0 && stream.pointee.avail_out > 0, Z_BUF_ERROR:
                throw CompressionError(.truncated)
            case Z_OK: break
            case Z_MEM_ERROR: throw CompressionError(.outOfMemory)
            default: throw CompressionError(.corrupt)
            }
            if !piece.isEmpty { return piece }
        }
        return []
    }

    private func nextPiece(
        of bytes: UnsafeRawBufferPointer, upTo capacity: Int
    ) -> (bytes: [UInt8], result: Int32) {
        let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress.map { $0 + consumed }
        stream.pointee.next_in = UnsafeMutablePointer(mutating: start)
        stream.pointee.avail_in = UInt32(bytes.count - consumed)
        var result = Z_OK
        let piece = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            stream.pointee.next_out = buffer.baseAddress
            stream.pointee.avail_out = UInt32(capacity)
            result = CZlib.inflate(stream, Z_NO_FLUSH)
            count = capacity - Int(stream.pointee.avail_out)
        }
        consumed = bytes.count - Int(stream.pointee.avail_in)
        return (piece, result)
    }
}
