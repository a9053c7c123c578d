/// Follows a delta's redirects to their ends, on top of the stored redirects. A redirect that several chains share is
/// followed once, so that the work is proportional to the delta's size.
struct RedirectChain {
    private let redirects: [PreparedDelta.Redirect]
    /// The known states of items after the delta is applied. An item that is not registered counts as removed.
    private var presences: [LookupKey: StoredItem.Presence] = [:]
    /// The items that were looked up in the store.
    private var stored: Set<LookupKey> = []
    /// The number of redirects from each followed key to a live item. Nil if the end is still to be looked up.
    private var lengths: [LookupKey: Int?] = [:]
    /// The number of stored redirects that were followed.
    private var storedRedirectCount = 0
    /// The keys at which chains end that are still to be looked up.
    private var ends: [LookupKey] = []

    private init(_ delta: PreparedDelta) {
        redirects = delta.redirects
        for upsert in delta.upserts { presences[upsert.key] = .live }
        for key in delta.removals { presences[key] = .removed }
        for redirect in redirects { presences[redirect.from] = .replaced(by: redirect.to) }
    }

    /// Follows each redirect of a delta.
    ///
    /// - Parameter lookUp: returns the stored states of items that the delta does not change. It is called at most
    ///   once for each step of the chains, with the next items of all chains.
    /// - Returns: the error of the first redirect that does not end in a live item.
    static func fault<Failure: Error>(
        in delta: PreparedDelta, lookUp: ([LookupKey]) throws(Failure) -> [StoredItem.Presence?]
    ) throws(Failure) -> DeltaResult? {
        guard !delta.redirects.isEmpty else { return nil }
        var chain = RedirectChain(delta)
        while true {
            let fault = chain.follow()
            // A chain before the fault may have another fault.
            guard !chain.ends.isEmpty else { return fault }
            for (key, presence) in zip(chain.ends, try lookUp(chain.ends)) {
                chain.presences[key] = presence ?? .removed
                chain.stored.insert(key)
            }
        }
    }

    /// Follows the redirects up to the first fault as far as the states of their items are known.
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
