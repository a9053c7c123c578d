import PlacekeeperConcurrency
package import PlacekeeperCore

/// An erasure log in memory, for a store that keeps its data only in memory.
package final class ErasuresInMemory: ErasureLog {
    private let kept = LockBox<[ErasureEntry]>([])

    package init() {}
    package func append(_ entries: [ErasureEntry]) { kept.withLock { $0 += entries } }
    package func entries() -> [ErasureEntry] { kept.withLock { $0 } }
    package func latest(of digests: [Digest]) -> Timestamp? {
        kept.withLock { $0.filter { digests.contains($0.digest) }.map(\.time).max() }
    }
}
