import Synchronization

/// A limit on what all connections together keep in memory.
final class ByteBudget: Sendable {
    private let limit: Int
    private let used = Atomic(0)

    init(limit: Int) { self.limit = limit }

    var usedBytes: Int { used.load(ordering: .relaxed) }

    /// Whether so many more bytes are within the limit; then they count.
    func charge(_ count: Int) -> Bool {
        guard used.add(count, ordering: .relaxed).newValue <= limit else {
            release(count)
            return false
        }
        return true
    }

    func release(_ count: Int) { used.subtract(count, ordering: .relaxed) }
}
