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

    init(_ framing: Framing) throws(CompressionError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard czlib_inflate_init(stream, framing.windowBits) == Z_OK else { throw CompressionError(.outOfMemory) }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// The bytes inflated. Several members behind each other are one content (RFC 1952 section 2.2).
    func inflate(_ bytes: UnsafeRawBufferPointer, limits: Limits) throws(CompressionError) -> [UInt8] {
        guard bytes.count <= Int(UInt32.max) else { throw CompressionError(.tooLarge) }
        inflateReset(stream)
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.assumingMemoryBound(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(bytes.count)
        let (scaled, overflow) = bytes.count.multipliedReportingOverflow(by: limits.ratio)
        let ratioBound = overflow ? Int.max : scaled
        var inflated: [UInt8] = []
        while true {
            // One byte more than allowed is asked for, so that reaching a limit and passing it can be told apart.
            let room = min(limits.bytes, ratioBound) - inflated.count + 1
            let (piece, result) = nextPiece(upTo: min(room, max(bytes.count * 4, 4096), 256 * 1024))
            inflated += piece
            if inflated.count > limits.bytes { throw CompressionError(.tooLarge) }
            if inflated.count > ratioBound { throw CompressionError(.ratioExceeded) }
            switch result {
            case Z_STREAM_END where stream.pointee.avail_in == 0: return inflated
            case Z_STREAM_END: inflateReset(stream)
            // No input is left: Z_OK when some output was still made of it, Z_BUF_ERROR when none was.
            case Z_OK where stream.pointee.avail_in == 0 && stream.pointee.avail_out > 0, Z_BUF_ERROR:
                throw CompressionError(.truncated)
            case Z_OK: continue
            case Z_MEM_ERROR: throw CompressionError(.outOfMemory)
            default: throw CompressionError(.corrupt)
            }
        }
    }

    private func nextPiece(upTo capacity: Int) -> (bytes: [UInt8], result: Int32) {
        var result = Z_OK
        let piece = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            stream.pointee.next_out = buffer.baseAddress
            stream.pointee.avail_out = UInt32(capacity)
            result = CZlib.inflate(stream, Z_NO_FLUSH)
            count = capacity - Int(stream.pointee.avail_out)
        }
        return (piece, result)
    }
}
