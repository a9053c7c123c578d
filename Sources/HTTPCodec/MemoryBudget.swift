/// A limit on what all requests together keep in memory.
package protocol MemoryBudget: Sendable {
    /// Counts `count` more bytes for a request that holds `held` bytes already. Returns false, and counts nothing, over
    /// the limit.
    func charge(_ count: Int, holding held: Int) -> Bool
    func release(_ count: Int)
}
