import PlacekeeperCore

/// The changes that a store writes for a delta.
package struct DeltaChanges: Sendable, Hashable {
    /// A new item, or a change to a stored one.
    package struct ItemChange: Sendable, Hashable {
        /// The stored item, or nil for a new one.
        package var before: StoredItem?
        /// The item after the change. A new item's ordinal is 0 here; the store assigns ordinals in the order of the
        /// changes. If the item isn't live, the store records the delta's time as the time of removal.
        package var item: StoredItem
        /// The sealed texts to store. Nil to keep the stored ones.
        package var texts: [UInt8]?
        /// Whether the item becomes live, stops being live, or gets other aliases. If not, a store's index of aliases
        /// doesn't change.
        package var changesAliases: Bool
    }

    /// The changes, in the delta's order.
    package private(set) var items: [ItemChange] = []
    /// The registration's state after the delta.
    package private(set) var state: RegistrationState
    /// The number of removed and replaced items after the delta, including those to forget (`forgottenCount`).
    package private(set) var removedCount: Int
    /// How many removed and replaced items the store must forget after the changes, the earliest removals first.
    package private(set) var forgottenCount = 0
    /// By how many bytes the stored texts grow. The texts of items to forget don't count.
    package private(set) var textBytes = 0

    private init(_ facts: DeltaFacts) {
        state = facts.state
        removedCount = facts.removedCount
    }

    /// Computes the changes. Without any, the state doesn't change either.
    ///
    /// - Parameter lostBefore: the aliases that the items of `delta.losing` have lost before.
    init(
        of delta: PreparedDelta, in facts: DeltaFacts, _ chain: RedirectChain, limit: Int,
        _ lostBefore: [LookupKey: StoredItem], _ texts: ([StoredItem]) throws(StoreError) -> [[UInt8]?]
    ) throws(StoreError) {
        self.init(facts)
        items.reserveCapacity(facts.items.count)
        for batch in facts.items.batches() { try apply(delta, chain, to: batch, lostBefore, texts) }
        guard !items.isEmpty else { return }
        state.cursor += 1
        forgottenCount = max(0, state.count + removedCount - 2 * limit)
    }

    /// The size of the first batch that `isNeeded` compares. Each further batch is twice as large, up to
    /// `Limits.batch`.
    private static let firstBatch = 16

    /// Returns whether a delta changes any item. Reads no texts if the delta adds an item, removes a live one or
    /// changes a redirect. Otherwise stops reading at the first change.
    static func isNeeded(
        for delta: PreparedDelta, in facts: DeltaFacts, _ chain: RedirectChain,
        _ texts: ([StoredItem]) throws(StoreError) -> [[UInt8]?]
    ) throws(StoreError) -> Bool {
        if facts.changesPresence(by: delta, chain) { return true }
        // All of these items are live, so only their contents can differ.
        let items = facts.items.prefix(delta.upserts.count).compactMap { $0 }
        var start = 0
        var size = firstBatch
        while start < items.count {
            let batch = Array(items[start..<min(start + size, items.count)])
            let sealed = try texts(batch)
            for (offset, item) in batch.enumerated() {
                let digest = try delta.digest(item, sealed[offset] ?? [])
                if digest != delta.upserts[start + offset].digest { return true }
            }
            start += batch.count
            size = min(2 * size, Limits.batch)
        }
        return false
    }

    /// Applies the part of a delta that names the given items. Their indices are those in `PreparedDelta.keys`.
    private mutating func apply(
        _ delta: PreparedDelta, _ chain: RedirectChain, to items: ArraySlice<StoredItem?>,
        _ lostBefore: [LookupKey: StoredItem], _ texts: ([StoredItem]) throws(StoreError) -> [[UInt8]?]
    ) throws(StoreError) {
        let earlier = items.compactMap { $0.flatMap { lostBefore[$0.key] } }
        let sizes = Dictionary(
            zip(earlier.map(\.key), try earlier.isEmpty ? [] : texts(earlier).map { $0?.count ?? 0 }),
            uniquingKeysWith: { first, _ in first })
        let removals = delta.upserts.count..<delta.upserts.count + delta.removals.count
        // A removed item's texts are needed only if the delta adds it again or replaces its texts.
        let read = items.indices.filter {
            items[$0] != nil
                && ($0 < removals.lowerBound || items[$0]?.isLive == true
                    || delta.isShared && $0 >= removals.upperBound)
        }
        let sealed = try read.isEmpty ? [] : texts(read.compactMap { items[$0] })
        var next = 0
        for (index, item) in zip(items.indices, items) {
            var texts: [UInt8] = []
            if next < read.count, read[next] == index {
                texts = sealed[next] ?? []
                next += 1
            }
            if index < removals.lowerBound {
                try put(delta.upserts[index], over: item, texts, delta)
                if let item, delta.losing.contains(item.key) {
                    let before = lostBefore[item.key].map { ($0, sizes[$0.key] ?? 0) }
                    try keepLostAliases(of: item, texts, before: before, delta.upserts[index], delta)
                }
            } else if index < removals.upperBound {
                if let item, item.isLive { try remove(item, .removed, texts, delta) }
            } else {
                try redirect(delta.redirects[index - removals.upperBound], from: item, texts, delta, chain)
            }
        }
    }

    private mutating func put(
        _ upsert: PreparedDelta.Upsert, over stored: StoredItem?, _ texts: [UInt8], _ delta: PreparedDelta
    ) throws(StoreError) {
        var item = StoredItem(
            ordinal: stored?.ordinal ?? 0, key: upsert.key, aliases: upsert.aliases, position: upsert.position,
            changedAt: delta.time, presence: .live)
        var isSame = false
        (item.since, item.isReuse) = upsert.identity(over: stored, in: delta)
        if let stored, stored.isLive {
            let digest = try delta.digest(stored, texts)
            if digest == upsert.digest { return }
            state.digest.toggle(digest)
            state.count -= 1
            // With other aliases, it may be another item. A new position alone doesn't make it another item, so
            // `changedAt` stays the same.
            isSame = stored.hasAliases(upsert.aliases)
            if isSame { item.changedAt = stored.changedAt }
        } else if stored != nil {
            removedCount -= 1
        }
        state.digest.toggle(upsert.digest)
        state.count += 1
        textBytes += upsert.texts.count - texts.count
        items.append(
            ItemChange(
                before: stored, item: item, texts: stored != nil && texts == upsert.texts ? nil : upsert.texts,
                changesAliases: !isSame))
    }

    /// Stores the aliases that an item loses, instead of those that it lost earlier
    /// (docs/identity-algorithm.md#lost-aliases).
    private mutating func keepLostAliases(
        of stored: StoredItem, _ texts: [UInt8], before: (item: StoredItem, size: Int)?, _ upsert: PreparedDelta.Upsert,
        _ delta: PreparedDelta
    ) throws(StoreError) {
        let lost = try delta.lostAliases(texts, upsert.aliases)
        guard !lost.keys.isEmpty else { return }
        let item = StoredItem(
            ordinal: before?.item.ordinal ?? 0, key: stored.key.ofLostAliases, aliases: lost.keys, position: nil,
            changedAt: delta.time, presence: .replaced(by: stored.key, at: delta.time))
        if before == nil { removedCount += 1 }
        textBytes += lost.texts.count - (before?.size ?? 0)
        items.append(ItemChange(before: before?.item, item: item, texts: lost.texts, changesAliases: true))
    }

    private mutating func remove(
        _ stored: StoredItem, _ presence: StoredItem.Presence, _ texts: [UInt8], _ delta: PreparedDelta
    ) throws(StoreError) {
        if stored.isLive {
            state.digest.toggle(try delta.digest(stored, texts))
            state.count -= 1
            removedCount += 1
        }
        var item = stored
        item.presence = presence
        items.append(ItemChange(before: stored, item: item, changesAliases: stored.isLive))
    }

    private mutating func redirect(
        _ redirect: PreparedDelta.Redirect, from stored: StoredItem?, _ texts: [UInt8], _ delta: PreparedDelta,
        _ chain: RedirectChain
    ) throws(StoreError) {
        let presence = StoredItem.Presence.replaced(by: redirect.to, at: delta.time)
        if let stored {
            guard chain.changes(stored, by: redirect) else { return }
            try remove(stored, presence, texts, delta)
            if delta.isShared {
                items[items.count - 1].texts = redirect.texts
                textBytes += redirect.texts.count - texts.count
            }
            return
        }
        // The store doesn't know the item, so there is no digest and no alias to remove.
        removedCount += 1
        textBytes += redirect.texts.count
        let item = StoredItem(
            ordinal: 0, key: redirect.from, aliases: [], position: nil, changedAt: delta.time, presence: presence)
        items.append(ItemChange(item: item, texts: redirect.texts, changesAliases: false))
    }
}

