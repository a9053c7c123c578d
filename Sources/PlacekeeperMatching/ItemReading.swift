package import PlacekeeperCore

/// The part of a store that reads the items of data sources.
package protocol ItemReading: Sendable {
    /// Returns the registrations of a user's data source: one per device, at most `Limits.registries`. Those of revoked
    /// devices come last; otherwise, older ones come first. If a registration no longer exists, the methods that take
    /// its `Registry` treat it as empty.
    func registries(of list: ItemList) async throws(StoreError) -> [Registry]
    /// For each key, returns the registration's item, live or removed. Nil if the key is unknown.
    func items(_ keys: [LookupKey], in registry: Registry) async throws(StoreError) -> [StoredItem?]
    /// For each alias, returns at most two of the registration's items that have it. Live items come before removed
    /// ones, then newer before older ones.
    func items(withAliases aliases: [LookupKey], in registry: Registry) async throws(StoreError) -> [[StoredItem]]
    /// For each alias, returns the sealed texts of the registration's only item that has it. Nil if there is no such
    /// item, if there are several, or if it was removed.
    func textsOfSoleItems(withAliases aliases: [LookupKey], in registry: Registry) async throws(StoreError)
        -> [[UInt8]?]
    /// For each item, returns its sealed identifier and aliases (`ItemTexts`). Nil if the registration has dropped the
    /// item.
    func texts(of items: [StoredItem], in registry: Registry) async throws(StoreError) -> [[UInt8]?]
    /// For each alias, returns whether it is ambiguous: two or more live items of the registration have it.
    func areAmbiguous(_ aliases: [LookupKey], in registry: Registry) async throws(StoreError) -> [Bool]
    /// Returns a registration's ambiguous aliases above `key`, in the order of their keys.
    func ambiguousAliases(above key: LookupKey?, in registry: Registry, limit: Int) async throws(StoreError)
        -> [LookupKey]
    /// Returns live items with a position, the nearest to `position` first. If `behind` is true, these are the items at
    /// and after `position`, ordered by position and then by key; otherwise the items before it, in the opposite order.
    func items(
        next position: Int64, behind: Bool, in registry: Registry, limit: Int
    ) async throws(StoreError) -> [StoredItem]
    /// Returns live items with keys above `key`, in the order of their keys.
    func items(above key: LookupKey?, in registry: Registry, limit: Int) async throws(StoreError) -> [StoredItem]
    func links(in list: ItemList) async throws(StoreError) -> [Link]
    /// Returns the live items with the given keys, over all registrations of the users. The cost grows with the number of
    /// keys, but not with the number of items.
    func items(_ keys: [(user: UserID, key: LookupKey)], of app: AppID) async throws(StoreError) -> [RegisteredItem]
}

/// A device's live item, found in any of the user's lists.
package struct RegisteredItem: Sendable, Hashable {
    package var list: ItemList
    package var device: DeviceID
    /// The sealed identifier and aliases (`ItemTexts`).
    package var texts: [UInt8]

    package init(list: ItemList, device: DeviceID, texts: [UInt8]) {
        self.list = list
        self.device = device
        self.texts = texts
    }
}
