import PlacekeeperHTTP
import Synchronization

/// A limit on the memory of all connections together.
///
/// The last quarter of the budget is reserved for requests that hold few bytes, so large bodies can't displace small
/// ones.
final class ByteBudget: MemoryBudget {
    /// The maximum number of bytes that a request may hold to use the last quarter of the budget.
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
