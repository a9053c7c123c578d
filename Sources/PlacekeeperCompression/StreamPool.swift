import Synchronization

/// A pool that keeps at most `capacity` unused streams for reuse.
final class StreamPool<Stream: Sendable>: Sendable {
    private let idle = Mutex<[Stream]>([])
    private let capacity: Int
    private let make: @Sendable () throws(CompressionError) -> Stream

    init(capacity: Int = 8, make: @escaping @Sendable () throws(CompressionError) -> Stream) {
        self.capacity = capacity
        self.make = make
    }

    /// Runs `body` with a stream that no other caller uses.
    func withStream<Result>(
        _ body: (Stream) throws(CompressionError) -> Result
    ) throws(CompressionError) -> Result {
        let stream = try take()
        defer { giveBack(stream) }
        return try body(stream)
    }

    /// Returns a stream that no other caller uses until the caller gives it back.
    func take() throws(CompressionError) -> Stream {
        let kept = idle.withLock { $0.popLast() }
        return if let kept { kept } else { try make() }
    }

    func giveBack(_ stream: Stream) { idle.withLock { if $0.count < capacity { $0.append(stream) } } }
}
