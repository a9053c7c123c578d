import HTTPCodec
import Synchronization

/// A limit on what all connections together keep in memory.
///
/// The last quarter is kept for requests that hold little, so that large bodies do not keep small ones out.
final class ByteBudget: MemoryBudget {
    /// A request that holds at most this many bytes may use the last quarter.
    static let smallHolder = 64 * 1024

    private let limit: Int
    private let used = Atomic(0)

    init(limit: Int) { self.limit = limit }

    var usedBytes: Int { used.load(ordering: .relaxed) }

    func charge(_ count: Int, holding held: Int) -> Bool {
        let limit = held + count <= Self.smallHolder ? limit : limit - limit / 4
        guard used.add(count, ordering: .relaxed).newValue <= limit else {
            release(count)
            return false
        }
        return true
    }

    func release(_ count: Int) { used.subtract(count, ordering: .relaxed) }
}
