import Concurrency
import RestorationService
import TestSupport

/// The store in memory. Its writes or its reads fail when a test tells it to, except reads of versions. It counts the keys that its methods are
/// asked for.
final class FaultyStore: Sendable {
    struct Faults: Sendable {
        var writes: StoreError?
        var reads: StoreError?
    }

    /// The sizes of a method's calls.
    struct Sizes: Sendable {
        var count = 0
        var largest = 0
        var total = 0
    }

    let faults: LockBox<Faults>
    private let sizes: LockBox<[String: Sizes]>
    let intercepted: InterceptingStore

    init() {
        let (faults, sizes) = (LockBox(Faults()), LockBox<[String: Sizes]>([:]))
        (self.faults, self.sizes) = (faults, sizes)
        intercepted = InterceptingStore { call throws(StoreError) in
            sizes.withLock { sizes in
                sizes[call.name, default: Sizes()].count += 1
                sizes[call.name, default: Sizes()].total += call.size
                sizes[call.name, default: Sizes()].largest = max(sizes[call.name]?.largest ?? 0, call.size)
            }
            // An embedded store keeps the versions in memory.
            if call.name == "freshness(of:)" { return }
            let faults = faults.withLock(\.self)
            if let error = call.kind == .write ? faults.writes : faults.reads { throw error }
        }
    }

    /// What a method was asked for until now, by its name, such as `items(_:in:)`.
    func asked(_ method: String) -> Sizes { sizes.withLock { $0[method] ?? Sizes() } }
}
