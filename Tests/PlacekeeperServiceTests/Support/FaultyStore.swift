import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport

/// A store in memory whose writes or reads fail when a test sets a fault. Reads of versions never fail. The store
/// records the number of keys in the calls of each method.
final class FaultyStore: Sendable {
    struct Faults: Sendable {
        var writes: StoreError?
        var reads: StoreError?
    }

    /// The number of calls of a method, and the largest and the total number of keys in these calls.
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
            // An embedded store keeps the versions in memory, so reading them does not fail.
            if ["userVersion(of:)", "knownUserVersion(of:)"].contains(call.name) { return }
            let faults = faults.withLock(\.self)
            if let error = call.kind == .write ? faults.writes : faults.reads { throw error }
        }
    }

    /// Returns the sizes of all calls of a method so far. The method is named with its labels, such as `items(_:in:)`.
    func asked(_ method: String) -> Sizes { sizes.withLock { $0[method] ?? Sizes() } }
}
