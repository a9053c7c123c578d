package import PlacekeeperCore

/// One device's registration of a data source, identified by the list and the device.
package struct Registry: Sendable, Hashable {
    package var list: ItemList
    package var device: DeviceID
    package var state: RegistrationState
    /// The number of ambiguous aliases among the device's items.
    package var ambiguousAliasCount: Int
    /// How many removed and replaced items the store still keeps.
    package var removedCount: Int

    package init(
        list: ItemList, device: DeviceID, state: RegistrationState, ambiguousAliasCount: Int = 0,
        removedCount: Int = 0
    ) {
        self.list = list
        self.device = device
        self.state = state
        self.ambiguousAliasCount = ambiguousAliasCount
        self.removedCount = removedCount
    }
}

/// A registered item as a store holds it, without its texts. Finding items doesn't need the texts, because the store
/// looks them up by hashes (`LookupKey`).
package struct StoredItem: Sendable, Hashable {
    package enum Presence: Sendable, Hashable {
        case live
        /// The item was removed. The store keeps it for at most `Retention.tombstones`, so the service recognizes
        /// references to it.
        case removed
        /// Another item of the same device replaced it at this time.
        case replaced(by: LookupKey, at: Timestamp)

        /// The item that replaced this one.
        package var successor: LookupKey? { if case .replaced(let key, _) = self { key } else { nil } }
    }

    /// Rises with each item that the device adds to the list. Only the order matters.
    package var ordinal: Int64
    package var key: LookupKey
    package var aliases: [LookupKey]
    package var position: Int64?
    /// When the item was registered or its aliases last changed.
    package var changedAt: Timestamp
    /// Since when the identifier names this item.
    package var since: Timestamp
    /// Whether the identifier named another item before.
    package var isReuse: Bool
    package var presence: Presence

    /// - Parameter since: nil for `changedAt`.
    package init(
        ordinal: Int64, key: LookupKey, aliases: [LookupKey], position: Int64?, changedAt: Timestamp,
        since: Timestamp? = nil, isReuse: Bool = false, presence: Presence
    ) {
        self.ordinal = ordinal
        self.key = key
        self.aliases = aliases
        self.position = position
        self.changedAt = changedAt
        self.since = since ?? changedAt
        self.isReuse = isReuse
        self.presence = presence
    }

    package var isLive: Bool { presence == .live }

    /// The item that replaced this one.
    package var successor: LookupKey? { presence.successor }

    /// Whether this stands for the aliases that a live or removed item has lost.
    var isOfLostAliases: Bool { successor?.ofLostAliases == key }

    /// Whether the identifier was given to this item after a time, in place of another item.
    func isReuse(after time: Timestamp) -> Bool { isReuse && since > time }

    /// Returns whether the item has any of the given aliases.
    func shares(_ others: [LookupKey]) -> Bool { aliases.contains(where: others.contains) }

    /// Returns whether these are the item's aliases, in any order.
    func hasAliases(_ others: [LookupKey]) -> Bool {
        aliases == others || (aliases.count > 1 && Set(aliases) == Set(others))
    }
}
