import PlacekeeperAlignment
package import PlacekeeperCore

/// Tells items apart by alignment: by the items near them in the lists (docs/identity-algorithm.md#alignment). Each
/// search takes `Limits.alignmentLookups` from the work budget, because it also compares the lists.
package struct AlignmentSearch {
    let resolver: IdentityResolver
    /// Aliases that came with two or more items, so they aren't evidence.
    let shared: Set<LookupKey>
    /// The kinds of aliases that the data source declares unique.
    let uniqueKinds: Set<Int>
    var kinds: AliasKinds
    /// The kinds of the ambiguous aliases of all devices, except the unique kinds. Nil until needed.
    var weakKinds: Set<Int>?

    init(_ resolver: IdentityResolver, without shared: Set<LookupKey>, uniqueAliases: [String]) {
        var resolver = resolver
        // Alignment looks up evidence without the budget's reserve, which is kept for the items of the request.
        resolver.evidencePurpose = .search
        self.resolver = resolver
        self.shared = shared
        var kinds = AliasKinds()
        uniqueKinds = Set(uniqueAliases.map { kinds.number(of: $0 + ":") })
        self.kinds = kinds
    }

    /// An item of the source device and its neighbors in the archive, the nearest first.
    struct Place {
        var item: Evidence
        var before: ArraySlice<Evidence> = []
        var after: ArraySlice<Evidence> = []
        /// Whether to take any of several indistinguishable items.
        var takesEither = false
    }

    /// Resolves items of the source device that are in no archive. Their neighbors are taken from the registered
    /// positions.
    package static func resolve(
        _ identifiers: [String], with resolver: IdentityResolver, uniqueAliases: [String]
    ) async throws(StoreError) -> [ItemResolution] {
        let evidence = identifiers.map { Evidence($0) }
        var resolutions = try await resolver.resolve(evidence)
        var alignment = AlignmentSearch(resolver, without: [], uniqueAliases: uniqueAliases)
        for (index, item) in evidence.enumerated() {
            try await alignment.settle(Place(item: item), &resolutions[index])
        }
        return resolutions
    }

    /// Searches by alignment if the item's aliases don't settle the matter, and updates the resolution. An item that
    /// was found by a weak alias needs the support of its neighbors: without evidence about them, it doesn't count.
    mutating func settle(_ place: Place, _ resolution: inout ItemResolution) async throws(StoreError) {
        guard resolver.sourceDevice != resolver.requestingDevice, !resolution.isDecided, !resolution.isRemoved,
            let registry = resolver.registry(of: resolver.requestingDevice), registry.state.count > 0
        else { return }
        let isFound = resolution.step == .alias && !resolution.isAmbiguous
        if isFound {
            guard let count = resolution.sharedAliasCount, count < 2,
                resolver.registries.contains(where: { $0.ambiguousAliasCount > 0 }),
                try await isWeak(resolution, place.item, in: registry)
            else { return }
        }
        guard resolver.budget.take(Limits.alignmentLookups, for: .search) else {
            if isFound, !resolution.isThroughOthers { reject(place, &resolution) }
            if resolution.identifier == nil { resolution.limitedBy = .neighbors }
            return
        }
        let found = try await isFound ? item(named: resolution.identifier, in: registry) : nil
        let (finding, window) = try await finding(place, found: found, in: registry)
        switch finding {
        case .agrees, .otherOrder: break
        case .item(let index): try await take(window[index], .alignment, in: registry, &resolution)
        case .either(let index) where place.takesEither:
            try await take(window[index], .indistinguishable, in: registry, &resolution)
        case .either: reject(place, &resolution)
        // An item that was found through other devices has more evidence than one alias.
        case .unknown: if isFound, !resolution.isThroughOthers { reject(place, &resolution) }
        case .absent: if isFound { reject(place, &resolution) }
        }
    }

    private func take(
        _ item: StoredItem, _ step: ItemResolution.Step, in registry: Registry, _ resolution: inout ItemResolution
    ) async throws(StoreError) {
        // The store may have deleted the item since the search found it.
        guard let identifier = try await resolver.identifiers(of: [item], in: registry)[0] else { return }
        resolution.identifier = identifier
        resolution.step = step
        resolution.isAmbiguous = false
        resolution.isThroughOthers = false
    }

    /// Drops the item that was found by an alias.
    private func reject(_ place: Place, _ resolution: inout ItemResolution) {
        guard resolution.identifier != nil else { return }
        resolution.identifier = nil
        resolution.step = .pending
        resolution.isAmbiguous = false
        resolution.isThroughOthers = false
        // By these aliases alone, the device would find the doubtful item.
        resolution.sharedAliases = place.item.aliases.filter { !resolution.withheldAliases.contains($0) }
    }

    // MARK: - The comparison of the lists

    /// An item near the place on the source device, or the item sought itself.
    private struct Neighbor {
        var subject: IdentityResolver.Subject
        /// The requesting device's only item that shares an alias with `subject`.
        var image: StoredItem?
        var position: Int64? { image?.position }
    }

    /// - Parameter found: the item that was found by a weak alias, if any.
    /// - Returns: What the neighbors show, and the window with the items that it refers to.
    private mutating func finding(
        _ place: Place, found: StoredItem?, in registry: Registry
    ) async throws(StoreError) -> (Neighborhood.Finding, window: [StoredItem]) {
        let (neighbors, row) = try await neighbors(of: place, in: registry)
        let known = neighbors.indices.filter { $0 != row && neighbors[$0].position != nil }
        guard let middle = Neighborhood.middle(of: known.compactMap({ neighbors[$0].position })) else {
            return (.unknown, [])
        }
        let window = try await items(around: middle, in: registry)
        let places = Dictionary(window.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
        let images = known.compactMap { index in
            neighbors[index].image.flatMap { places[$0.key] }.map { ImageChain.Image(row: index, place: $0) }
        }
        let neighborhood = Neighborhood(of: row, images: images, knownCount: known.count)
        if let finding = neighborhood.finding(about: found.flatMap { places[$0.key] }) { return (finding, window) }
        if let found, found.position == nil { return (.unknown, window) }
        let compared = neighborhood.places(among: window.count)
        let rows = try await rows(of: neighbors.map(\.subject))
        let theirs = try await self.rows(of: compared.map { window[$0] }, in: registry)
        let excluded = differentItems(from: neighbors[row].subject)
        let finding = neighborhood.counterpart(in: rows, among: theirs, at: compared) {
            excluded.contains(window[$0].key)
        }
        return (finding, window)
    }

    /// Returns the requesting device's items around a position, in order.
    private func items(around position: Int64, in registry: Registry) async throws(StoreError) -> [StoredItem] {
        let limit = Neighborhood.windowReach
        let before = try await store.items(next: position, behind: false, in: registry, limit: limit)
        return before.reversed() + (try await store.items(next: position, behind: true, in: registry, limit: limit))
    }

    private func item(named identifier: String?, in registry: Registry) async throws(StoreError) -> StoredItem? {
        guard let identifier else { return nil }
        let key = resolver.lookup.key(ofIdentifier: identifier, for: resolver.list.owner)
        return try await store.items([key], in: registry)[0]
    }

    private var store: any ItemReading { resolver.store }

    /// Returns the requesting device's items that an operator declared different from the subject.
    private func differentItems(from subject: IdentityResolver.Subject) -> Set<LookupKey> {
        Set(
            resolver.decisions(about: subject.keys, on: resolver.sourceDevice)
                .filter { $0.link.kind == .different && $0.end.device == resolver.requestingDevice }.map(\.end.key))
    }

    // MARK: - Reading the lists

    /// Returns the items around a place on the source device, in order, and the index of the item sought. The items are
    /// the neighbors that the archive names or, if it names none, those by registered position.
    private func neighbors(
        of place: Place, in registry: Registry
    ) async throws(StoreError) -> ([Neighbor], Int) {
        var evidence = place.before.reversed() + [place.item] + place.after
        var row = place.before.count
        var subjects = try await resolver.subjects(of: evidence, without: shared)
        if place.before.isEmpty, place.after.isEmpty, let own = ItemResolution.ListPosition(subjects[row].item),
            let source = resolver.registry(of: resolver.sourceDevice)
        {
            let sides = try await resolver.sides(of: own, in: source, limit: Neighborhood.reach)
            let before = try await self.evidence(of: sides.before.reversed(), in: source)
            evidence = before + [place.item] + (try await self.evidence(of: sides.after, in: source))
            row = before.count
            subjects = try await resolver.subjects(of: evidence, without: shared)
        }
        let items = try await store.items(withAliases: subjects.flatMap(\.aliases), in: registry)
        var next = 0
        let neighbors = subjects.map { subject in
            defer { next += subject.aliases.count }
            let found = items[next..<next + subject.aliases.count].joined().filter(\.isLive)
            let isOne = found.allSatisfy { $0.key == found.first?.key }
            return Neighbor(subject: subject, image: isOne ? found.first : nil)
        }
        return (neighbors, row)
    }

    private func evidence(of items: [StoredItem], in registry: Registry) async throws(StoreError) -> [Evidence] {
        try await texts(of: items, in: registry).compactMap { $0.map { Evidence($0.identifier, aliases: $0.aliases) } }
    }

    private func texts(of items: [StoredItem], in registry: Registry) async throws(StoreError) -> [ItemTexts?] {
        var texts: [ItemTexts?] = []
        for sealed in try await store.texts(of: items, in: registry) {
            guard let sealed else {
                texts.append(nil)
                continue
            }
            texts.append(try ItemTexts(reading: try resolver.sealing.open(sealed, for: resolver.list.owner)))
        }
        return texts
    }

    /// Returns the rows of the source device's items.
    private mutating func rows(
        of subjects: [IdentityResolver.Subject]
    ) async throws(StoreError) -> [ListAlignment.Row] {
        var rows: [[ListAlignment.Row.Alias]] = subjects.map { subject in
            zip(subject.evidence.aliases, subject.receivedAliases).map { text, key in
                .init(key: key.rawValue, kind: kinds.number(of: text), isAmbiguous: !subject.aliases.contains(key))
            }
        }
        guard let registry = resolver.registry(of: resolver.sourceDevice) else { return rows.map { .init($0) } }
        let indices = subjects.indices.filter { index in
            guard let item = subjects[index].item else { return false }
            return item.aliases.contains { !subjects[index].receivedAliases.contains($0) }
        }
        let items = indices.compactMap { subjects[$0].item }
        for (index, texts) in zip(indices, try await texts(of: items, in: registry)) {
            for alias in aliases(of: subjects[index].item, texts)
            where !subjects[index].receivedAliases.contains(LookupKey(rawValue: alias.key)) {
                var alias = alias
                alias.isAmbiguous = !subjects[index].aliases.contains(LookupKey(rawValue: alias.key))
                rows[index].append(alias)
            }
        }
        return rows.map { .init($0) }
    }

    /// Returns the rows of a device's items.
    private mutating func rows(
        of items: [StoredItem], in registry: Registry
    ) async throws(StoreError) -> [ListAlignment.Row] {
        zip(items, try await texts(of: items, in: registry)).map { .init(aliases(of: $0, $1)) }
    }

    /// Returns an item's aliases with their kinds. Empty if the store has dropped the item.
    private mutating func aliases(of item: StoredItem?, _ texts: ItemTexts?) -> [ListAlignment.Row.Alias] {
        guard let item, let texts else { return [] }
        // Canonically equivalent aliases share one key.
        let isParallel = item.aliases.count == texts.aliases.count
        let keys = isParallel ? item.aliases : resolver.lookup.keys(ofAliases: texts.aliases, for: resolver.list.owner)
        return zip(keys, texts.aliases).map { key, text in
            .init(key: key.rawValue, kind: kinds.number(of: text), isAmbiguous: false)
        }
    }

    // MARK: - Kinds of aliases that are often ambiguous

    /// Whether the only alias that led to an item is of a kind that is ambiguous on some device, and that the data
    /// source doesn't declare unique. An item that was found by no alias of its own is as doubtful, unless a unique
    /// alias led to an item that it replaced. So is an item whose alias can't be read any more.
    private mutating func isWeak(
        _ resolution: ItemResolution, _ evidence: Evidence, in registry: Registry
    ) async throws(StoreError) -> Bool {
        let weakKinds = try await weakKindsOfAllDevices()
        if weakKinds.isEmpty { return false }
        guard let alias = resolution.sharedAlias, let kind = try await kind(of: alias, evidence, in: registry) else {
            return true
        }
        if resolution.isThroughReplacedItem { return !uniqueKinds.contains(kind) }
        return weakKinds.contains(kind)
    }

    /// Returns the kind of an alias that led to an item of the requesting device. Nil if the alias can't be read.
    private mutating func kind(
        of alias: LookupKey, _ evidence: Evidence, in registry: Registry
    ) async throws(StoreError) -> Int? {
        let keys = resolver.lookup.keys(ofAliases: evidence.aliases, for: resolver.list.owner)
        if let index = keys.firstIndex(of: alias) { return kinds.number(of: evidence.aliases[index]) }
        // These are separate queries, so they cost more than a lookup.
        guard resolver.budget.take(2 * Limits.neighbors, for: .evidence),
            let item = try await store.items(withAliases: [alias], in: registry)[0].first
        else { return nil }
        let texts = try await texts(of: [item], in: registry)[0]
        return aliases(of: item, texts).first { $0.key == alias.rawValue }?.kind
    }

    /// Returns the kinds of ambiguous aliases that aren't declared unique. Reads at most `Limits.ambiguousKindAliases`
    /// aliases per device.
    private mutating func weakKindsOfAllDevices() async throws(StoreError) -> Set<Int> {
        if let weakKinds { return weakKinds }
        var found: Set<Int> = []
        for registry in resolver.registries where registry.ambiguousAliasCount > 0 {
            let limit = Limits.ambiguousKindAliases
            let ambiguous = try await store.ambiguousAliases(above: nil, in: registry, limit: limit)
            let items = try await store.items(withAliases: ambiguous, in: registry).compactMap(\.first)
            for (item, texts) in zip(items, try await texts(of: items, in: registry)) {
                for alias in aliases(of: item, texts) where ambiguous.contains(LookupKey(rawValue: alias.key)) {
                    found.insert(alias.kind)
                }
            }
        }
        found.subtract(uniqueKinds)
        weakKinds = found
        return found
    }
}
