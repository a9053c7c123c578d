import CZlib

/// An inflating stream that is kept, and that bounds what it gives out while it runs: nothing is allocated for output
/// that is over a limit.
///
/// `@unchecked Sendable`: it is used by one thread at a time, the one that took it out of a `StreamPool`.
final class Inflater: @unchecked Sendable {
    /// What inflated bytes may measure.
    struct Limits {
        var bytes: Int
        /// Output by input.
        var ratio: Int
    }

    private let stream: UnsafeMutablePointer<z_stream>
    private var limits = Limits(bytes: 0, ratio: 0)
    /// The limit by the ratio, in bytes.
    private var ratioBound = 0
    /// Bytes of the message that are used up, and inflated bytes that were given out.
    private var consumed = 0
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

    /// The next of the inflated bytes; none at the end. Several members behind each other are one content (RFC 1952
    /// section 2.2).
    ///
    /// - Parameter bytes: the whole message, the same on every call.
    func next(_ bytes: UnsafeRawBufferPointer) throws(CompressionError) -> [UInt8] {
        while !isAtEnd {
            // One byte more than allowed is asked for, so that reaching a limit and passing it can be told apart.
            let room = min(limits.bytes, ratioBound, .max - 1) - produced + 1
            let (piece, result) = nextPiece(of: bytes, upTo: min(room, max(bytes.count * 4, 4096), 256 * 1024))
            produced += piece.count
            if produced > limits.bytes { throw CompressionError(.tooLarge) }
            if produced > ratioBound { throw CompressionError(.ratioExceeded) }
            switch result {
            case Z_STREAM_END where stream.pointee.avail_in == 0: isAtEnd = true
            case Z_STREAM_END: inflateReset(stream)
            // No input is left: Z_OK when some output was still made of it, Z_BUF_ERROR when none was.
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
