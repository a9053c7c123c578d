package import PlacekeeperCore

/// The facts about a device's registration that decide a delta. A store reads them and carries out the decision in one
/// transaction.
package struct DeltaFacts: Sendable {
    /// Whether the device that sent the delta still belongs to the list's user.
    package var isActorKnown = true
    /// The registration's state, or the initial state if the device has no registration of the list.
    package var state = RegistrationState()
    /// How many removed and replaced items the store still keeps.
    package var removedCount = 0
    /// The items that the delta names, in the order of `PreparedDelta.keys`. Nil for an unknown item.
    package var items: [StoredItem?] = []
    package var quotas = QuotaFacts()

    package init() {}
}

/// The decision about a delta: a result without a write, or the changes to write.
package enum DeltaDecision: Sendable, Hashable {
    case answer(DeltaResult)
    case write(DeltaChanges)

    /// Makes the checks of `DeltaResult` and computes the changes. The same input always leads to the same decision.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of live items after the delta.
    ///   - items: returns stored items that the delta doesn't name, nil for unknown ones. Called to follow redirects, at
    ///     most once per step of their chains, and for items that lose aliases, at most `Limits.batch` at a time.
    ///   - liveCounts: returns for each alias how many live items of the registration have it, at most 2. Called only
    ///     for aliases that an item keeps while others change, for at most `Limits.batch` aliases at a time.
    ///   - texts: returns the sealed texts of the given items, nil for an item without stored texts. Called only if no
    ///     earlier check refuses the delta, and for at most `Limits.batch` items at a time, because the texts of all
    ///     items may take a lot of memory.
    package init(
        _ delta: PreparedDelta, in facts: DeltaFacts, limit: Int,
        items: ([LookupKey]) throws(StoreError) -> [StoredItem?],
        liveCounts: ([LookupKey]) throws(StoreError) -> [Int],
        texts: ([StoredItem]) throws(StoreError) -> [[UInt8]?]
    ) throws(StoreError) {
        let before = facts.state
        guard facts.isActorKnown else {
            self = .answer(.actorGone)
            return
        }
        var delta = delta
        try delta.compare(with: facts.items, liveCounts)
        var chain = RedirectChain(delta, facts.items)
        if let after = delta.after, after != before.cursor {
            // Follow the chains to find the redirects that have ended. An invalid redirect doesn't matter here.
            _ = try chain.fault(lookUp: items)
            // Repeating the delta that led to the current state is not an error. An empty delta never leads to a new
            // state, so it can't be a repetition; it only checks the cursor.
            let isNeeded = try DeltaChanges.isNeeded(for: delta, in: facts, chain, texts)
            self = .answer(isNeeded || facts.items.isEmpty ? .stale(before) : .applied(before))
        } else if let fault = try chain.fault(lookUp: items) {
            self = .answer(fault)
        } else if before.count + facts.rise(by: delta) > limit {
            self = .answer(.tooMany(before))
        } else {
            let lostBefore = try delta.lostBefore(items)
            guard facts.takenAliasCount(by: delta, lostBefore) <= Limits.deltaAliases else {
                self = .answer(.takesTooManyAliases)
                return
            }
            let changes = try DeltaChanges(of: delta, in: facts, chain, limit: limit, lostBefore, texts)
            if changes.items.isEmpty {
                self = .answer(.applied(before))
            } else if let excess = delta.quotas.excess(adding: Usage(bytes: changes.textBytes), to: facts.quotas) {
                self = .answer(.quotaExceeded(excess))
            } else {
                self = .write(changes)
            }
        }
    }
}

extension PreparedDelta {
    /// Returns the aliases that the items of `losing` have lost before, by the items' keys.
    fileprivate func lostBefore(
        _ items: ([LookupKey]) throws(StoreError) -> [StoredItem?]
    ) throws(StoreError) -> [LookupKey: StoredItem] {
        var found: [LookupKey: StoredItem] = [:]
        for batch in Array(losing).batches() {
            for (key, item) in zip(batch, try items(batch.map(\.ofLostAliases))) { found[key] = item }
        }
        return found
    }
}

extension DeltaFacts {
    /// Returns by how many live items the registration grows.
    fileprivate func rise(by delta: PreparedDelta) -> Int {
        delta.upserts.count - items.count { $0?.isLive == true }
    }

    /// Returns how many aliases the delta takes from stored items: from live items that it removes, redirects or gives
    /// other aliases, from removed items that it adds again, and those that its items have lost before. This number is
    /// limited, because a store deletes each of these aliases separately.
    fileprivate func takenAliasCount(by delta: PreparedDelta, _ lostBefore: [LookupKey: StoredItem]) -> Int {
        var count = lostBefore.values.reduce(0) { $0 + $1.aliases.count }
        for (index, item) in items.enumerated() {
            guard let item else { continue }
            let isTaken =
                index < delta.upserts.count
                ? !(item.isLive && item.hasAliases(delta.upserts[index].aliases)) : item.isLive
            if isTaken { count += item.aliases.count }
        }
        return count
    }
}
