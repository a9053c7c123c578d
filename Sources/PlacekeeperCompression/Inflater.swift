import CPlacekeeperZlib

/// A reusable inflating stream. A message is exactly one stream. Bytes after the stream, such as a second gzip member,
/// are refused: a message of many empty members would take far more work than its size suggests. The work for a message
/// is proportional to its size or its inflated size, whichever is larger. No memory is allocated for output over a
/// limit.
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
    /// The cost of the blocks so far. A block without its own Huffman codes costs 1.
    private var blocks = 0
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
        (consumed, produced, blocks, isAtEnd) = (0, 0, 0, false)
    }

    /// Returns the next inflated bytes, or no bytes at the end.
    ///
    /// - Parameter bytes: The whole message. It must be the same in every call.
    func next(_ bytes: UnsafeRawBufferPointer) throws(CompressionError) -> [UInt8] {
        // The capacity is one byte over the limit, to distinguish output at the limit from output over it.
        let room = min(limits.bytes, ratioBound, .max - 1) - produced + 1
        let piece = try piece(of: bytes, upTo: min(room, max(bytes.count * 4, 4096), 256 * 1024))
        if produced > limits.bytes { throw CompressionError(.tooLarge) }
        if produced > ratioBound { throw CompressionError(.ratioExceeded) }
        return piece
    }

    /// Inflates a whole message into one buffer. Refuses a message that doesn't inflate to exactly `count` bytes.
    func whole(_ bytes: UnsafeRawBufferPointer, count: Int) throws(CompressionError) -> [UInt8] {
        // No deflated bytes inflate to more than 1,032 times their size, so a larger count is wrong and must not
        // allocate memory.
        guard 0...(1032 * bytes.count) ~= count else { throw CompressionError(.corrupt) }
        try begin(bytes.count, limits: Limits(bytes: count, ratio: .max))
        let inflated = try piece(of: bytes, upTo: count + 1)
        guard isAtEnd, produced == count else { throw CompressionError(.corrupt) }
        return inflated
    }

    /// Returns the next inflated bytes: fewer than `capacity` only at the end of the message.
    private func piece(
        of bytes: UnsafeRawBufferPointer, upTo capacity: Int
    ) throws(CompressionError) -> [UInt8] {
        guard !isAtEnd else { return [] }
        var failure: CompressionError?
        let piece = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            // The closure cannot throw a typed error.
            do throws(CompressionError) {
                try fill(buffer, from: bytes)
            } catch {
                failure = error
            }
            count = capacity - Int(stream.pointee.avail_out)
        }
        if let failure { throw failure }
        return piece
    }

    /// Inflates until the buffer is full or the message ends. zlib returns at the end of each block, so the blocks can
    /// be counted.
    private func fill(
        _ buffer: UnsafeMutableBufferPointer<UInt8>, from bytes: UnsafeRawBufferPointer
    ) throws(CompressionError) {
        let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress.map { $0 + consumed }
        stream.pointee.next_in = UnsafeMutablePointer(mutating: start)
        stream.pointee.avail_in = UInt32(bytes.count - consumed)
        stream.pointee.next_out = buffer.baseAddress
        stream.pointee.avail_out = UInt32(buffer.count)
        let before = produced
        while stream.pointee.avail_out > 0 {
            let result = CPlacekeeperZlib.inflate(stream, Z_BLOCK)
            consumed = bytes.count - Int(stream.pointee.avail_in)
            produced = before + buffer.count - Int(stream.pointee.avail_out)
            switch result {
            case Z_STREAM_END:
                guard stream.pointee.avail_in == 0 else { throw CompressionError(.corrupt) }
                isAtEnd = true
                return
            case Z_OK:
                let type = czlib_next_block(stream)
                if type >= 0 { try count(blockOfType: type) }
            // No progress is possible: no input is left.
            case Z_BUF_ERROR: throw CompressionError(.truncated)
            case Z_MEM_ERROR: throw CompressionError(.outOfMemory)
            default: throw CompressionError(.corrupt)
            }
        }
    }

    /// Refuses messages of many tiny blocks. Compressors begin a block after thousands of bytes, or when they are
    /// flushed. For a block of type 2, zlib builds code tables. That takes as long as inflating one or two kilobytes.
    /// Every block also takes some nanoseconds in this loop.
    private func count(blockOfType type: Int32) throws(CompressionError) {
        blocks += type == 2 ? 128 : 1
        guard blocks <= 2048 + max(consumed, produced) / 4 else { throw CompressionError(.tooManyBlocks) }
    }
}
