/// The domain: registers devices, takes archives, decides which of them may be restored where and how much of it, and
/// says why. It knows neither HTTP nor SQL.
///
/// A class, since a request that copied it would count a reference to each of its parts.
package final class RestorationService: Sendable {
    package let store: any Store
    package let clock: any Clock
    package let random: any RandomSource
    package let hashing: any Hashing
    /// Who follows whose changes.
    package let feed = ChangeFeed()
    /// What is counted by the hour.
    package let tally = Tally()
    let principals = PrincipalCache()
    let servedMemory = ServedMemory()
    /// Wrong link codes, by where they come from.
    let wrongCodes = Throttle(burst: 10, interval: .seconds(60))
    let newCodes = Throttle(burst: 600, interval: .seconds(1))

    package init(store: any Store, clock: any Clock, random: any RandomSource, hashing: any Hashing) {
        self.store = store
        self.clock = clock
        self.random = random
        self.hashing = hashing
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
