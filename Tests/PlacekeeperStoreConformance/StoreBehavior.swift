package import PlacekeeperService

/// One behavior that every store must have. The tests of each store check all behaviors:
///
///     @Test(arguments: StoreBehavior.all) func everyStore(_ behavior: StoreBehavior) async throws {
///         try await behavior.check(makeStore())
///     }
package struct StoreBehavior: Sendable, CustomStringConvertible {
    package let description: String
    /// Checks the behavior on a new, empty store.
    package let check: @Sendable (_ store: any Store) async throws -> Void

    init(_ description: String, check: @escaping @Sendable (_ store: any Store) async throws -> Void) {
        self.description = description
        self.check = check
    }

    package static let all =
        apps + devices + linkCodes + installations + expiry + tokens + accounts + moves + puts + order + histories
        + choices
        + lookups + retention + deletion
        + screenshots + outcomes + changes + items + identifiers + registrations + dataSources + invalidations + upkeep
        + latestTimes
        + clocks
        + operation + erasure + audit + imports + usages + quotas + droppedChanges
        + usersWithoutDevices + browsing + listings + administrators + undeletions + appChanges + restoreLog
}
