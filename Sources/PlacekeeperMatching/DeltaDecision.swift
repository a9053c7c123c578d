package import PlacekeeperCore

/// The facts about a device's registration on which the decision about a delta depends. In one transaction, a store
/// reads these facts and carries out the decision.
package struct DeltaFacts: Sendable {
    /// Whether the device that sends the delta is still a device of the list's user.
    package var isActorKnown = true
    /// The registration's state. The initial state if the device has no registration of the list.
    package var state = RegistrationState()
    /// The number of removed and replaced items that the store still keeps.
    package var removedCount = 0
    /// The registration's items that the delta names, in the order of `PreparedDelta.keys`. Nil for an unknown item.
    package var items: [StoredItem?] = []
    package var quotas = QuotaFacts()

    package init() {}
}

/// The decision about a delta: an answer without a write, or the changes to write.
package enum DeltaDecision: Sendable, Hashable {
    case answer(DeltaResult)
    case write(DeltaChanges)

    /// Makes the checks that `DeltaResult` describes, and computes the changes. The same input gives the same
    /// decision.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of live items after the delta.
    ///   - items: returns stored items that the delta does not name, nil for an unknown item. This closure is called
    ///     only to follow redirects, at most once for each step of the redirects' chains.
    ///   - texts: returns the sealed texts of the given items, nil for an item without stored texts. This closure is
    ///     called only if no earlier check refuses the delta. It gets at most `Limits.batch` items at a time, because
    ///     the texts of all items together may take much memory.
    package init(
        _ delta: PreparedDelta, in facts: DeltaFacts, limit: Int,
        items: ([LookupKey]) throws(StoreError) -> [StoredItem?],
        texts: ([StoredItem]) throws(StoreError) -> [[UInt8]?]
    ) throws(StoreError) {
        let before = facts.state
        var chain = RedirectChain(delta, facts.items)
        if !facts.isActorKnown {
            self = .answer(.actorGone)
        } else if let after = delta.after, after != before.cursor {
            // Following the chains finds the redirects that have ended. A fault does not matter here.
            _ = try chain.fault(lookUp: items)
            // A repetition of the delta that led to the current state is not an error. An empty delta never leads to a
            // new state, so it cannot be such a repetition: it only checks the cursor.
            let isNeeded = try DeltaChanges.isNeeded(for: delta, in: facts, chain, texts)
            self = .answer(isNeeded || facts.items.isEmpty ? .stale(before) : .applied(before))
        } else if let fault = try chain.fault(lookUp: items) {
            self = .answer(fault)
        } else if before.count + facts.rise(by: delta) > limit {
            self = .answer(.tooMany(before))
        } else if facts.takenAliasCount(by: delta) > Limits.deltaAliases {
            self = .answer(.takesTooManyAliases)
        } else {
            let changes = try DeltaChanges(of: delta, in: facts, chain, limit: limit, texts)
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

extension DeltaFacts {
    /// Returns by how much the delta increases the number of live items.
    fileprivate func rise(by delta: PreparedDelta) -> Int {
        delta.upserts.count - items.count { $0?.isLive == true }
    }

    /// Returns the number of aliases that the delta takes from stored items: the aliases of live items that it removes
    /// or redirects, of live items whose aliases it changes, and of removed items that it adds again. The number of
    /// these aliases is limited, because a store deletes each of them separately.
    fileprivate func takenAliasCount(by delta: PreparedDelta) -> Int {
        var count = 0
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
