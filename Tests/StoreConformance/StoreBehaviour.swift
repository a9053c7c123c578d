package import RestorationService

/// One thing that every store does. A store's own tests run them all:
///
///     @Test(arguments: StoreBehaviour.all) func everyStore(_ behaviour: StoreBehaviour) async throws {
///         try await behaviour.check(makeStore())
///     }
package struct StoreBehaviour: Sendable, CustomStringConvertible {
    package let description: String
    /// Checks a new, empty store.
    package let check: @Sendable (_ store: any Store) async throws -> Void

    init(_ description: String, check: @escaping @Sendable (_ store: any Store) async throws -> Void) {
        self.description = description
        self.check = check
    }

    package static let all =
        apps + devices + linkCodes + moves + puts + order + candidates + lookups + retention + deletion + snapshots
        + outcomes + changes + items + upkeep
}
