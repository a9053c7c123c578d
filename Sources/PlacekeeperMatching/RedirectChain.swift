import PlacekeeperCore

/// Follows each redirect of a delta to the end of its chain, which can contain redirects of the delta and stored ones.
/// A redirect in several chains is followed once for all of them, so the work is proportional to the size of the delta
/// plus the number of stored redirects looked up.
struct RedirectChain {
    private let redirects: [PreparedDelta.Redirect]
    private let isShared: Bool
    /// The known states of items after the delta. An item that isn't registered counts as `removed`.
    private var presences: [LookupKey: StoredItem.Presence] = [:]
    /// For each reused identifier, since when it names its current item once the delta is applied.
    private var reuses: [LookupKey: Timestamp] = [:]
    /// The items looked up in the store.
    private var stored: Set<LookupKey> = []
    /// How many redirects lead from each followed key to the live item at the end of its chain.
    private var lengths: [LookupKey: Int] = [:]
    /// The followed keys whose chains don't have a known end yet.
    private var openKeys: Set<LookupKey> = []
    /// How many stored redirects were followed.
    private var storedRedirectCount = 0
    /// The next items to look up. Each chain without a known end leads to one of them.
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

    /// Follows the redirects in order and returns the error of the first one whose chain doesn't end in a live item
    /// within the limits. Nil if there is none.
    ///
    /// - Parameter lookUp: returns stored items that the delta doesn't change. Called at most once per step of the
    ///   chains, with the next items of all chains.
    mutating func fault<Failure: Error>(
        lookUp: ([LookupKey]) throws(Failure) -> [StoredItem?]
    ) throws(Failure) -> DeltaResult? {
        guard !redirects.isEmpty else { return nil }
        var calls = 0
        while true {
            let fault = follow()
            // While a chain's end is unknown, a redirect before the one at fault may be at fault too. So look up `ends`
            // first.
            guard !ends.isEmpty else { return fault }
            // When `follow` finds a fault, no lookups for later chains are needed, but each run starts over at the
            // first chain. So run it again only after a number of lookups in proportion to its work. All runs together
            // then take time in proportion to the number of keys.
            let budget = (lengths.count + openKeys.count) / 4
            var lookups = 0
            // Each call extends every chain without a known end. After `Limits.redirects` calls, `follow` finds each of
            // them too long.
            repeat {
                lookups += ends.count
                calls += 1
                extend(by: try lookUp(ends))
            } while lookups < budget && calls < Limits.redirects && !ends.isEmpty
        }
    }

    /// Returns whether a redirect of the delta changes the stored item. A redirect that has ended starts anew.
    func changes(_ stored: StoredItem, by redirect: PreparedDelta.Redirect) -> Bool {
        guard case .replaced(redirect.to, let time) = stored.presence else { return true }
        return hasEnded(redirect.to, since: time)
    }

    /// Returns whether a redirect to `key` that was stored at `time` has ended: the identifier has since been given to
    /// another item.
    private func hasEnded(_ key: LookupKey, since time: Timestamp) -> Bool { reuses[key].map { $0 > time } ?? false }

    /// Stores the states found for `ends`. Then follows each chain to its next item with an unknown state; these are
    /// the new `ends`.
    private mutating func extend(by found: [StoredItem?]) {
        let previous = ends
        ends = []
        for (key, item) in zip(previous, found) {
            presences[key] = item?.presence ?? .removed
            if let item, item.isReuse { reuses[key] = item.since }
            stored.insert(key)
        }
        for var key in previous {
            // A chain that reaches a key followed before shares that key's end.
            while case .replaced(let next, _) = presences[key], lengths[next] == nil, openKeys.insert(next).inserted {
                if presences[next] == nil { ends.append(next) }
                key = next
            }
        }
    }

    /// Follows each redirect's chain, in order, as far as the states are known. Stops at the first fault.
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
