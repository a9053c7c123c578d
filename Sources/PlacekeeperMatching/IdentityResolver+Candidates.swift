import PlacekeeperCore

extension IdentityResolver {
    /// An item of the requesting device that may be the subject.
    struct Candidate {
        var item: StoredItem
        var sharedAliases: Int
        /// The first shared alias. Nil if an operator's decision alone leads to the item.
        var alias: LookupKey?
        /// Whether only items that this item replaced share aliases.
        var isReplacement = false
        /// Whether an operator decided that the item, or one that it replaced, is the subject.
        var isDecided: Bool
    }

    /// The requesting device's items that may be the subject, or were the subject before they were removed.
    struct Candidates {
        /// The live items, the best match first.
        var items: [Candidate] = []
        /// A removed item that was the subject.
        var removedItem: StoredItem?
        /// The aliases of items that an operator declared different from the subject.
        var aliasesOfOtherItems: Set<LookupKey> = []
    }

    /// The requesting device's items that may be one subject, and the decisions about them.
    struct CandidateLookup {
        /// For each alias of the subject, the items that have it.
        ///
        /// Removed items that an operator declared different from the subject are left out. Live ones are included:
        /// they can't become candidates, but they rule out the replacement of a removed item with the same alias.
        var itemsByAlias: [[StoredItem]]
        /// The items that an operator declared the same as the subject.
        var same: [LookupKey] = []
        /// The items that an operator declared different from the subject.
        var different: Set<LookupKey> = []
    }

    /// Collects the stored facts about a subject. Removed items that an operator declared different from it are left
    /// out here, so no later step uses them.
    func candidateLookup(for subject: Subject, _ itemsByAlias: ArraySlice<[StoredItem]>) -> CandidateLookup {
        var lookup = CandidateLookup(itemsByAlias: Array(itemsByAlias))
        let decided = decisions(about: subject.keys, on: sourceDevice).filter { $0.end.device == requestingDevice }
        guard !decided.isEmpty else { return lookup }
        let different = Set(decided.lazy.filter { $0.link.kind == .different }.map(\.end.key))
        lookup.same = decided.filter { $0.link.kind == .same && !different.contains($0.end.key) }.map(\.end.key)
        lookup.itemsByAlias = itemsByAlias.map { items in items.filter { $0.isLive || !different.contains($0.key) } }
        lookup.different = different
        return lookup
    }

    /// Returns the requesting device's items that share evidence with the subject directly. Items that an operator
    /// declared the same come first, then those with more shared aliases, then those registered or changed later.
    ///
    /// If there are none, returns the live replacements of removed items that share evidence. Also returns a removed
    /// item that was the subject, if there is one.
    func candidates(
        for subject: Subject, _ lookup: CandidateLookup, _ replacements: [LookupKey: StoredItem]
    ) async throws(StoreError) -> Candidates {
        let different = lookup.different
        var candidates: [Candidate] = []
        for (index, items) in lookup.itemsByAlias.enumerated() {
            for item in items where item.isLive && !different.contains(item.key) {
                add(item, by: subject.aliases[index], to: &candidates)
            }
        }
        var removedItem: StoredItem?
        if !lookup.same.isEmpty, let registry = registry(of: requestingDevice) {
            removedItem = try await add(decided: lookup.same, in: registry, without: different, to: &candidates)
        }
        if candidates.isEmpty {
            for (index, items) in lookup.itemsByAlias.enumerated() {
                guard let item = items.first.flatMap({ replacements[$0.key] }), !different.contains(item.key) else {
                    continue
                }
                add(item, by: subject.aliases[index], isReplacement: true, to: &candidates)
            }
        }
        if candidates.count > 1 {
            candidates.sort { one, other in
                if one.isDecided != other.isDecided { return one.isDecided }
                if one.sharedAliases != other.sharedAliases { return one.sharedAliases > other.sharedAliases }
                return (one.item.changedAt, one.item.ordinal) > (other.item.changedAt, other.item.ordinal)
            }
        }
        return Candidates(
            items: candidates,
            removedItem: removedItem
                ?? lookup.itemsByAlias.joined().first { !$0.isLive && !$0.isOfLostAliases },
            aliasesOfOtherItems: try await aliases(of: different, besides: subject))
    }

    /// Returns the aliases of `different`, the requesting device's items that an operator declared different from the
    /// subject. If one of them isn't registered, it may have any alias, so returns all aliases that came with the
    /// subject.
    private func aliases(
        of different: Set<LookupKey>, besides subject: Subject
    ) async throws(StoreError) -> Set<LookupKey> {
        guard sourceDevice != requestingDevice, !different.isEmpty, !subject.receivedAliases.isEmpty else { return [] }
        guard let registry = registry(of: requestingDevice) else { return Set(subject.receivedAliases) }
        let items = try await store.items(Array(different), in: registry)
        return Set(items.contains { $0 == nil } ? subject.receivedAliases : items.flatMap { $0?.aliases ?? [] })
    }

    private func add(
        _ item: StoredItem, by alias: LookupKey, isReplacement: Bool = false, to candidates: inout [Candidate]
    ) {
        if let index = candidates.firstIndex(where: { $0.item.key == item.key }) {
            candidates[index].sharedAliases += 1
        } else {
            candidates.append(
                Candidate(
                    item: item, sharedAliases: 1, alias: alias, isReplacement: isReplacement, isDecided: false))
        }
    }

    /// Returns live items that replaced other items of the requesting device, by the key of the replaced item.
    /// Considers only the first item of each alias.
    func replacements(
        _ itemsByAlias: some Sequence<[StoredItem]>
    ) async throws(StoreError) -> [LookupKey: StoredItem] {
        let replaced = itemsByAlias.compactMap(\.first).filter { item in
            if case .replaced = item.presence { true } else { false }
        }
        guard !replaced.isEmpty, let registry = registry(of: requestingDevice) else { return [:] }
        var replacements: [LookupKey: StoredItem] = [:]
        for (index, succession) in try await successions(of: replaced, in: registry) {
            if let end = succession.end, end.isLive { replacements[replaced[index].key] = end }
        }
        return replacements
    }

    /// Adds to `candidates` the live items that an operator declared the same as the subject, or their live
    /// replacements. Leaves out the items in `different`.
    ///
    /// - Returns: a removed item that an operator declared the same as the subject.
    private func add(
        decided keys: [LookupKey], in registry: Registry, without different: Set<LookupKey>,
        to candidates: inout [Candidate]
    ) async throws(StoreError) -> StoredItem? {
        let decided = try await store.items(keys, in: registry)
        let successions = try await successions(of: decided, in: registry)
        var removedItem: StoredItem?
        for (index, item) in decided.enumerated() {
            guard let item else { continue }
            let current = item.isLive ? item : successions[index]?.end
            guard let current, current.isLive else {
                removedItem = removedItem ?? item
                continue
            }
            if different.contains(current.key) { continue }
            if let index = candidates.firstIndex(where: { $0.item.key == current.key }) {
                candidates[index].isDecided = true
            } else {
                candidates.append(Candidate(item: current, sharedAliases: 0, isDecided: true))
            }
        }
        return removedItem
    }

    /// Returns the decisions about items of a device, each with the other of its two items.
    func decisions(about keys: [LookupKey], on device: DeviceID) -> [Decision] {
        guard !decisions.isEmpty else { return [] }
        return keys.flatMap { decisions[Link.End(device: device, key: $0, texts: [])] ?? [] }
    }
}
