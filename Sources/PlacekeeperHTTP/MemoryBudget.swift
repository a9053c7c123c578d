/// A limit on the total memory of all requests.
package protocol MemoryBudget: Sendable {
    /// Charges `count` more bytes for a request that already holds `held` bytes. Returns false and charges nothing if
    /// the limit would be exceeded.
    func charge(_ count: Int, holding held: Int) -> Bool
    func release(_ count: Int)
}
