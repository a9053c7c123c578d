/// Finds a device's identifiers for the items of another device (docs/identity-algorithm.md). The
/// result is a pure function of the registered items and the operators' decisions. All items are resolved together,
/// so that the store gets few queries.
struct IdentityResolver {
    let store: any Store
    let lookup: any LookupHashing
    let sealing: any Sealing
    let list: ItemList
    /// The device whose identifiers are given (`sourceDevice`), and the device that asks for its own identifiers
    /// (`requestingDevice`).
    let sourceDevice: DeviceID
    let requestingDevice: DeviceID
    /// The time when the identifiers were written.
    let writtenAt: Timestamp
    let registries: [Registry]
    /// The operators' decisions by each of their ends, with the other end.
    let decisions: [Link.End: [Decision]]
    let allowance: SearchAllowance

    init(
        _ service: RestorationService, _ list: ItemList, from sourceDevice: DeviceID, for requestingDevice: DeviceID,
        writtenAt: Timestamp, within allowance: SearchAllowance = SearchAllowance()
    ) async throws(StoreError) {
        store = service.store
        lookup = service.lookup
        sealing = service.sealing
        self.list = list
        self.sourceDevice = sourceDevice
        self.requestingDevice = requestingDevice
        self.writtenAt = writtenAt
        self.allowance = allowance
        registries = try await store.registries(of: list)
        var decisions: [Link.End: [Decision]] = [:]
        for link in try await store.links(in: list) {
            decisions[link.first, default: []].append((link, link.second))
            decisions[link.second, default: []].append((link, link.first))
        }
        self.decisions = decisions
    }

    typealias Decision = (link: Link, end: Link.End)

    /// An item to find, with all its evidence.
    struct Subject {
        var evidence: Evidence
        /// The item that the source device registered under the identifier, after redirects. Nil if the identifier
        /// was reused for another item.
        var item: StoredItem?
        /// The keys that the source device has had for the item: the identifier's key and the keys of its
        /// replacements. A decision about any of them applies to the item. Empty without an item.
        var keys: [LookupKey] = []
        /// Whether the identifier now names another item.
        var isReused = false
        /// The aliases that are evidence.
        var aliases: [LookupKey] = []
        /// The aliases that came with the item, in their order.
        var given: [LookupKey] = []
        /// The aliases that came with two items, which are no evidence.
        var shared: Set<LookupKey> = []
    }

    func registry(of device: DeviceID) -> Registry? { registries.first { $0.device == device } }

    /// Returns the resolution of each item, in order. Items with equal evidence are resolved once, and few items at a
    /// time.
    func resolve(_ evidence: [Evidence]) async throws(StoreError) -> [ItemResolution] {
        let (distinct, places) = evidence.uniqued()
        let resolutions = try await resolve(distinct, without: sharedAliases(of: distinct))
        return distinct.count == evidence.count ? resolutions : places.map { resolutions[$0] }
    }

    /// Returns the resolution of each of the distinct items. Aliases in `shared` are no evidence.
    func resolve(
        _ distinct: [Evidence], without shared: Set<LookupKey>
    ) async throws(StoreError) -> [ItemResolution] {
        var resolutions: [ItemResolution] = []
        resolutions.reserveCapacity(distinct.count)
        for start in stride(from: 0, to: distinct.count, by: Limits.evidenceAtOnce) {
            try checkIsAwaited()
            let portion = distinct[start..<min(start + Limits.evidenceAtOnce, distinct.count)]
            resolutions += try await resolve(subjects(of: portion, without: shared))
        }
        return resolutions
    }

    /// Throws if the request was canceled.
    func checkIsAwaited() throws(StoreError) {
        if Task.isCancelled { throw StoreError(.unavailable, "The request was canceled.") }
    }

    private func resolve(_ subjects: [Subject]) async throws(StoreError) -> [ItemResolution] {
        var found = [Found?](repeating: nil, count: subjects.count)
        for places in portions(of: Array(subjects.indices), subjects) {
            for (index, one) in zip(places, try await resolveOwnOrSingle(places.map { subjects[$0] })) {
                found[index] = one
            }
        }
        // The remaining items take more work.
        for places in portions(of: subjects.indices.filter { found[$0] == nil }, subjects) {
            for (index, one) in zip(places, try await search(places.map { subjects[$0] })) { found[index] = one }
        }
        return zip(subjects, found).map { subject, found in
            var found = found ?? Found(ItemResolution(nil, .unresolved))
            if found.resolution.step != .exact { found.resolution.refuted = refuted(subject, found.refuted) }
            if found.resolution.step == .unresolved { found.resolution.neighbourAnchors.source = .init(subject.item) }
            return found.resolution
        }
    }

    /// Splits the subjects into portions. A subject can match as many items as it has aliases, or more, so few
    /// subjects are resolved at a time.
    private func portions(of places: [Int], _ subjects: [Subject]) -> [[Int]] {
        var portions: [[Int]] = []
        var aliasCount = 0
        for index in places {
            aliasCount += subjects[index].aliases.count
            let last = portions.count - 1
            if last >= 0, portions[last].count < Limits.subjectsAtOnce, aliasCount <= Limits.aliasesAtOnce {
                portions[last].append(index)
            } else {
                portions.append([index])
                aliasCount = subjects[index].aliases.count
            }
        }
        return portions
    }

