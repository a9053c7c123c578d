package import PlacekeeperCore
package import PlacekeeperMatching

/// The part of a store for exports and imports of a user.
package protocol ExportStore: Sendable {
    /// Returns a user's scenes in the order of their names, beginning after `name`. Includes scenes without archives.
    func scenes(of owner: UserKey, after name: String?, limit: Int) async throws(StoreError) -> [SceneFacts]
    /// Returns the names of the data sources for which a user has registrations or decisions, declared or not, in the
    /// order of the names, beginning after `name`.
    func dataSources(of owner: UserKey, after name: String?, limit: Int) async throws(StoreError) -> [String]
    /// Returns a registration's items, live and removed, in the order of their ordinals, beginning after `ordinal`. The
    /// cost of each call grows with the number of all items of the registration.
    func items(after ordinal: Int64?, in registry: Registry, limit: Int) async throws(StoreError) -> [ListedItem]
    /// Adds imported data to a user whose import has begun. The data may refer to devices that do not exist. The changes
    /// of all calls must come in the order of their revisions. No stored archive of the user may have the position or,
    /// in the same scene, the id of an archive in `records`. Returns false if an item is registered already.
    func add(_ records: [ImportedRecord], to owner: UserKey) async throws(StoreError) -> Committed<Bool>
}
