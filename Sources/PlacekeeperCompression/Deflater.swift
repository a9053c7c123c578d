import CPlacekeeperZlib

/// A reusable deflating stream. The stream's state takes a quarter of a megabyte. It is allocated once and reset for
/// each message.
///
/// `@unchecked Sendable`: only the caller that took the stream out of its `StreamPool` uses the stream.
final class Deflater: @unchecked Sendable {
    private let stream: UnsafeMutablePointer<z_stream>

    init(_ framing: Framing, level: Int32) throws(CompressionError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard czlib_deflate_init(stream, level, framing.windowBits) == Z_OK else {
            throw CompressionError(.outOfMemory)
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Returns the deflated bytes. Nil if the result needs more than `limit` bytes.
    func deflate(_ bytes: UnsafeRawBufferPointer, limit: Int) -> [UInt8]? {
        // zlib counts bytes in 32 bits, so a longer message is refused. The service's limit for a body is much smaller.
        guard bytes.count <= Int(UInt32.max), limit > 0 else { return nil }
        deflateReset(stream)
        let capacity = min(limit, Int(deflateBound(stream, UInt(bytes.count))))
        var isWhole = false
        let deflated = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: bytes.assumingMemoryBound(to: UInt8.self).baseAddress)
            stream.pointee.avail_in = UInt32(bytes.count)
            stream.pointee.next_out = buffer.baseAddress
            stream.pointee.avail_out = UInt32(capacity)
            isWhole = CPlacekeeperZlib.deflate(stream, Z_FINISH) == Z_STREAM_END
            count = capacity - Int(stream.pointee.avail_out)
        }
        return isWhole ? deflated : nil
    }
}
