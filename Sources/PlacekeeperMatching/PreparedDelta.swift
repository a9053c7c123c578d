package import PlacekeeperCore

/// A delta in the form in which a store applies it.
package struct PreparedDelta: Sendable {
    package struct Upsert: Sendable {
        package var key: LookupKey
        package var aliases: [LookupKey]
        package var position: Int64?
        /// The sealed identifier and aliases (`ItemTexts`).
        package var texts: [UInt8]
        package var digest: ItemDigest
    }

    package struct Redirect: Sendable {
        package var from: LookupKey
        package var to: LookupKey
        /// The sealed identifier of the item `from`, stored if the store doesn't know this item. In a list with the
        /// scope `shared`, the identifier of `to` is included in place of an alias, and the texts are always stored.
        package var texts: [UInt8]
    }

    /// Aliases that an item loses, with the sealed texts to store.
    struct LostAliases {
        var keys: [LookupKey]
        var texts: [UInt8]
    }

    package var upserts: [Upsert]
    package var removals: [LookupKey]
    package var redirects: [Redirect]
    package var after: Int64?
    package var time: Timestamp
    /// Whether the list's identifiers are the same on all devices. If so, targets of redirects need no registration,
    /// and an identifier never names another item.
    package var isShared = false
    /// The identifiers that the delta gives to other items. Known when a store decides the delta (`DeltaDecision`).
    var reused: Set<LookupKey> = []
    /// The live items that lose aliases, and that an alias which they keep proves to be the same. Known when a store
    /// decides the delta.
    var losing: Set<LookupKey> = []
    /// The app's quotas, which limit the texts of the items.
    package var quotas = App.Settings.Quotas.none
    /// Computes the digest of a stored item from the item and its sealed texts, which a store can't read.
    package var digest: @Sendable (StoredItem, [UInt8]) throws(StoreError) -> ItemDigest
    /// Returns which aliases an item loses, from its sealed texts and the keys of the aliases that it keeps. By default,
    /// none.
    var lostAliases: @Sendable ([UInt8], _ kept: [LookupKey]) throws(StoreError) -> LostAliases = { _, _ in
        LostAliases(keys: [], texts: [])
    }
    /// The approximate size of this delta and the `ItemDelta` it was made from, in bytes. Both count, because both are
    /// in memory at the same time.
    package var weight: Int {
        upserts.reduce(0) { $0 + 2 * $1.texts.count + 40 * $1.aliases.count + 192 } + removals.count * 64
            + redirects.reduce(0) { $0 + 2 * $1.texts.count + 128 }
    }
    /// Maximum number of rows that a store writes or deletes for this delta. Each stored item that the delta names may
    /// lose `Limits.aliases` aliases, but all of them together at most `Limits.deltaAliases`. A lost alias gets another
    /// row.
    package var rows: Int {
        let taken = (upserts.count + removals.count + redirects.count) * Limits.aliases
        return upserts.reduce(0) { $0 + $1.aliases.count + 2 } + 2 * (removals.count + redirects.count)
            + 2 * min(taken, Limits.deltaAliases)
    }
}

extension PreparedDelta {
    /// The keys of the items that the delta adds, removes and redirects, in this order, without duplicates.
    package var keys: [LookupKey] { upserts.map(\.key) + removals + redirects.map(\.from) }
}

package enum DeltaResult: Sendable, Hashable {
    case applied(RegistrationState)
    /// The cursor isn't the one that the delta expects (`after`), and the delta doesn't repeat the one that led to the
    /// current state.
    case stale(RegistrationState)
    /// The device would register too many items.
    case tooMany(RegistrationState)
    /// A redirect leads back to itself or through too many redirects (`redirectLoops`), or to an item that isn't
    /// registered (`redirectTargetUnknown`). The value is the redirect's index.
    case redirectLoops(Int)
    case redirectTargetUnknown(Int)
    /// The delta's redirects up to this index lead through more than `Limits.deltaItems` stored redirects in total.
    case redirectsLeadTooFar(Int)
    /// The delta would take more than `Limits.deltaAliases` aliases from stored items.
    case takesTooManyAliases
    /// The items' texts would exceed a quota. Checked last.
    case quotaExceeded(QuotaExcess)
    /// The device that sent the delta was revoked or moved to another user while the write waited.
    case actorGone

    package var isApplied: Bool { if case .applied = self { true } else { false } }
}
