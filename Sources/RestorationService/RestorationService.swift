package import Concurrency

/// The service's domain: registers devices, stores archives, and decides which archive a device may restore, and how
/// much of it. It explains every decision. It knows neither HTTP nor SQL.
///
/// A class, because copying a struct would retain each of its members in every request.
package final class RestorationService: Sendable {
    package let store: any Store
    package let clock: any Clock
    package let random: any RandomSource
    package let hashing: any Hashing
    package let lookup: any LookupHashing
    package let sealing: any Sealing
    /// The maximum number of items that a device may register for one data source.
    package let itemLimit: Int
    /// Runs work that may take long.
    package let offloadQueue: OffloadQueue<UserKey>
    /// Wakes the followers of each user's changes.
    package let feed = ChangeFeed()
    /// Counts requests, refusals and outcomes by the hour.
    package let hourlyCounters = HourlyCounters()
    let principals = PrincipalCache()
    let servedMemory = ServedMemory()
    let identityVersions = IdentityVersions()
    /// Limits wrong link codes, by the source of the request.
    let wrongCodes = Throttle(burst: 10, interval: .seconds(60))
    let newCodes = Throttle(burst: 600, interval: .seconds(1))

    /// - Parameters:
    ///   - lookup: must stay the same for the lifetime of the store: keys that it made cannot be found by another
    ///     one. Defaults to `DigestLookup`, which suits a store that ends with its process.
    ///   - sealing: must stay the same for the lifetime of the store.
    package init(
        store: any Store, clock: any Clock, random: any RandomSource, hashing: any Hashing,
        lookup: (any LookupHashing)? = nil, sealing: any Sealing = PlainTexts(), itemLimit: Int = Limits.items,
        offload: OffloadQueue<UserKey> = OffloadQueue()
    ) {
        self.store = store
        self.clock = clock
        self.random = random
        self.hashing = hashing
        self.lookup = lookup ?? DigestLookup(hashing)
        self.sealing = sealing
        self.itemLimit = itemLimit
        self.offloadQueue = offload
    }

    /// The dependencies of resolving and registering items.
    var identityEnvironment: IdentityEnvironment {
        IdentityEnvironment(store: store, lookup: lookup, sealing: sealing, hashing: hashing, clock: clock)
    }

    /// Calls the store, and translates its errors into the service's.
    func ask<Answer: Sendable>(_ question: (any Store) async throws(StoreError) -> Answer) async throws(ServiceError)
        -> Answer
    {
        do {
            return try await question(store)
        } catch {
            throw ServiceError(error)
        }
    }
}
