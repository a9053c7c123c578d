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
    /// Bytes that it holds, about, with the delta that it was made of, which is held as long: each text once more.
    package var weight: Int {
        upserts.reduce(0) { $0 + 2 * $1.texts.count + 40 * $1.aliases.count + 192 } + removals.count * 64
            + redirects.reduce(0) { $0 + 2 * $1.texts.count + 128 }
    }
    /// How many rows it makes a store write at most: what is removed or replaced may have as many aliases as an item may
    /// have.
    package var rows: Int {
        let taken = (upserts.count + removals.count + redirects.count) * Limits.aliases
        return upserts.reduce(0) { $0 + $1.aliases.count + 2 } + 2 * (removals.count + redirects.count)
            + min(taken, Limits.deltaAliases)
    }
}

extension PreparedDelta {
    /// The items that it adds, removes and redirects.
    package var keys: [LookupKey] { upserts.map(\.key) + removals + redirects.map(\.from) }

    /// By how many there are more live items once it is carried out, of those that are known of the items that it names.
    package func rise(over known: [LookupKey: StoredItem]) -> Int {
        upserts.count - keys.count { known[$0]?.isLive == true }
    }

    /// How many aliases it takes from items that are known: of what it removes, and of what it adds anew with others. Each is
    /// taken by itself.
    package func takenAliasCount(from known: [LookupKey: StoredItem]) -> Int {
        var count = 0
        for upsert in upserts {
            guard let item = known[upsert.key] else { continue }
            let isSame = item.aliases == upsert.aliases || Set(item.aliases) == Set(upsert.aliases)
            if !(item.isLive && isSame) { count += item.aliases.count }
        }
        for key in removals + redirects.map(\.from) {
            if let item = known[key], item.isLive { count += item.aliases.count }
        }
        return count
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
    /// The items that it replaces and removes have more than `Limits.deltaAliases`.
    case takesTooManyAliases
    /// Who asks was revoked, or moved to another user, while the write waited.
    case actorGone
}
