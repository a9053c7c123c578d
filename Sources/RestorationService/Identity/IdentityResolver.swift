/// What is known of an item of one device, by which it is looked for on another.
package struct Evidence: Sendable, Hashable {
    /// What its device calls it; nil where it could not be found.
    package var identifier: String?
    /// Aliases that came with the reference.
    package var aliases: [String]

    package init(_ identifier: String?, aliases: [String] = []) {
        self.identifier = identifier
        self.aliases = aliases
    }
}

/// Finds what one device calls the items of another (docs/decisions/0056-items-by-evidence.md). A pure function of what is
/// registered and of operators' decisions; it works on all items at once, so that a store is asked few times.
struct IdentityResolver {
    let store: any Store
    let lookup: any LookupHashing
    let sealing: any Sealing
    let list: ItemList
    /// Whose identifiers are given, and who asks.
    let source: DeviceID
    let asker: DeviceID
    /// When the identifiers were written down.
    let capturedAt: Timestamp
    let registries: [Registry]
    let links: [Link]

    init(
        _ service: RestorationService, _ list: ItemList, from source: DeviceID, for asker: DeviceID,
        capturedAt: Timestamp
    ) async throws(StoreError) {
        store = service.store
        lookup = service.lookup
        sealing = service.sealing
        self.list = list
        self.source = source
        self.asker = asker
        self.capturedAt = capturedAt
        registries = try await store.registries(of: list)
        links = try await store.links(in: list)
    }

    /// An item that is looked for, with all that speaks for it.
    struct Subject {
        var evidence: Evidence
        /// What the source device registered under the identifier, redirects followed; nil when that is another item,
        /// whose identifier was used again.
        var item: StoredItem?
        /// Whether the identifier means another item by now.
        var isReused = false
        /// Without those that are set aside.
        var aliases: [LookupKey] = []
        /// Those that came with it, in its order.
        var given: [LookupKey] = []
    }

    func registry(of device: DeviceID) -> Registry? { registries.first { $0.device == device } }

    func resolve(_ evidence: [Evidence]) async throws(StoreError) -> [ItemResolution] {
        let subjects = try await subjects(of: evidence)
        var resolutions: [ItemResolution] = []
        resolutions.reserveCapacity(subjects.count)
        // Each may meet as many items as it has aliases, and more: few of them are looked for at a time.
        var start = 0
        while start < subjects.count {
            var end = start
            var aliasCount = 0
            repeat {
                aliasCount += subjects[end].aliases.count
                end += 1
            } while end < subjects.count && end - start < Limits.subjectsAtOnce
                && aliasCount + subjects[end].aliases.count <= Limits.aliasesAtOnce
            resolutions += try await resolve(Array(subjects[start..<end]))
            start = end
        }
        return resolutions
    }

    private func resolve(_ subjects: [Subject]) async throws(StoreError) -> [ItemResolution] {
        var resolutions = try await atOnce(subjects)
        let others = resolutions.indices.filter { resolutions[$0] == nil }
        if !others.isEmpty {
            let found = try await bySearch(others.map { subjects[$0] })
            let names = try await identifiers(of: found.compactMap(\.item))
            var next = 0
            for (index, search) in zip(others, found) {
                resolutions[index] = search.resolution
                guard search.item != nil else { continue }
                // Gone since it was found.
                resolutions[index] = names[next] == nil ? ItemResolution(nil, .unresolved) : search.resolution
                resolutions[index]?.identifier = names[next]
                next += 1
            }
        }
        var all = resolutions.map { $0 ?? ItemResolution(nil, .unresolved) }
        for (index, aliases) in zip(all.indices, try await refuted(subjects)) { all[index].refuted = aliases }
        return all
    }

    /// What most are: the device's own item, or the one item that bears an alias; nil for the others.
    private func atOnce(_ subjects: [Subject]) async throws(StoreError) -> [ItemResolution?] {
        var resolutions = [ItemResolution?](repeating: nil, count: subjects.count)
        if source == asker {
            let own = subjects.indices.filter { subjects[$0].item?.isLive == true }
            for (index, name) in zip(own, try await identifiers(of: own.compactMap { subjects[$0].item })) {
                resolutions[index] = name.map { ItemResolution($0, .exact) }
            }
        } else if links.isEmpty, let registry = registry(of: asker) {
            let single = subjects.indices.filter { subjects[$0].aliases.count == 1 }
            let texts = try await store.textsOfSoleBearers(of: single.map { subjects[$0].aliases[0] }, in: registry)
            for (index, texts) in zip(single, texts) {
                guard let texts else { continue }
                resolutions[index] = ItemResolution(try identifier(in: texts), .alias)
            }
        }
        return resolutions
    }

    /// A resolution whose identifier is that of an item, where there is one.
    private typealias Found = (resolution: ItemResolution, item: StoredItem?)

