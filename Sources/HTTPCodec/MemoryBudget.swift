/// A limit on what all requests together keep in memory.
package protocol MemoryBudget: Sendable {
    /// Whether so many more bytes are within the limit, for a request that holds `held` bytes already; then they count.
    func charge(_ count: Int, holding held: Int) -> Bool
    func release(_ count: Int)
}
