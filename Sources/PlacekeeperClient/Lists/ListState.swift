import PlacekeeperRuntime

/// The registration of a list in this process.
struct ListState {
    /// The client's knowledge of the service's items.
    enum Phase {
        /// Nothing yet: the client compares the digests first.
        case unchecked
        /// The digests differ, so the client reads the service's items. `read` are the items so far.
        case reading(read: [Wire.Item], next: String?, Wire.RegistrationState)
        /// The service has `told`.
        case checked
        /// The service does not register the items of the list, or refuses them with an error. The client asks again at
        /// the next launch of the process.
        case off(PlacekeeperError?)
    }

    /// The items that the app has now, in the list's order. Nil if the app has not told them in this process.
    private(set) var wanted: [Wire.Item]?
    private var wantedNames: Set<String> = []
    /// The items that were replaced by other items, and that the service does not know yet.
    var redirects: [Wire.Redirect] = []
    /// The items that the service has.
    var told = RegisteredItems()
    var phase = Phase.unchecked
    /// Whether the file of the list has `told`.
    var isKept = false
    /// The declaration of the list, if no device and no operator declared the list before.
    var declaration = Wire.DataSourceDeclaration()
    /// The uptime at which the changes are sent. Nil if there are none.
    var dueAt: Double?
    var isSending = false
    /// The number of times that the digests differed in this process.
    var differences = 0

    /// The maximum number of items of a list.
    static let maximumItemCount = 100_000
    /// The size of a delta. The service accepts deltas of twice this size.
    private static let deltaItems = 5000
    private static let deltaAliases = 30_000
    private static let deltaBytes = 2 << 20

    init() {}

    /// Whether the app already wants these items.
    func wants(_ items: [Wire.Item]) -> Bool {
        guard let wanted, wanted.count == items.count else { return false }
        return zip(wanted, items).allSatisfy { $0.hasSameBytes(as: $1) }
    }

    mutating func want(_ items: [Wire.Item]?) {
        wanted = items
        wantedNames = Set((items ?? []).map(\.identifier))
        // A replaced item that is in the list again is not replaced.
        redirects.removeAll { wantedNames.contains($0.from) || !wantedNames.contains($0.to) }
    }

    /// Returns the next delta. Nil if the service has the items of the app.
    func delta() -> Wire.ItemDelta? {
        guard let wanted else { return nil }
        var (count, aliases, bytes) = (0, 0, 0)
        /// Counts a change. The service counts the aliases of the replaced item too.
        func fits(_ item: Wire.Item?, replacing old: Wire.Item?) -> Bool {
            count += 1
            aliases += (item?.aliases?.count ?? 0) + (old?.aliases?.count ?? 0)
            bytes += (item ?? old)?.textSize ?? 0
            return count <= Self.deltaItems && aliases <= Self.deltaAliases && bytes <= Self.deltaBytes
        }
        var delta = Wire.ItemDelta(upserts: nil, removals: nil, redirects: nil, after: told.cursor)
        var (upserts, removals): ([Wire.Item], [String]) = ([], [])
        for item in wanted {
            let old = told.items[item.identifier]
            if let old, old.hasSameBytes(as: item) { continue }
            guard fits(item, replacing: old) else { return delta.with(upserts, removals) }
            upserts.append(item)
        }
        let replaced = Set(redirects.map(\.from))
        for (identifier, old) in told.items where !wantedNames.contains(identifier) && !replaced.contains(identifier) {
            guard fits(nil, replacing: old) else { return delta.with(upserts, removals) }
            removals.append(identifier)
        }
        if !redirects.isEmpty { delta.redirects = Array(redirects.prefix(1000)) }
        guard count > 0 || delta.redirects != nil else { return nil }
        return delta.with(upserts, removals)
    }

    /// Forgets the service's items, because the device has another user or another registration.
    mutating func forgetTold() {
        told = RegisteredItems()
        phase = .unchecked
        isSending = false
        differences = 0
        dueAt = wanted == nil ? nil : 0
    }
}

extension Wire.ItemDelta {
    fileprivate func with(_ upserts: [Wire.Item], _ removals: [String]) -> Wire.ItemDelta {
        var delta = self
        delta.upserts = upserts.isEmpty ? nil : upserts
        delta.removals = removals.isEmpty ? nil : removals
        return delta
    }
}