    /// Resolves the usual cases: the requesting device's own item, or the only item that has the subject's only
    /// alias. Nil for all other subjects.
    private func resolveOwnOrSingle(_ subjects: [Subject]) async throws(StoreError) -> [Found?] {
        var found = [Found?](repeating: nil, count: subjects.count)
        if sourceDevice == requestingDevice {
            let own = subjects.indices.filter { subjects[$0].item?.isLive == true }
            for (index, name) in zip(own, try await identifiers(of: own.compactMap { subjects[$0].item })) {
                found[index] = name.map { Found(ItemResolution($0, .exact)) }
            }
        } else if decisions.isEmpty, let registry = registry(of: requestingDevice) {
            let single = subjects.indices.filter { subjects[$0].aliases.count == 1 }
            let texts = try await store.textsOfSoleItems(
                withAliases: single.map { subjects[$0].aliases[0] }, in: registry)
            for (index, texts) in zip(single, texts) {
                guard let texts else { continue }
                found[index] = Found(ItemResolution(try identifier(in: texts), .alias))
            }
        }
        return found
    }

    /// The result of a search.
    private struct Found {
        var resolution: ItemResolution
        /// The item whose identifier is still to be read.
        var item: StoredItem?
        /// The aliases by which the requesting device would find another item.
        var refuted: Set<LookupKey> = []

        init(_ resolution: ItemResolution, _ item: StoredItem? = nil) {
            self.resolution = resolution
            self.item = item
        }
    }

    private func search(_ subjects: [Subject]) async throws(StoreError) -> [Found] {
        var itemsByAlias: [[StoredItem]] = []
        if let registry = registry(of: requestingDevice) {
            itemsByAlias = try await store.items(withAliases: subjects.flatMap(\.aliases), in: registry)
        }
        var start = 0
        let asked = subjects.map { subject in
            let end = start + (itemsByAlias.isEmpty ? 0 : subject.aliases.count)
            defer { start = end }
            return self.asked(for: subject, itemsByAlias[start..<end])
        }
        let replacements = try await replacements(asked.lazy.flatMap(\.itemsByAlias))
        var found: [Found] = []
        /// The subjects that share no evidence with the requesting device's own items.
        var distant: [(index: Int, candidates: Candidates)] = []
        for (index, subject) in subjects.enumerated() {
            let candidates = try await candidates(for: subject, asked[index], replacements)
            if let direct = resolveDirectly(subject, candidates) {
                found.append(direct)
            } else {
                found.append(Found(ItemResolution(nil, .unresolved)))
                distant.append((index, candidates))
            }
        }
        if !distant.isEmpty {
            let classes = try await identityClasses(of: distant.map { subjects[$0.index] }, exhaustively: false)
            for ((index, candidates), members) in zip(distant, classes) {
                found[index] = resolveTransitively(subjects[index], members, gone: candidates.gone)
                found[index].refuted = candidates.refuted
            }
        }
        return try await fillNames(of: found)
    }

    private func fillNames(of found: [Found]) async throws(StoreError) -> [Found] {
        var found = found
        let places = found.indices.filter { found[$0].item != nil }
        for (index, name) in zip(places, try await identifiers(of: places.compactMap { found[$0].item })) {
            // The item may have been removed since it was found.
            if name == nil { found[index].resolution = ItemResolution(nil, .unresolved) }
            found[index].resolution.identifier = name
        }
        return found
    }

    /// Resolves a subject by the requesting device's own items. Nil if only a third device's items can help.
    private func resolveDirectly(_ subject: Subject, _ candidates: Candidates) -> Found? {
        if let best = candidates.items.first {
            var found = Found(ItemResolution(nil, .alias), best.item)
            found.resolution.isAmbiguous = candidates.items.count > 1
            found.resolution.isDecided = best.isLinked
            found.refuted = Set(candidates.items.dropFirst().flatMap(\.item.aliases))
                .subtracting(best.item.aliases).union(candidates.refuted)
            return found
        }
        if sourceDevice == requestingDevice, let identifier = subject.evidence.identifier {
            guard !subject.isReused else { return Found(ItemResolution(nil, .unresolved)) }
            // The device knows its own list better than its registrations tell.
            var own = ItemResolution(identifier, .exact)
            own.isAssumed = true
            return Found(own)
        }
        // Without an item and aliases there is nothing to search for.
        return subject.item == nil && subject.aliases.isEmpty ? Found(ItemResolution(nil, .unresolved)) : nil
    }

    private func resolveTransitively(_ subject: Subject, _ found: IdentityClass, gone: StoredItem?) -> Found {
        if found.isSound, let item = found.members.first(where: { $0.device == requestingDevice })?.item {
            var resolution = ItemResolution(nil, .alias)
            resolution.isThroughOthers = true
            return Found(resolution, item)
        }
        let isKnown = found.isKnownElsewhere || (subject.item == nil && !subject.evidence.aliases.isEmpty)
        let step: ItemResolution.Step = gone == nil && isKnown ? .pending : .unresolved
        var resolution = ItemResolution(nil, step)
        resolution.neighbourAnchors.former = .init(gone)
        return Found(resolution)
    }

    /// Returns the identifiers of items. Nil for an item that is no longer known.
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