extension PreparedDelta.Upsert {
    /// Returns since when the identifier names the item, and whether it named another item before.
    ///
    /// - Parameter stored: the item that has the identifier before the upsert.
    func identity(over stored: StoredItem?, in delta: PreparedDelta) -> (since: Timestamp, isReuse: Bool) {
        guard let stored else { return (delta.time, false) }
        return delta.reused.contains(key) ? (delta.time, true) : (stored.since, stored.isReuse)
    }
}

extension PreparedDelta {
    /// Finds out which upserts change an item, and which give its identifier to another one
    /// (docs/identity-algorithm.md#reuse-of-identifiers).
    ///
    /// - Parameters:
    ///   - items: the stored items that the delta names, in the order of `keys`.
    ///   - liveCounts: returns for each alias how many live items have it, at most 2.
    mutating func compare(
        with items: [StoredItem?], _ liveCounts: ([LookupKey]) throws(StoreError) -> [Int]
    ) throws(StoreError) {
        guard !isShared else { return }
        /// The aliases that may prove that an upsert's item is the stored one.
        var proofs: [(item: StoredItem, alias: LookupKey)] = []
        for (upsert, stored) in zip(upserts, items) {
            guard let stored, !stored.isLive || !stored.aliases.allSatisfy(upsert.aliases.contains) else { continue }
            if !stored.isLive || !stored.onlyGetsOrLoses(upsert.aliases) { reused.insert(stored.key) }
            proofs += stored.aliases.filter(upsert.aliases.contains).map { (stored, $0) }
        }
        guard !proofs.isEmpty else { return }
        var counts: [LookupKey: Int] = [:]
        for upsert in upserts {
            for alias in upsert.aliases.distinct { counts[alias, default: 0] += 1 }
        }
        proofs.removeAll { counts[$0.alias, default: 0] > 1 }
        for batch in proofs.batches() {
            for (proof, count) in zip(batch, try liveCounts(batch.map(\.alias)))
            where count <= (proof.item.isLive ? 1 : 0) {
                reused.remove(proof.item.key)
                if proof.item.isLive { losing.insert(proof.item.key) }
            }
        }
    }
}

extension StoredItem {
    /// Whether the item has all of the aliases, or no others.
    func onlyGetsOrLoses(_ others: [LookupKey]) -> Bool {
        aliases.allSatisfy(others.contains) || others.allSatisfy(aliases.contains)
    }
}

extension DeltaFacts {
    /// Returns whether a delta adds an item that isn't live, removes a live one, or gives an item another replacement.
    fileprivate func changesPresence(by delta: PreparedDelta, _ chain: RedirectChain) -> Bool {
        let removals = delta.upserts.count..<delta.upserts.count + delta.removals.count
        for (index, item) in items.enumerated() {
            let isLive = item?.isLive == true
            if index < removals.lowerBound {
                if !isLive { return true }
            } else if index < removals.upperBound {
                if isLive { return true }
            } else {
                guard let item, !chain.changes(item, by: delta.redirects[index - removals.upperBound]) else {
                    return true
                }
            }
        }
        return false
    }
}
