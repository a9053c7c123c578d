/// What an identifier or an alias is looked up by: a hash keyed by user. Texts that are canonically equivalent have the
/// same key (docs/decisions/0058-lookups-by-a-keyed-hash.md).
package struct LookupKey: RawRepresentable, Sendable, Hashable {
    package var rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// One device's registration in a store.
package struct Registry: Sendable, Hashable {
    /// The store's own number.
    package var id: Int64
    package var device: DeviceID
    package var state: RegistrationState
    /// How many aliases two of its items bear.
    package var setAsideCount: Int
    /// How many of its items were removed and are still known.
    package var removedCount: Int

    package init(
        id: Int64, device: DeviceID, state: RegistrationState, setAsideCount: Int = 0, removedCount: Int = 0
    ) {
        self.id = id
        self.device = device
        self.state = state
        self.setAsideCount = setAsideCount
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

/// A delta as a store carries it out.
package struct PreparedDelta: Sendable {
    package struct Upsert: Sendable {
        package var key: LookupKey
        package var aliases: [LookupKey]
        package var position: Int64?
        /// Identifier and aliases (`ItemTexts`), sealed.
        package var texts: [UInt8]
        package var digest: ItemDigest
    }

    package struct Redirect: Sendable {
        package var from: LookupKey
        package var to: LookupKey
        /// Of the identifier alone, should the item not be known yet.
        package var texts: [UInt8]
    }

    package var upserts: [Upsert]
    package var removals: [LookupKey]
    package var redirects: [Redirect]
    package var after: Int64?
    package var time: Timestamp
    /// The digest of an item that is stored and of its sealed texts, which a store cannot read.
    package var digest: @Sendable (StoredItem, [UInt8]) throws(StoreError) -> ItemDigest
    /// Bytes that it holds, about.
    package var weight: Int {
        upserts.reduce(0) { $0 + $1.texts.count + 8 * $1.aliases.count + 96 } + removals.count * 8
            + redirects.reduce(0) { $0 + $1.texts.count + 48 }
    }
    /// How many it makes a store write, about: those of an item that is removed or replaced may be as many as it may have.
    package var rows: Int {
        upserts.reduce(0) { $0 + $1.aliases.count + 2 } + (removals.count + redirects.count) * (Limits.aliases + 2)
    }
}

package enum DeltaResult: Sendable, Hashable {
    case applied(RegistrationState)
    /// It began at another state than the one that stands, and is not what led there either.
    case stale(RegistrationState)
    /// It would be more items than a device may register.
    case tooMany(RegistrationState)
    /// A redirect leads back to itself, or over too many others, or to what is not registered. The index of the redirect.
    case redirectLoops(Int)
    case redirectTargetUnknown(Int)
    /// Up to this one, redirects lead over more stored ones than those of one delta may.
    case redirectsLeadTooFar(Int)
    /// Who asks was revoked, or moved to another user, while the write waited.
    case actorGone
}
