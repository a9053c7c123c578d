package import PlacekeeperCore

/// The part of a store that reads the items of data sources.
package protocol ItemReading: Sendable {
    /// Returns the registrations of a user's data source, one for each device, at most `Limits.registries`.
    /// Registrations of revoked devices come last. Within each group, older registrations come first. If a registration
    /// no longer exists, the methods that take its `Registry` answer as if the registration had no items.
    func registries(of list: ItemList) async throws(StoreError) -> [Registry]
    /// For each key, returns the registration's item with this key, live or removed. Nil if the key is unknown.
    func items(_ keys: [LookupKey], in registry: Registry) async throws(StoreError) -> [StoredItem?]
    /// For each alias, returns the registration's items with this alias, at most two. Live items come before removed
    /// items. Within each group, the newest item comes first.
    func items(withAliases aliases: [LookupKey], in registry: Registry) async throws(StoreError) -> [[StoredItem]]
    /// For each alias, returns the sealed texts of the registration's only item with this alias. Nil if no item or
    /// several items have the alias, or if the only item was removed.
    func textsOfSoleItems(withAliases aliases: [LookupKey], in registry: Registry) async throws(StoreError)
        -> [[UInt8]?]
    /// For each item, returns its sealed identifier and aliases (`ItemTexts`). Nil if the registration no longer has
    /// the item.
    func texts(of items: [StoredItem], in registry: Registry) async throws(StoreError) -> [[UInt8]?]
    /// For each alias, returns whether the alias is ambiguous: whether two or more live items of the registration have
    /// this alias.
    func areAmbiguous(_ aliases: [LookupKey], in registry: Registry) async throws(StoreError) -> [Bool]
    /// Returns the ambiguous aliases of a registration in the order of their keys, beginning above `key`.
    func ambiguousAliases(above key: LookupKey?, in registry: Registry, limit: Int) async throws(StoreError)
        -> [LookupKey]
    /// Returns live items that have a position, the nearest to `position` first. If `behind` is true, returns items
    /// at and after `position`, ordered by position and then by key. Otherwise returns items before `position`, in
    /// the opposite order.
    func items(
        next position: Int64, behind: Bool, in registry: Registry, limit: Int
    ) async throws(StoreError) -> [StoredItem]
    /// Returns live items in the order of their keys, beginning above `key`.
    func items(above key: LookupKey?, in registry: Registry, limit: Int) async throws(StoreError) -> [StoredItem]
    func links(in list: ItemList) async throws(StoreError) -> [Link]
}
