/// Follows a delta's redirects to their ends, on top of the stored redirects. A redirect that several chains share is
/// looked up once, so that the work is proportional to the delta's size.
package struct RedirectChain {
    private let delta: PreparedDelta
    /// The targets of the delta's redirects.
    private var targets: [LookupKey: LookupKey] = [:]
    private let added: Set<LookupKey>
    private let removed: Set<LookupKey>
    /// The number of redirects from a key to a live item.
    private var lengths: [LookupKey: Int] = [:]
    /// The number of stored redirects that were followed.
    private var storedRedirectCount = 0

    private init(_ delta: PreparedDelta) {
        self.delta = delta
        for redirect in delta.redirects { targets[redirect.from] = redirect.to }
        added = Set(delta.upserts.lazy.map(\.key))
        removed = Set(delta.removals)
    }

    /// Follows each redirect of a delta. `presence` returns the stored state of an item that the delta does not
    /// change.
    /// - Returns: the error of the first redirect that does not end in a live item.
    package static func fault<Failure: Error>(
        in delta: PreparedDelta, presence: (LookupKey) throws(Failure) -> StoredItem.Presence?
    ) throws(Failure) -> DeltaResult? {
        guard !delta.redirects.isEmpty else { return nil }
        var chain = RedirectChain(delta)
        for index in delta.redirects.indices {
            if let fault = try chain.fault(at: index, presence) { return fault }
        }
        return nil
    }

    private mutating func fault<Failure: Error>(
        at index: Int, _ presence: (LookupKey) throws(Failure) -> StoredItem.Presence?
    ) throws(Failure) -> DeltaResult? {
        var path: [LookupKey] = []
        var key = delta.redirects[index].from
        while lengths[key] == nil {
            switch try self.presence(of: key, presence) {
            case .live: lengths[key] = 0
            case .removed?, nil: return .redirectTargetUnknown(index)
            case .replaced(let next)?:
                path.append(key)
                key = next
            }
            guard path.count <= Limits.redirects else { return .redirectLoops(index) }
            guard storedRedirectCount <= Limits.deltaItems else { return .redirectsLeadTooFar(index) }
        }
        guard let end = lengths[key], end + path.count <= Limits.redirects else { return .redirectLoops(index) }
        for (offset, key) in path.reversed().enumerated() { lengths[key] = end + offset + 1 }
        return nil
    }

    /// Returns the item's state after the delta is applied.
    private mutating func presence<Failure: Error>(
        of key: LookupKey, _ stored: (LookupKey) throws(Failure) -> StoredItem.Presence?
    ) throws(Failure) -> StoredItem.Presence? {
        if let next = targets[key] { return .replaced(by: next) }
        if added.contains(key) { return .live }
        if removed.contains(key) { return .removed }
        let presence = try stored(key)
        if case .replaced? = presence { storedRedirectCount += 1 }
        return presence
    }
}
