import PlacekeeperArchive
package import PlacekeeperCore

/// Finds a device's identifiers for the items of another device, mostly by alias match: both devices registered the
/// same alias (docs/identity-algorithm.md). The result is a pure function of the registered items and the operators'
/// decisions. Items are resolved in batches, to save queries.
package struct IdentityResolver {
    let store: any ItemReading
    let lookup: any LookupHashing
    let sealing: any Sealing
    let list: ItemList
    /// The device whose identifiers are resolved.
    let sourceDevice: DeviceID
    /// The device that needs its own identifiers.
    let requestingDevice: DeviceID
    /// When the identifiers to resolve were written.
    var writtenAt: Timestamp
    let registries: [Registry]
    /// The operators' decisions about each item, each with the other of its two items.
    let decisions: [Link.End: [Decision]]
    let budget: WorkBudget
    /// The purpose of lookups for the items' own evidence: `search` if the items are only considered as neighbors.
    var evidencePurpose = WorkBudget.Purpose.evidence

    package init(
        _ environment: IdentityEnvironment, _ list: ItemList, from sourceDevice: DeviceID,
        for requestingDevice: DeviceID, writtenAt: Timestamp, within budget: WorkBudget = WorkBudget()
    ) async throws(StoreError) {
        store = environment.items
        lookup = environment.lookup
        sealing = environment.sealing
        self.list = list
        self.sourceDevice = sourceDevice
        self.requestingDevice = requestingDevice
        self.writtenAt = writtenAt
        self.budget = budget
        registries = try await store.registries(of: list)
        decisions = try await Self.decisions(in: list, registries, of: environment.items)
    }

    /// Returns the decisions in force. A decision ends when an identifier that it names is given to another item.
    private static func decisions(
        in list: ItemList, _ registries: [Registry], of store: any ItemReading
    ) async throws(StoreError) -> [Link.End: [Decision]] {
        let links = try await store.links(in: list)
        guard !links.isEmpty else { return [:] }
        var decisions: [Link.End: [Decision]] = [:]
        let items = try await Link.items(of: links, in: registries, store)
        for link in links where !link.hasEnded(items) {
            decisions[link.first, default: []].append((link, link.second))
            decisions[link.second, default: []].append((link, link.first))
        }
        return decisions
    }

    typealias Decision = (link: Link, end: Link.End)

    /// An item to find, with all of its evidence.
    struct Subject {
        var evidence: Evidence
        /// The item that the source device registered under the identifier, or the live item that replaced it. Nil if
        /// there is none, or if the identifier was reused for another item.
        var item: StoredItem?
        /// The keys that the item has had on the source device: the identifier's key, then the keys of the
        /// replacements. A decision about any of them applies to the item. Empty if the identifier isn't registered, or
        /// was reused.
        var keys: [LookupKey] = []
        /// Whether the identifier now names another item.
        var isReused = false
        /// The aliases that are evidence.
        var aliases: [LookupKey] = []
        /// The aliases of the items that `item` replaced, the latest first. At most `Limits.aliases`. The aliases that
        /// `item` itself has lost are read only if they are needed.
        var formerAliases: [LookupKey] = []
        /// The keys of `evidence.aliases`, in the same order.
        var receivedAliases: [LookupKey] = []
        /// Aliases that came with two or more items, so they aren't evidence.
        var shared: Set<LookupKey> = []
    }

    package func registry(of device: DeviceID) -> Registry? { registries.first { $0.device == device } }

    /// Resolves the items and returns the resolutions in the same order. Items with equal evidence are resolved once.
    /// Works in batches, to save memory.
    func resolve(_ evidence: [Evidence]) async throws(StoreError) -> [ItemResolution] {
        let (distinct, places) = evidence.uniqued()
        let resolutions = try await resolve(distinct, without: sharedAliases(of: distinct))
        return distinct.count == evidence.count ? resolutions : places.map { resolutions[$0] }
    }

    /// Resolves distinct items. Aliases in `shared` aren't evidence.
    func resolve(
        _ distinct: [Evidence], without shared: Set<LookupKey>
    ) async throws(StoreError) -> [ItemResolution] {
        var resolutions: [ItemResolution] = []
        resolutions.reserveCapacity(distinct.count)
        for batch in distinct.batches() {
            try Self.checkIsAwaited()
            WorkMeter.pause?()
            resolutions += try await resolve(subjects(of: batch, without: shared))
        }
        return resolutions
    }

    /// Throws if the request was canceled.
    static func checkIsAwaited() throws(StoreError) {
        if Task.isCancelled { throw StoreError(.unavailable, "The request was canceled.") }
    }

    private func resolve(_ subjects: [Subject]) async throws(StoreError) -> [ItemResolution] {
        var results = [SearchResult?](repeating: nil, count: subjects.count)
        for indices in batches(of: Array(subjects.indices), subjects) {
            for (index, result) in zip(indices, try await resolveOwnOrSingle(indices.map { subjects[$0] })) {
                results[index] = result
            }
        }
        // Items that aren't resolved yet need a search.
        for indices in batches(of: subjects.indices.filter { results[$0] == nil }, subjects) {
            for (index, result) in zip(indices, try await search(indices.map { subjects[$0] })) {
                results[index] = result
            }
        }
        try await resolveFormer(subjects, &results)
        return zip(subjects, results).map { subject, result in
            var resolution = result?.resolution ?? ItemResolution(nil, .unresolved)
            if resolution.step != .exact {
                let others = result?.aliasesOfOtherItems ?? []
                for (text, key) in zip(subject.evidence.aliases, subject.receivedAliases) {
                    if others.contains(key) {
                        resolution.withheldAliases.append(text)
                    } else if !subject.aliases.contains(key) {
                        resolution.sharedAliases.append(text)
                    }
                }
                resolution.neighborAnchors.source = .init(subject.item)
            }
            return resolution
        }
    }

    /// Resolves items that haven't been found yet, by the aliases that they have lost and by those of the items that
    /// they replaced.
    private func resolveFormer(_ subjects: [Subject], _ results: inout [SearchResult?]) async throws(StoreError) {
        let open = subjects.indices.filter { index in
            subjects[index].item?.isLive == true && results[index]?.resolution.identifier == nil
        }
        guard !open.isEmpty else { return }
        var former = subjects
        try await addLostAliases(to: &former, at: open)
        try await dropAliasesOfOtherItems(from: &former, at: open)
        let indices = open.filter { !former[$0].formerAliases.isEmpty }
        guard !indices.isEmpty else { return }
        let ambiguousAliases = try await ambiguousAliases(
            among: { indices.flatMap { former[$0].formerAliases } }, for: evidencePurpose)
        for index in indices { former[index].add(former[index].formerAliases, besides: ambiguousAliases) }
        for batch in batches(of: indices.filter { former[$0].aliases != subjects[$0].aliases }, former) {
            // A reference of a few bytes may lead to many replaced items, so the size of the request doesn't bound this
            // work.
            guard budget.take(batch.reduce(0) { $0 + former[$1].aliases.count + 1 }, for: .search) else { return }
            for (index, result) in zip(batch, try await search(batch.map { former[$0] }))
            where result.resolution.identifier != nil && !result.resolution.isAssumed {
                results[index] = result
            }
        }
    }

    /// Drops the former aliases that another live item of the source device has now.
    private func dropAliasesOfOtherItems(from subjects: inout [Subject], at indices: [Int]) async throws(StoreError) {
        guard let registry = registry(of: sourceDevice) else { return }
        let lookups = indices.flatMap { index in subjects[index].formerAliases.map { (index: index, alias: $0) } }
        for batch in lookups.batches() {
            guard budget.take(batch.count, for: .search) else {
                for (index, _) in batch { subjects[index].formerAliases = [] }
                continue
            }
            for ((index, alias), owners) in zip(
                batch, try await store.items(withAliases: batch.map(\.alias), in: registry))
            where owners.contains(where: { $0.isLive && $0.key != subjects[index].item?.key }) {
                subjects[index].formerAliases.removeAll { $0 == alias }
            }
        }
    }

    /// Adds the aliases that live items of the source device have lost to the former aliases.
    private func addLostAliases(to subjects: inout [Subject], at indices: [Int]) async throws(StoreError) {
        guard !indices.isEmpty, let registry = registry(of: sourceDevice) else { return }
        let items = indices.compactMap { subjects[$0].item }
        for (index, lost) in zip(indices, try await store.items(items.map(\.key.ofLostAliases), in: registry)) {
            // The identifier may have named another item when the aliases were lost.
            guard let lost, case .replaced(_, let time) = lost.presence,
                subjects[index].item?.isReuse(after: time) == false
            else { continue }
            let aliases = (lost.aliases + subjects[index].formerAliases).distinct
            subjects[index].formerAliases = Array(aliases.prefix(Limits.aliases))
        }
    }

    /// Splits the subjects into batches of at most `Limits.batch` lookups: one for each alias of a subject, and one for
    /// the texts of the item found.
    private func batches(of indices: [Int], _ subjects: [Subject]) -> [[Int]] {
        var batches: [[Int]] = []
        var room = 0
        for index in indices {
            let lookupCount = subjects[index].aliases.count + 1
            if lookupCount > room {
                batches.append([])
                room = Limits.batch
            }
            batches[batches.count - 1].append(index)
            room -= lookupCount
        }
        return batches
    }

    /// Resolves the two common cases without a search; returns nil for all other subjects. In the first, the source
    /// device is also the requesting device, and the subject's item is live. In the second, the list has no decisions,
    /// and exactly one item of the requesting device has the subject's only alias.
    private func resolveOwnOrSingle(_ subjects: [Subject]) async throws(StoreError) -> [SearchResult?] {
        var results = [SearchResult?](repeating: nil, count: subjects.count)
        guard let registry = registry(of: requestingDevice) else { return results }
        if sourceDevice == requestingDevice {
            let own = subjects.indices.filter { subjects[$0].item?.isLive == true }
            let names = try await identifiers(of: own.compactMap { subjects[$0].item }, in: registry)
            for (index, name) in zip(own, names) {
                results[index] = name.map { SearchResult(ItemResolution($0, .exact)) }
            }
        } else if decisions.isEmpty {
            let single = subjects.indices.filter { subjects[$0].aliases.count == 1 }
            let texts = try await store.textsOfSoleItems(
                withAliases: single.map { subjects[$0].aliases[0] }, in: registry)
            for (index, texts) in zip(single, texts) {
                guard let texts else { continue }
                results[index] = SearchResult(ItemResolution(try identifier(in: texts), .alias))
                results[index]?.resolution.sharedAliasCount = 1
                results[index]?.resolution.sharedAlias = subjects[index].aliases[0]
            }
        }
        return results
    }

    /// The result of a search.
    private struct SearchResult {
        var resolution: ItemResolution
        /// The item whose identifier is still to be read.
        var item: StoredItem?
        /// The aliases by which the requesting device would find an item other than the resolved one.
        var aliasesOfOtherItems: Set<LookupKey> = []

        init(_ resolution: ItemResolution, _ item: StoredItem? = nil) {
            self.resolution = resolution
            self.item = item
        }
    }

    private func search(_ subjects: [Subject]) async throws(StoreError) -> [SearchResult] {
        var itemsByAlias: [[StoredItem]] = []
        if let registry = registry(of: requestingDevice) {
            itemsByAlias = try await store.items(withAliases: subjects.flatMap(\.aliases), in: registry)
        }
        var start = 0
        let lookups = subjects.map { subject in
            let end = start + (itemsByAlias.isEmpty ? 0 : subject.aliases.count)
            defer { start = end }
            return candidateLookup(for: subject, itemsByAlias[start..<end])
        }
        let replacements = try await replacements(lookups.lazy.flatMap(\.itemsByAlias))
        var results: [SearchResult] = []
        /// The subjects to search for through third devices, with their candidates.
        var indirect: [(index: Int, candidates: Candidates)] = []
        for (index, subject) in subjects.enumerated() {
            let candidates = try await candidates(for: subject, lookups[index], replacements)
            if let direct = resolveDirectly(subject, candidates) {
                results.append(direct)
            } else {
                results.append(SearchResult(ItemResolution(nil, .unresolved)))
                indirect.append((index, candidates))
            }
        }
        if !indirect.isEmpty {
            let classes = try await identityClasses(of: indirect.map { subjects[$0.index] }, exhaustively: false)
            for ((index, candidates), identityClass) in zip(indirect, classes) {
                results[index] = resolveIndirectly(subjects[index], identityClass, removedItem: candidates.removedItem)
                results[index].aliasesOfOtherItems = candidates.aliasesOfOtherItems
            }
        }
        return try await fillIdentifiers(of: results)
    }

    private func fillIdentifiers(of results: [SearchResult]) async throws(StoreError) -> [SearchResult] {
        guard let registry = registry(of: requestingDevice) else { return results }
        var results = results
        let indices = results.indices.filter { results[$0].item != nil }
        let identifiers = try await identifiers(of: indices.compactMap { results[$0].item }, in: registry)
        for (index, identifier) in zip(indices, identifiers) {
            // The store may have deleted the item since the search found it. The subject is then unresolved.
            if identifier == nil { results[index].resolution = ItemResolution(nil, .unresolved) }
            results[index].resolution.identifier = identifier
        }
        return results
    }

    /// Resolves a subject without searching the items of other devices. Nil if it needs a search through third devices.
    private func resolveDirectly(_ subject: Subject, _ candidates: Candidates) -> SearchResult? {
        if let best = candidates.items.first {
            var result = SearchResult(ItemResolution(nil, .alias), best.item)
            result.resolution.isAmbiguous = candidates.items.count > 1
            result.resolution.isDecided = best.isDecided
            result.resolution.sharedAliasCount = best.isDecided ? nil : best.sharedAliases
            result.resolution.sharedAlias = best.alias
            result.resolution.isThroughReplacedItem = best.isReplacement
            result.aliasesOfOtherItems = Set(candidates.items.dropFirst().flatMap(\.item.aliases))
                .subtracting(best.item.aliases).union(candidates.aliasesOfOtherItems)
            return result
        }
        if sourceDevice == requestingDevice, let identifier = subject.evidence.identifier {
            guard !subject.isReused else { return SearchResult(ItemResolution(nil, .unresolved)) }
            // Keep the identifier, because the device's list may contain items that it hasn't registered.
            var own = ItemResolution(identifier, .exact)
            own.isAssumed = true
            return SearchResult(own)
        }
        // With neither a registered item nor aliases, there is no evidence to search by.
        return subject.item == nil && subject.aliases.isEmpty ? SearchResult(ItemResolution(nil, .unresolved)) : nil
    }

    /// Resolves a subject by its class: the items that evidence on other devices connects with it.
    private func resolveIndirectly(
        _ subject: Subject, _ identityClass: IdentityClass, removedItem: StoredItem?
    ) -> SearchResult {
        if identityClass.isReliable,
            let item = identityClass.members.first(where: { $0.device == requestingDevice })?.item
        {
            var resolution = ItemResolution(nil, .alias)
            resolution.isThroughOthers = true
            resolution.sharedAliasCount = 0
            return SearchResult(resolution, item)
        }
        let isKnown = identityClass.isKnownElsewhere || (subject.item == nil && !subject.evidence.aliases.isEmpty)
        let step: ItemResolution.Step = removedItem == nil && isKnown ? .pending : .unresolved
        var resolution = ItemResolution(nil, step)
        resolution.isRemoved = removedItem != nil
        resolution.neighborAnchors.former = .init(removedItem)
        return SearchResult(resolution)
    }

    /// Returns the identifiers of a registration's items. Nil for an item that the store has dropped.
    func identifiers(of items: [StoredItem], in registry: Registry) async throws(StoreError) -> [String?] {
        guard !items.isEmpty else { return [] }
        var identifiers: [String?] = []
        for texts in try await store.texts(of: items, in: registry) {
            if let texts { identifiers.append(try identifier(in: texts)) } else { identifiers.append(nil) }
        }
        return identifiers
    }

    private func identifier(in texts: [UInt8]) throws(StoreError) -> String {
        try ItemTexts.identifier(in: try sealing.open(texts, for: list.owner))
    }
}
