import PlacekeeperCore

/// Follows each redirect of a delta to the end of its chain. A chain can contain redirects of the delta and stored
/// redirects. A redirect that several chains share is followed once for all of them, so that the work is proportional
/// to the size of the delta and to the number of stored redirects that are looked up.
struct RedirectChain {
    private let redirects: [PreparedDelta.Redirect]
    private let isShared: Bool
    /// The known states of items after the delta is applied. An item that is not registered has the state `removed`.
    private var presences: [LookupKey: StoredItem.Presence] = [:]
    /// The times since which reused identifiers name their items, after the delta.
    private var reuses: [LookupKey: Timestamp] = [:]
    /// The items that were looked up in the store.
    private var stored: Set<LookupKey> = []
    /// The number of redirects from each followed key to the live item at the end of its chain.
    private var lengths: [LookupKey: Int] = [:]
    /// The followed keys whose chains have no known end yet.
    private var openKeys: Set<LookupKey> = []
    /// The number of stored redirects that were followed.
    private var storedRedirectCount = 0
    /// The next items to look up. Each chain without a known end leads to one of these items.
    private var ends: [LookupKey] = []

    /// - Parameter items: the stored items that the delta names, in the order of `PreparedDelta.keys`.
    init(_ delta: PreparedDelta, _ items: [StoredItem?]) {
        redirects = delta.redirects
        isShared = delta.isShared
        guard !redirects.isEmpty else { return }
        for (index, item) in items.enumerated() {
            if index < delta.upserts.count {
                let upsert = delta.upserts[index]
                let (since, isReuse) = upsert.identity(over: item, in: delta)
                if isReuse { reuses[upsert.key] = since }
            } else if let item, item.isReuse {
                reuses[item.key] = item.since
            }
        }
        for upsert in delta.upserts { presences[upsert.key] = .live }
        for key in delta.removals { presences[key] = .removed }
        for redirect in redirects { presences[redirect.from] = .replaced(by: redirect.to, at: delta.time) }
    }

    /// Finds the first redirect of a delta that has a fault, by following the redirects in order.
    ///
    /// - Parameter lookUp: returns stored items that the delta does not change. This closure is called at most once for
    ///   each step of the chains, with the next items of all chains.
    /// - Returns: the error of the first redirect whose chain does not end in a live item within the limits. Nil if
    ///   there is no such redirect.
    mutating func fault<Failure: Error>(
        lookUp: ([LookupKey]) throws(Failure) -> [StoredItem?]
    ) throws(Failure) -> DeltaResult? {
        guard !redirects.isEmpty else { return nil }
        var calls = 0
        while true {
            let fault = follow()
            // While the end of a chain is unknown, a redirect before the one with this fault may have a fault, too. So
            // the items in `ends` are looked up first.
            guard !ends.isEmpty else { return fault }
            // If `follow` finds a fault, the lookups for all later chains are saved, but each run of `follow` starts
            // at the first chain. So `follow` runs again only after a number of lookups in proportion to its work. The
            // cost of all its runs is then proportional to the number of keys.
            let budget = (lengths.count + openKeys.count) / 4
            var lookups = 0
            // Each call makes all chains without a known end longer. After `Limits.redirects` calls, `follow` finds
            // that each such chain is too long.
            repeat {
                lookups += ends.count
                calls += 1
                extend(by: try lookUp(ends))
            } while lookups < budget && calls < Limits.redirects && !ends.isEmpty
        }
    }

    /// Returns whether a redirect of the delta changes the stored item. A redirect that has ended begins anew.
    func changes(_ stored: StoredItem, by redirect: PreparedDelta.Redirect) -> Bool {
        guard case .replaced(redirect.to, let time) = stored.presence else { return true }
        return hasEnded(redirect.to, since: time)
    }

    /// Returns whether a stored redirect to `key`, which was made at `time`, has ended: the identifier was given to another
    /// item since.
    private func hasEnded(_ key: LookupKey, since time: Timestamp) -> Bool { reuses[key].map { $0 > time } ?? false }

    /// Stores the states that were found for the items in `ends`. Then follows each chain to its next item without a
    /// known state, and makes these items the new `ends`.
    private mutating func extend(by found: [StoredItem?]) {
        let previous = ends
        ends = []
        for (key, item) in zip(previous, found) {
            presences[key] = item?.presence ?? .removed
            if let item, item.isReuse { reuses[key] = item.since }
            stored.insert(key)
        }
        for var key in previous {
            // A chain that reaches a key that was followed before has the same end as this key.
            while case .replaced(let next, _) = presences[key], lengths[next] == nil, openKeys.insert(next).inserted {
                if presences[next] == nil { ends.append(next) }
                key = next
            }
        }
    }

    /// Follows the chain of each redirect, in order, as far as the states of its items are known. Stops at the first
    /// fault.
    private mutating func follow() -> DeltaResult? {
        lengths.removeAll(keepingCapacity: true)
        openKeys.removeAll(keepingCapacity: true)
        ends = []
        storedRedirectCount = 0
        for index in redirects.indices {
            if let fault = follow(redirects[index].from, index) { return fault }
        }
        return nil
    }

    private mutating func follow(_ start: LookupKey, _ index: Int) -> DeltaResult? {
        var path: [LookupKey] = []
        var key = start
        while lengths[key] == nil, !openKeys.contains(key) {
            switch presences[key] {
            case .live: lengths[key] = 0
            case .removed where isShared: lengths[key] = 0
            case .removed: return .redirectTargetUnknown(index)
            case .replaced(let next, let time):
                if hasEnded(next, since: time) { return .redirectTargetUnknown(index) }
                if stored.contains(key) { storedRedirectCount += 1 }
                path.append(key)
                key = next
            case nil:
                ends.append(key)
                openKeys.insert(key)
            }
            guard path.count <= Limits.redirects else { return .redirectLoops(index) }
            guard storedRedirectCount <= Limits.deltaItems else { return .redirectsLeadTooFar(index) }
        }
        guard let length = lengths[key] else {
            openKeys.formUnion(path)
            return nil
        }
        if length + path.count > Limits.redirects { return .redirectLoops(index) }
        for (offset, key) in path.reversed().enumerated() { lengths[key] = length + offset + 1 }
        return nil
    }
}
