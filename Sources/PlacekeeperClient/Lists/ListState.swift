import PlacekeeperArchive
import PlacekeeperModels

/// The state of a list's registration in this process.
struct ListState {
    /// How much the client knows about the service's items.
    enum Phase {
        /// Nothing yet. The client compares the digests first.
        case unchecked
        /// The digests differ, so the client reads the service's items. `read` contains the items so far.
        case reading(read: [Wire.Item], next: String?, Wire.RegistrationState)
        /// The service has the items in `told`.
        case checked
        /// The service does not register the items of the list, or rejects them with an error. The client asks again at
        /// the next launch of the process.
        case off(PlacekeeperError?)
    }

    /// The app's items, in the list's order. `nil` until the app updates the list in this process.
    private(set) var wanted: [Wire.Item]?
    private var wantedNames: Set<ByteText> = []
    /// Replacements of items that were not sent to the service yet.
    var redirects: [Wire.Redirect] = []
    /// The items that are registered with the service.
    var told = RegisteredItems()
    var phase = Phase.unchecked
    /// Whether `told` is stored in the list's file.
    var isKept = false
    /// The declaration to send if no device and no operator has declared the list yet.
    var declaration = Wire.DataSourceDeclaration()
    /// The uptime at which to send the changes. `nil` if there are none.
    var dueAt: Double?
    var isSending = false
    /// How often the digests differed in this process.
    var differences = 0

    /// The maximum number of items of a list.
    static let maximumItemCount = 100_000
    /// The limits of an `ItemDelta`. The service accepts at least twice as much.
    private static let deltaItems = 5000
    private static let deltaAliases = 30_000
    private static let deltaBytes = 2 << 20

    init() {}

    /// Whether these are already the app's items.
    func wants(_ items: [Wire.Item]) -> Bool {
        guard let wanted, wanted.count == items.count else { return false }
        return zip(wanted, items).allSatisfy { $0.hasSameBytes(as: $1) }
    }

    mutating func want(_ items: [Wire.Item]?) {
        wanted = items
        wantedNames = Set((items ?? []).map { ByteText($0.identifier) })
        // An item that is in the list again is no longer replaced.
        redirects.removeAll { wantedNames.contains(ByteText($0.from)) || !wantedNames.contains(ByteText($0.to)) }
    }

    /// Returns the next delta, or `nil` if the service is up to date.
    func delta() -> Wire.ItemDelta? {
        guard let wanted else { return nil }
        var (count, aliases, bytes) = (0, 0, 0)
        /// Counts a change, and returns whether it fits. The service also counts the aliases of the replaced item.
        func fits(_ item: Wire.Item?, replacing old: Wire.Item?) -> Bool {
            count += 1
            aliases += (item?.aliases?.count ?? 0) + (old?.aliases?.count ?? 0)
            bytes += (item ?? old)?.textSize ?? 0
            return count <= Self.deltaItems && aliases <= Self.deltaAliases && bytes <= Self.deltaBytes
        }
        var delta = Wire.ItemDelta(upserts: nil, removals: nil, redirects: nil, after: told.cursor)
        var (upserts, removals): ([Wire.Item], [String]) = ([], [])
        for item in wanted {
            let old = told.items[ByteText(item.identifier)]
            if let old, old.hasSameBytes(as: item) { continue }
            guard fits(item, replacing: old) else { return delta.with(upserts, removals) }
            upserts.append(item)
        }
        let replaced = Set(redirects.map { ByteText($0.from) })
        for (identifier, old) in told.items where !wantedNames.contains(identifier) && !replaced.contains(identifier) {
            guard fits(nil, replacing: old) else { return delta.with(upserts, removals) }
            removals.append(old.identifier)
        }
        if !redirects.isEmpty { delta.redirects = Array(redirects.prefix(1000)) }
        guard count > 0 || delta.redirects != nil else { return nil }
        return delta.with(upserts, removals)
    }

    /// Forgets which items the service has, because the device has a new user or a new registration.
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
