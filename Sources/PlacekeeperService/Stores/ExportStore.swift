package import PlacekeeperCore
package import PlacekeeperMatching

/// The part of a store that exports and imports users.
package protocol ExportStore: Sendable {
    /// Returns a user's scenes after `name`, sorted by name, including scenes without archives.
    func scenes(of owner: UserKey, after name: String?, limit: Int) async throws(StoreError) -> [SceneFacts]
    /// Returns the names of the data sources with registrations or decisions of a user, even if they are not declared.
    /// The names are sorted and start after `name`.
    func dataSources(of owner: UserKey, after name: String?, limit: Int) async throws(StoreError) -> [String]
    /// Returns a registration's items, live and removed, sorted by ordinal, after `ordinal`. The cost of each call
    /// grows with the total number of items in the registration.
    func items(after ordinal: Int64?, in registry: Registry, limit: Int) async throws(StoreError) -> [ListedItem]
    /// Adds imported data to a user whose import has begun. The data may refer to devices that don't exist. Across all
    /// calls, changes must come in order of their revisions. An archive's position must be new for the user, and its ID
    /// must be new in its scene. Returns false if an item is already registered.
    func add(_ records: [ImportedRecord], to owner: UserKey) async throws(StoreError) -> Committed<Bool>
}