    private func bySearch(_ subjects: [Subject]) async throws(StoreError) -> [Found] {
        var bearers: [[StoredItem]] = []
        if let registry = registry(of: asker) {
            bearers = try await store.bearers(of: subjects.flatMap(\.aliases), in: registry)
        }
        let replacements = try await replacements(bearers)
        var found: [Found] = []
        /// Those of which the asking device has nothing that shares evidence with them itself.
        var distant: [(index: Int, gone: StoredItem?)] = []
        var start = 0
        for (index, subject) in subjects.enumerated() {
            let end = start + (bearers.isEmpty ? 0 : subject.aliases.count)
            defer { start = end }
            if let direct = try await direct(subject, bearers[start..<end], replacements) {
                found.append(direct)
            } else {
                found.append((ItemResolution(nil, .unresolved), nil))
                distant.append((index, bearers[start..<end].joined().first { !$0.isLive }))
            }
        }
        guard !distant.isEmpty else { return found }
        let classes = try await identityClasses(of: distant.map { subjects[$0.index] }, exhaustively: false)
        for ((index, gone), members) in zip(distant, classes) {
            found[index] = throughOthers(subjects[index], members, gone: gone)
        }
        return found
    }

    /// By what the asking device has itself; nil where only a third device can help.
    private func direct(
        _ subject: Subject, _ bearers: ArraySlice<[StoredItem]>, _ replacements: [Int64: StoredItem]
    ) async throws(StoreError) -> Found? {
        let candidates = try await candidates(for: subject, bearers, replacements)
        if let best = candidates.first {
            var resolution = ItemResolution(nil, .alias)
            resolution.isAmbiguous = candidates.count > 1
            return (resolution, best.item)
        }
        if source == asker {
            // What it knows of its own list is newer than what it has registered.
            return subject.isReused
                ? (ItemResolution(nil, .unresolved), nil) : (ItemResolution(subject.evidence.identifier, .exact), nil)
        }
        // Where nothing may lead further, nothing is searched for.
        return subject.item == nil && subject.aliases.isEmpty ? (ItemResolution(nil, .unresolved), nil) : nil
    }

    private func throughOthers(_ subject: Subject, _ found: IdentityClass, gone: StoredItem?) -> Found {
        if found.isSound, let item = found.members.first(where: { $0.device == asker })?.item {
            var resolution = ItemResolution(nil, .alias)
            resolution.isThroughOthers = true
            return (resolution, item)
        }
        let isKnownElsewhere =
            !found.members.isEmpty || (subject.item == nil && !subject.evidence.aliases.isEmpty)
        let step: ItemResolution.Step = gone == nil && isKnownElsewhere ? .pending : .unresolved
        return (ItemResolution(nil, step, formerPosition: gone?.position), nil)
    }

    /// What items are called; nil for one that is not known any more.
    func identifiers(of items: [StoredItem]) async throws(StoreError) -> [String?] {
        var identifiers: [String?] = []
        for texts in try await store.texts(of: items) {
            if let texts { identifiers.append(try identifier(in: texts)) } else { identifiers.append(nil) }
        }
        return identifiers
    }

    private func identifier(in texts: [UInt8]) throws(StoreError) -> String {
        try ItemTexts.identifier(in: try sealing.open(texts, for: list.owner))
    }
}

/// What became of looking for one item on the asking device.
package struct ItemResolution: Sendable, Hashable {
    /// A step of the ladder, the best first.
    package enum Step: String, Sendable, Hashable, CaseIterable {
        case exact, alias, pending, neighbour, indexPath, unresolved
    }

    package enum NeighbourSource: Sendable, Hashable {
        /// The archive names it.
        case archive
        /// A device registered where the two stand.
        case position
    }

    /// What the asking device calls it; nil when nothing was found.
    package var identifier: String?
    package var step: Step
    /// Several items of the asking device could be meant: this is the likeliest.
    package var isAmbiguous = false
    /// What makes them one lies with a third device.
    package var isThroughOthers = false
    /// Aliases that came with it and say nothing on the asking device.
    var refuted: [String] = []
    /// What a neighbour was found by; nil at other steps.
    package var neighbourSource: NeighbourSource?
    /// Where the asking device had it in its list before it removed it.
    var formerPosition: Int64?

    init(_ identifier: String?, _ step: Step, formerPosition: Int64? = nil) {
        self.identifier = identifier
        self.step = step
        self.formerPosition = formerPosition
    }

    /// Lets a neighbour stand for what was not found.
    mutating func take(_ neighbour: String, by source: NeighbourSource) {
        identifier = neighbour
        step = .neighbour
        neighbourSource = source
    }

    /// How sure it is that this is the item, from 0 to 1: an order, not a probability.
    package var confidence: Double {
        switch step {
        case .exact: 1
        case .alias: isAmbiguous ? 0.5 : isThroughOthers ? 0.8 : 0.95
        case .neighbour, .indexPath: 0.25
        case .pending, .unresolved: 0
        }
    }
}
