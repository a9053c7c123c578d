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
    }

    func registry(of device: DeviceID) -> Registry? { registries.first { $0.device == device } }

    func resolve(_ evidence: [Evidence]) async throws(StoreError) -> [ItemResolution] {
        let subjects = try await subjects(of: evidence)
        var resolutions: [ItemResolution] = []
        resolutions.reserveCapacity(subjects.count)
        // Each may meet as many items as it has aliases: no more of them than this are held at a time.
        for start in stride(from: 0, to: subjects.count, by: Limits.subjectsAtOnce) {
            let end = min(start + Limits.subjectsAtOnce, subjects.count)
            resolutions += try await resolve(Array(subjects[start..<end]))
        }
        return resolutions
    }

    private func resolve(_ subjects: [Subject]) async throws(StoreError) -> [ItemResolution] {
        var bearers: [[StoredItem]] = []
        if let registry = registry(of: asker) {
            bearers = try await store.bearers(of: subjects.flatMap(\.aliases), in: registry)
        }
        var resolutions: [ItemResolution] = []
        resolutions.reserveCapacity(subjects.count)
        /// Those of which the asking device has nothing that shares evidence with them itself.
        var distant: [(index: Int, gone: StoredItem?)] = []
        var start = 0
        for index in subjects.indices {
            let end = start + (bearers.isEmpty ? 0 : subjects[index].aliases.count)
            defer { start = end }
            // What most are, without a copy of anything: the device's own item, or the one item that bears an alias.
            if source == asker {
                if subjects[index].item?.isLive == true, let texts = subjects[index].item?.texts {
                    resolutions.append(ItemResolution(try identifier(in: texts), .exact))
                    continue
                }
            } else if links.isEmpty, end == start + 1, bearers[start].count == 1, bearers[start][0].isLive {
                resolutions.append(ItemResolution(try identifier(in: bearers[start][0].texts), .alias))
                continue
            }
            if let direct = try await direct(subjects[index], bearers[start..<end]) {
                resolutions.append(direct)
            } else {
                resolutions.append(ItemResolution(nil, .unresolved))
                distant.append((index, bearers[start..<end].joined().first { !$0.isLive }))
            }
        }
        guard !distant.isEmpty else { return resolutions }
        let classes = try await identityClasses(of: distant.map { subjects[$0.index] }, exhaustively: false)
        for ((index, gone), found) in zip(distant, classes) {
            resolutions[index] = try throughOthers(subjects[index], found, gone: gone)
        }
        return resolutions
    }

    /// By what the asking device has itself; nil where only a third device can help.
    private func direct(
        _ subject: Subject, _ bearers: ArraySlice<[StoredItem]>
    ) async throws(StoreError) -> ItemResolution? {
        let candidates = try await candidates(for: subject, bearers)
        if let best = candidates.first {
            var resolution = ItemResolution(try identifier(of: best.item), .alias)
            resolution.isAmbiguous = candidates.count > 1
            return resolution
        }
        if source == asker {
            // What it knows of its own list is newer than what it has registered.
            return subject.isReused
                ? ItemResolution(nil, .unresolved) : ItemResolution(subject.evidence.identifier, .exact)
        }
        // Where nothing may lead further, nothing is searched for.
        return subject.item == nil && subject.aliases.isEmpty ? ItemResolution(nil, .unresolved) : nil
    }

    private func throughOthers(
        _ subject: Subject, _ found: IdentityClass, gone: StoredItem?
    ) throws(StoreError) -> ItemResolution {
        if found.isSound, let item = found.members.first(where: { $0.device == asker })?.item {
            var resolution = ItemResolution(try identifier(of: item), .alias)
            resolution.isThroughOthers = true
            return resolution
        }
        let isKnownElsewhere =
            !found.members.isEmpty || (subject.item == nil && !subject.evidence.aliases.isEmpty)
        return ItemResolution(
            nil, gone == nil && isKnownElsewhere ? .pending : .unresolved, formerPosition: gone?.position)
    }

    func identifier(of item: StoredItem) throws(StoreError) -> String { try identifier(in: item.texts) }

    private func identifier(in texts: [UInt8]) throws(StoreError) -> String {
        try ItemTexts.identifier(in: try sealing.open(texts, for: list.owner))
    }

    func texts(of item: StoredItem) throws(StoreError) -> ItemTexts {
        try ItemTexts(reading: try sealing.open(item.texts, for: list.owner))
    }
}

/// What became of looking for one item on the asking device.
package struct ItemResolution: Sendable, Hashable {
    /// A step of the ladder, the best first.
    package enum Step: String, Sendable, Hashable, CaseIterable {
        case exact, alias, pending, neighbour, indexPath, unresolved
    }

    /// What the asking device calls it; nil when nothing was found.
    package var identifier: String?
    package var step: Step
    /// Several items of the asking device could be meant: this is the likeliest.
    package var isAmbiguous = false
    /// What makes them one lies with a third device.
    package var isThroughOthers = false
    /// Where the asking device had it in its list before it removed it.
    var formerPosition: Int64?

    init(_ identifier: String?, _ step: Step, formerPosition: Int64? = nil) {
        self.identifier = identifier
        self.step = step
        self.formerPosition = formerPosition
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
