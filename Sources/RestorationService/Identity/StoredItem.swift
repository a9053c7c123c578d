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

    package init(id: Int64, device: DeviceID, state: RegistrationState, setAsideCount: Int) {
        self.id = id
        self.device = device
        self.state = state
        self.setAsideCount = setAsideCount
    }
}

/// A registered item as a store holds it: texts are sealed, and what is asked by is hashed.
package struct StoredItem: Sendable, Hashable {
    package enum Presence: Sendable, Hashable {
        case live
        /// Known for `Retention.tombstones`, so that what refers to it is still understood.
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
    /// Identifier and aliases (`ItemTexts`), sealed.
    package var texts: [UInt8]

    package init(
        number: Int64, registry: Int64, key: LookupKey, aliases: [LookupKey], position: Int64?, changedAt: Timestamp,
        presence: Presence, texts: [UInt8]
    ) {
        self.number = number
        self.registry = registry
        self.key = key
        self.aliases = aliases
        self.position = position
        self.changedAt = changedAt
        self.presence = presence
        self.texts = texts
    }

    package var isLive: Bool { presence == .live }
}

/// A delta as a store carries it out.
package struct PreparedDelta: Sendable {
    package struct Upsert: Sendable {
        package var key: LookupKey
        package var aliases: [LookupKey]
        package var position: Int64?
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
    /// The digest of an item that is stored, which a store cannot compute of sealed texts.
    package var digest: @Sendable (StoredItem) throws(StoreError) -> ItemDigest
    /// Bytes that it holds, about.
    package var weight: Int {
        upserts.reduce(0) { $0 + $1.texts.count + 64 } + removals.count * 8 + redirects.count * 64
    }
}

package enum DeltaResult: Sendable, Hashable {
    case applied(RegistrationState)
    /// It began at another state than the one that stands, and is not what led there either.
    case stale(RegistrationState)
    /// It would be more items than a device may register.
    case tooMany(RegistrationState)
    /// A redirect leads back to itself, or to what is not registered. The index of the redirect.
    case redirectLoops(Int)
    case redirectTargetUnknown(Int)
    /// Who asks was revoked, or moved to another user, while the write waited.
    case actorGone
}

/// Where redirects of a delta lead in the end, on top of what is stored.
package enum RedirectChain {
    /// Follows each redirect of a delta, with `presence` telling what is stored and not touched by the delta.
    /// - Returns: what is wrong with the first that does not end in a live item.
    package static func fault<Failure: Error>(
        in delta: PreparedDelta, presence: (LookupKey) throws(Failure) -> StoredItem.Presence?
    ) throws(Failure) -> DeltaResult? {
        guard !delta.redirects.isEmpty else { return nil }
        var ahead: [LookupKey: LookupKey] = [:]
        for redirect in delta.redirects { ahead[redirect.from] = redirect.to }
        let added = Set(delta.upserts.lazy.map(\.key))
        let removed = Set(delta.removals)
        for (index, redirect) in delta.redirects.enumerated() {
            var key = redirect.to
            var hops = 1
            while true {
                guard key != redirect.from, hops <= Limits.redirects else { return .redirectLoops(index) }
                if let next = ahead[key] {
                    key = next
                } else if added.contains(key) {
                    break
                } else if removed.contains(key) {
                    return .redirectTargetUnknown(index)
                } else {
                    switch try presence(key) {
                    case .live: break
                    case .replaced(let next)?:
                        key = next
                        hops += 1
                        continue
                    case .removed?, nil: return .redirectTargetUnknown(index)
                    }
                    break
                }
                hops += 1
            }
        }
        return nil
    }
}
