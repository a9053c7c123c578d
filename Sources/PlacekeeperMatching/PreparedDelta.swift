package import PlacekeeperCore

/// A delta in the form that a store applies.
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
        /// The sealed identifier of the item `from`. A store that does not know this item stores the identifier. In a shared
        /// list the identifier of `to` is there, too, in the place of an alias, and the store always stores both.
        package var texts: [UInt8]
    }

    package var upserts: [Upsert]
    package var removals: [LookupKey]
    package var redirects: [Redirect]
    package var after: Int64?
    package var time: Timestamp
    /// Whether the identifiers of the list are the same on all devices. Then the targets of redirects need no registration,
    /// and an identifier never names another item.
    package var isShared = false
    /// The quotas of the app. They limit the texts of the items.
    package var quotas = App.Settings.Quotas.none
    /// Computes the digest of a stored item from the item and its sealed texts. A store needs this closure because it
    /// cannot read sealed texts.
    package var digest: @Sendable (StoredItem, [UInt8]) throws(StoreError) -> ItemDigest
    /// The approximate size in bytes of this delta and of the `ItemDelta` from which it was made. The size includes
    /// both, because both are in memory for the same time.
    package var weight: Int {
        upserts.reduce(0) { $0 + 2 * $1.texts.count + 40 * $1.aliases.count + 192 } + removals.count * 64
            + redirects.reduce(0) { $0 + 2 * $1.texts.count + 128 }
    }
    /// The maximum number of rows that a store writes or deletes for this delta. Each stored item that the delta names
    /// may lose `Limits.aliases` aliases, but all these items together lose at most `Limits.deltaAliases`.
    package var rows: Int {
        let taken = (upserts.count + removals.count + redirects.count) * Limits.aliases
        return upserts.reduce(0) { $0 + $1.aliases.count + 2 } + 2 * (removals.count + redirects.count)
            + min(taken, Limits.deltaAliases)
    }
}

extension PreparedDelta {
    /// The keys of the items that the delta adds, removes and redirects, in this order. No key occurs twice.
    package var keys: [LookupKey] { upserts.map(\.key) + removals + redirects.map(\.from) }
}

package enum DeltaResult: Sendable, Hashable {
    case applied(RegistrationState)
    /// The cursor that the delta expects (`after`) is not the current cursor, and this delta is not a repetition of the
    /// delta that led to the current state.
    case stale(RegistrationState)
    /// The device would register more items than the limit.
    case tooMany(RegistrationState)
    /// A redirect leads back to itself or over too many redirects (`redirectLoops`), or to an item that is not
    /// registered (`redirectTargetUnknown`). The value is the index of the redirect.
    case redirectLoops(Int)
    case redirectTargetUnknown(Int)
    /// The delta's redirects up to this index together lead over more than `Limits.deltaItems` stored redirects.
    case redirectsLeadTooFar(Int)
    /// The delta would take more than `Limits.deltaAliases` aliases from stored items.
    case takesTooManyAliases
    /// The texts of the items would exceed a quota. This check comes last.
    case quotaExceeded(QuotaExcess)
    /// The device that sent the delta was revoked, or moved to another user, while the write waited.
    case actorGone

    package var isApplied: Bool { if case .applied = self { true } else { false } }
}
