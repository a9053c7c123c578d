/// Follows each redirect of a delta to the end of its chain. A chain can contain redirects of the delta and stored
/// redirects. A redirect that several chains share is followed once, so that the work is proportional to the delta's
/// size.
struct RedirectChain {
    private let redirects: [PreparedDelta.Redirect]
    /// The known states of items after the delta is applied. An item that is not registered has the state `removed`.
    private var presences: [LookupKey: StoredItem.Presence] = [:]
    /// The items that were looked up in the store.
    private var stored: Set<LookupKey> = []
    /// The number of redirects from each followed key to a live item. Nil if the end of the chain has not been looked
    /// up yet.
    private var lengths: [LookupKey: Int?] = [:]
    /// The number of stored redirects that were followed.
    private var storedRedirectCount = 0
    /// The keys that the chains have reached, and that must be looked up next.
    private var ends: [LookupKey] = []

    private init(_ delta: PreparedDelta) {
        redirects = delta.redirects
        for upsert in delta.upserts { presences[upsert.key] = .live }
        for key in delta.removals { presences[key] = .removed }
        for redirect in redirects { presences[redirect.from] = .replaced(by: redirect.to) }
    }

    /// Follows each redirect of a delta.
    ///
    /// - Parameter lookUp: returns the stored states of items that the delta does not change. This closure is called at
    ///   most once for each step of the chains, with the next items of all chains.
    /// - Returns: the error of the first redirect whose chain does not end in a live item within the limits. Nil if
    ///   there is no such redirect.
    static func fault<Failure: Error>(
        in delta: PreparedDelta, lookUp: ([LookupKey]) throws(Failure) -> [StoredItem.Presence?]
    ) throws(Failure) -> DeltaResult? {
        guard !delta.redirects.isEmpty else { return nil }
        var chain = RedirectChain(delta)
        while true {
            let fault = chain.follow()
            // While an end is unknown, a redirect before this fault may have a fault, too. So the ends are looked up
            // first.
            guard !chain.ends.isEmpty else { return fault }
            for (key, presence) in zip(chain.ends, try lookUp(chain.ends)) {
                chain.presences[key] = presence ?? .removed
                chain.stored.insert(key)
            }
        }
    }

    /// Follows the redirects in order, as far as the states of their items are known. Returns the first fault.
    private mutating func follow() -> DeltaResult? {
        lengths.removeAll(keepingCapacity: true)
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
        while lengths[key] == nil {
            switch presences[key] {
            case .live: lengths[key] = 0
            case .removed: return .redirectTargetUnknown(index)
            case .replaced(let next):
                if stored.contains(key) { storedRedirectCount += 1 }
                path.append(key)
                key = next
            case nil:
                ends.append(key)
                lengths[key] = .some(nil)
            }
            guard path.count <= Limits.redirects else { return .redirectLoops(index) }
            guard storedRedirectCount <= Limits.deltaItems else { return .redirectsLeadTooFar(index) }
        }
        let end: Int? = lengths[key] ?? nil
        if let end, end + path.count > Limits.redirects { return .redirectLoops(index) }
        for (offset, key) in path.reversed().enumerated() { lengths[key] = .some(end.map { $0 + offset + 1 }) }
        return nil
    }
}
