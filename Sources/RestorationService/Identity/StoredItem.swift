/// What an identifier or an alias is looked up by: a hash keyed by user. Texts that are canonically equivalent have the
/// same key (docs/decisions/0058-lookups-by-a-keyed-hash.md).
package struct LookupKey: RawRepresentable, Sendable, Hashable {
    package var rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
}

// Where a page ended, as text that any shell and any URL leaves as it is.
extension LookupKey {
    package init?(cursor: String) {
        guard let number = UInt64(cursor, radix: 16) else { return nil }
        self.init(rawValue: Int64(bitPattern: number))
    }

    package var cursor: String { String(UInt64(bitPattern: rawValue), radix: 16) }
}

extension Collection<LookupKey> {
    /// Each once, where it first comes: texts that are canonically equivalent are one.
    var distinct: [LookupKey] {
        guard count > 1 else { return Array(self) }
        var seen: Set<LookupKey> = []
        return filter { seen.insert($0).inserted }
    }
}

/// One device's registration in a store.
package struct Registry: Sendable, Hashable {
    /// The store's own number.
    package var id: Int64
    package var device: DeviceID
    package var state: RegistrationState
    /// How many aliases two of its items bear.
    package var ambiguousAliasCount: Int
    /// How many of its items were removed and are still known.
    package var removedCount: Int

    package init(
        id: Int64, device: DeviceID, state: RegistrationState, ambiguousAliasCount: Int = 0, removedCount: Int = 0
    ) {
        self.id = id
        self.device = device
        self.state = state
        self.ambiguousAliasCount = ambiguousAliasCount
        self.removedCount = removedCount
    }
}

/// A registered item as a store holds it, without its texts: what it is asked by is hashed.
package struct StoredItem: Sendable, Hashable {
    package enum Presence: Sendable, Hashable {
        case live
        /// Known for `Retention.tombstones` at most, so that what refers to it is still understood.
        case removed
        /// Another item of the same device took its place.
        case replaced(by: LookupKey)
    }

    /// The store's own number: rises with each item that is added.
    package var number: Int64
    package var registry: Int64
    package var key: LookupKey
    package var aliases: [LookupKey]
    package var position: Int64?
    /// When it was registered, or its aliases last changed.
    package var changedAt: Timestamp
    package var presence: Presence

    package init(
        number: Int64, registry: Int64, key: LookupKey, aliases: [LookupKey], position: Int64?, changedAt: Timestamp,
        presence: Presence
    ) {
        self.number = number
        self.registry = registry
        self.key = key
        self.aliases = aliases
        self.position = position
        self.changedAt = changedAt
        self.presence = presence
    }

    package var isLive: Bool { presence == .live }
}
