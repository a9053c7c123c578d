package import PlacekeeperCore
package import PlacekeeperMatching

/// The part of a store that changes data sources and their items.
package protocol ItemWriting: Sendable {
    /// Declares a data source of an app. Does nothing if it is already declared, or if the app already declares
    /// `Limits.dataSources` other data sources. With `overriding`, replaces an existing declaration and ignores the
    /// limit.
    func declare(_ source: DataSource, named name: String, of app: AppID, overriding: Bool)
        async throws(StoreError) -> Committed<Declaration>
    /// Removes a declaration but keeps the data source's registered items. Returns false if there is no declaration.
    func undeclare(_ name: String, of app: AppID) async throws(StoreError) -> Committed<Bool>
    /// Applies a delta to a device's registered items. Afterward, at most `limit` items are live. A delta that changes
    /// nothing doesn't increase the registration's cursor.
    ///
    /// The store keeps at most twice `limit` items, including removed ones. Beyond that, it drops the items that were
    /// removed earliest. Of items removed at the same time, it drops the ones with the lowest keys.
    func apply(
        _ delta: PreparedDelta, to list: ItemList, of device: DeviceID, limit: Int
    ) async throws(StoreError) -> Committed<DeltaResult>
}
