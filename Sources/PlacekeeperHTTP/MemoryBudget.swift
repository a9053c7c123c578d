/// A limit on the memory of all requests together.
package protocol MemoryBudget: Sendable {
    /// Charges `count` more bytes for a request that already holds `held` bytes. Returns false, and charges nothing, if
    /// this would exceed the limit.
    func charge(_ count: Int, holding held: Int) -> Bool
    func release(_ count: Int)
}
