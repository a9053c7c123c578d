package import PlacekeeperCore
package import PlacekeeperMatching

/// The part of a store that changes data sources and their items.
package protocol ItemWriting: Sendable {
    /// Declares a data source of an app, unless the data source is already declared, or the app has already declared
    /// `Limits.dataSources` other data sources. With `overriding`, replaces an existing declaration and ignores the
    /// limit.
    func declare(_ source: DataSource, named name: String, of app: AppID, overriding: Bool)
        async throws(StoreError) -> Committed<Declaration>
    /// Removes a declaration. The data source's registered items stay. Returns false if there is no declaration.
    func undeclare(_ name: String, of app: AppID) async throws(StoreError) -> Committed<Bool>
    /// Applies a delta to a device's registered items. After the delta, at most `limit` items are live. The store keeps
    /// at most twice this number of items, including removed items. Beyond this number, the store forgets the items
    /// that were removed first. Of items that were removed at the same time, it first forgets the items with the lowest
    /// keys. A delta that changes nothing does not raise the registration's cursor.
    func apply(
        _ delta: PreparedDelta, to list: ItemList, of device: DeviceID, limit: Int
    ) async throws(StoreError) -> Committed<DeltaResult>
}
