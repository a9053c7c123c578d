import Synchronization

/// Keeps streams that are not in use, a few at most.
final class StreamPool<Stream: Sendable>: Sendable {
    private let idle = Mutex<[Stream]>([])
    private let capacity: Int
    private let make: @Sendable () throws(CompressionError) -> Stream

    init(capacity: Int = 8, make: @escaping @Sendable () throws(CompressionError) -> Stream) {
        self.capacity = capacity
        self.make = make
    }

    /// Runs `body` with a stream that nobody else has.
    func withStream<Result>(
        _ body: (Stream) throws(CompressionError) -> Result
    ) throws(CompressionError) -> Result {
        let kept = idle.withLock { $0.popLast() }
        let stream = if let kept { kept } else { try make() }
        defer { idle.withLock { if $0.count < capacity { $0.append(stream) } } }
        return try body(stream)
    }
}
