extension IdentityResolver {
    /// An item of the requesting device that may be the subject.
    struct Candidate {
        var item: StoredItem
        var sharedAliases: Int
        var isLinked: Bool
    }

    /// The items of the requesting device that may be the subject, or were.
    struct Candidates {
        /// The live items, the best match first.
        var items: [Candidate] = []
        /// A removed item that was the subject.
        var gone: StoredItem?
        /// The aliases of items that an operator decided to be different from the subject.
        var refuted: Set<LookupKey> = []
    }

    /// The stored facts about one subject on the requesting device.
    struct Asked {
        /// The items that have each alias of the subject. Removed items that an operator decided to be different are
        /// left out. A live item stays even if an operator decided that it is different: it hides the removed items
        /// that had the alias before.
        var itemsByAlias: [[StoredItem]]
        /// The items that an operator decided to be the subject (`same`), or to be different from the subject
        /// (`others`).
        var same: [LookupKey] = []
        var others: Set<LookupKey> = []
    }

    /// Collects the stored facts about a subject. Decisions are applied first, before anything is concluded from
    /// removed items.
    func asked(for subject: Subject, _ itemsByAlias: ArraySlice<[StoredItem]>) -> Asked {
        var asked = Asked(itemsByAlias: Array(itemsByAlias))
        let decided = partners(of: subject.keys, on: sourceDevice).filter { $0.end.device == requestingDevice }
        guard !decided.isEmpty else { return asked }
        let others = Set(decided.lazy.filter { $0.link.kind == .different }.map(\.end.key))
        asked.same = decided.filter { $0.link.kind == .same && !others.contains($0.end.key) }.map(\.end.key)
        asked.itemsByAlias = itemsByAlias.map { items in items.filter { $0.isLive || !others.contains($0.key) } }
        asked.others = others
        return asked
    }

    /// Returns the items of the requesting device that directly share evidence with the subject. Items that an
    /// operator decided to be the subject come first, then items with more shared aliases, then items registered
    /// later. If there are none, returns the live items that replaced removed items with shared evidence. If these
    /// are removed too, returns a removed item that was the subject.
    func candidates(
        for subject: Subject, _ asked: Asked, _ replacements: [Int64: StoredItem]
    ) async throws(StoreError) -> Candidates {
        let others = asked.others
        var candidates: [Candidate] = []
        for item in asked.itemsByAlias.joined() where item.isLive && !others.contains(item.key) {
            add(item, to: &candidates)
        }
        var gone: StoredItem?
        if !asked.same.isEmpty, let registry = registry(of: requestingDevice) {
            gone = try await add(linked: asked.same, in: registry, besides: others, to: &candidates)
        }
        if candidates.isEmpty {
            for items in asked.itemsByAlias {
                guard let item = items.first.flatMap({ replacements[$0.number] }), !others.contains(item.key) else {
                    continue
                }
                add(item, to: &candidates)
            }
        }
        if candidates.count > 1 {
            candidates.sort { one, other in
                if one.isLinked != other.isLinked { return one.isLinked }
                if one.sharedAliases != other.sharedAliases { return one.sharedAliases > other.sharedAliases }
                return (one.item.changedAt, one.item.number) > (other.item.changedAt, other.item.number)
            }
        }
        return Candidates(
            items: candidates, gone: gone ?? asked.itemsByAlias.joined().first { !$0.isLive },
            refuted: try await aliases(of: others, besides: subject))
    }

    /// Returns the aliases of items of the requesting device that an operator decided to be different from the
    /// subject. If one of these items is not registered, it may have any alias: then returns all aliases that came
    /// with the subject.
    private func aliases(
        of others: Set<LookupKey>, besides subject: Subject
    ) async throws(StoreError) -> Set<LookupKey> {
        guard sourceDevice != requestingDevice, !others.isEmpty, !subject.given.isEmpty else { return [] }
        guard let registry = registry(of: requestingDevice) else { return Set(subject.given) }
        let items = try await store.items(Array(others), in: registry)
        return Set(items.contains { $0 == nil } ? subject.given : items.flatMap { $0?.aliases ?? [] })
    }

    private func add(_ item: StoredItem, to candidates: inout [Candidate]) {
        if let index = candidates.firstIndex(where: { $0.item.number == item.number }) {
            candidates[index].sharedAliases += 1
        } else {
            candidates.append(Candidate(item: item, sharedAliases: 1, isLinked: false))
        }
    }

    /// Returns the live items that replaced other items of the requesting device, by the numbers of the replaced
    /// items. Only the first item of an alias counts.
    func replacements(_ itemsByAlias: some Sequence<[StoredItem]>) async throws(StoreError) -> [Int64: StoredItem] {
        let replaced = itemsByAlias.compactMap(\.first).filter { item in
            if case .replaced = item.presence { true } else { false }
        }
        guard !replaced.isEmpty, let registry = registry(of: requestingDevice) else { return [:] }
        var replacements: [Int64: StoredItem] = [:]
        for (index, succession) in try await successions(of: replaced, in: registry) {
            if let end = succession.end, end.isLive { replacements[replaced[index].number] = end }
        }
        return replacements
    }

    /// Adds the live items that an operator decided to be the subject, or their replacements.
    /// - Returns: a removed item that an operator decided to be the subject.
    private func add(
        linked keys: [LookupKey], in registry: Registry, besides others: Set<LookupKey>,
        to candidates: inout [Candidate]
    ) async throws(StoreError) -> StoredItem? {
        let linked = try await store.items(keys, in: registry)
        let successions = try await successions(of: linked, in: registry)
        var gone: StoredItem?
        for (index, item) in linked.enumerated() {
            guard let item else { continue }
            let one = item.isLive ? item : successions[index]?.end
            guard let one, one.isLive else {
                gone = gone ?? item
                continue
            }
            if others.contains(one.key) { continue }
            if let index = candidates.firstIndex(where: { $0.item.number == one.number }) {
                candidates[index].isLinked = true
            } else {
                candidates.append(Candidate(item: one, sharedAliases: 0, isLinked: true))
            }
        }
        return gone
    }

    /// Returns the decisions about items of a device, each with its other end.
    func partners(of keys: [LookupKey], on device: DeviceID) -> [Decision] {
        guard !decisions.isEmpty else { return [] }
        return keys.flatMap { decisions[Link.End(device: device, key: $0, texts: [])] ?? [] }
    }
}
