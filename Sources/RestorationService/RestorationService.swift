package import Concurrency

/// The domain: registers devices, takes archives, decides which of them may be restored where and how much of it, and
/// says why. It knows neither HTTP nor SQL.
///
/// A class, since a request that copied it would count a reference to each of its parts.
package final class RestorationService: Sendable {
    package let store: any Store
    package let clock: any Clock
    package let random: any RandomSource
    package let hashing: any Hashing
    package let lookup: any LookupHashing
    package let sealing: any Sealing
    /// Items that a device may register of one data source.
    package let itemLimit: Int
    /// Where work runs that may take long.
    package let offloadQueue: OffloadQueue<UserKey>
    /// Who follows whose changes.
    package let feed = ChangeFeed()
    /// What is counted by the hour.
    package let hourlyCounters = HourlyCounters()
    let principals = PrincipalCache()
    let servedMemory = ServedMemory()
    let identityVersions = IdentityVersions()
    /// Wrong link codes, by where they come from.
    let wrongCodes = Throttle(burst: 10, interval: .seconds(60))
    let newCodes = Throttle(burst: 600, interval: .seconds(1))

    /// - Parameters:
    ///   - lookup: must be the same as long as the store lasts, for what it hashed is found by no other. By digests if none
    ///     is given, for a store that is gone with its process.
    ///   - sealing: likewise.
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

    /// Asks the store, whose errors become the service's here and nowhere else.
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
