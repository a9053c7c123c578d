/// A delta in the form that a store applies.
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
        /// The sealed identifier, for an item that is not known yet.
        package var texts: [UInt8]
    }

    package var upserts: [Upsert]
    package var removals: [LookupKey]
    package var redirects: [Redirect]
    package var after: Int64?
    package var time: Timestamp
    /// Computes the digest of a stored item from the item and its sealed texts. A store cannot read sealed texts.
    package var digest: @Sendable (StoredItem, [UInt8]) throws(StoreError) -> ItemDigest
    /// The approximate size in bytes of this delta and of the delta that it was made from. Both are in memory for the
    /// same time.
    package var weight: Int {
        upserts.reduce(0) { $0 + 2 * $1.texts.count + 40 * $1.aliases.count + 192 } + removals.count * 64
            + redirects.reduce(0) { $0 + 2 * $1.texts.count + 128 }
    }
    /// The maximum number of rows that the store writes for this delta. Each removed or replaced item may have
    /// `Limits.aliases` aliases.
    package var rows: Int {
        let taken = (upserts.count + removals.count + redirects.count) * Limits.aliases
        return upserts.reduce(0) { $0 + $1.aliases.count + 2 } + 2 * (removals.count + redirects.count)
            + min(taken, Limits.deltaAliases)
    }
}

extension PreparedDelta {
    /// The items that it adds, removes and redirects, in this order. No item is named twice.
    package var keys: [LookupKey] { upserts.map(\.key) + removals + redirects.map(\.from) }
}

package enum DeltaResult: Sendable, Hashable {
    case applied(RegistrationState)
    /// The delta's cursor is not the current cursor, and this delta is not a repetition of the delta that led to the
    /// current state.
    case stale(RegistrationState)
    /// The device would register more items than the limit.
    case tooMany(RegistrationState)
    /// A redirect leads back to itself or over too many redirects (`redirectLoops`), or to an item that is not
    /// registered (`redirectTargetUnknown`). The value is the index of the redirect.
    case redirectLoops(Int)
    case redirectTargetUnknown(Int)
    /// The redirects up to this index lead over more stored redirects than one delta may.
    case redirectsLeadTooFar(Int)
    /// The items that the delta replaces and removes have more than `Limits.deltaAliases` aliases.
    case takesTooManyAliases
    /// The requesting device was revoked, or moved to another user, while the write waited.
    case actorGone

    package var isApplied: Bool { if case .applied = self { true } else { false } }
}
