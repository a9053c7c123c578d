extension IdentityResolver {
    /// An item of the asking device that may be the one.
    struct Candidate {
        var item: StoredItem
        var sharedAliases: Int
        var isLinked: Bool
    }

    /// What the asking device itself has of a subject.
    struct Candidates {
        /// Those that may be the one, the best first.
        var items: [Candidate] = []
        /// One that was the one, and is gone.
        var gone: StoredItem?
        /// Aliases that lead to what was decided to be another.
        var refuted: Set<LookupKey> = []
    }

    /// What is asked of the asking device's items for one subject.
    struct Asked {
        /// Who bears each of its aliases there, without what is gone and was decided to be another. One that is live and
        /// another stands in the way of what was there before it all the same.
        var itemsByAlias: [[StoredItem]]
        /// What was decided to be the one, and what to be others.
        var same: [LookupKey] = []
        var others: Set<LookupKey> = []
    }

    /// What was decided counts before anything is concluded from what is gone.
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

    /// Items of the asking device that share evidence with the subject themselves: the best is what an operator
    /// decided, then whichever shares more aliases, then the later registered. Where there are none, what took the place
    /// of those that shared evidence; and where that is gone, an item that was the one.
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

    /// What bear the asking device's items that were decided to be others than a subject: all that came with it, where one
    /// of them is not registered, and may bear any.
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

    /// Live items that took the place of others on the asking device, by the numbers of those. Of the itemsByAlias of an alias
    /// only the first can say so.
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

    /// Adds what was decided to be the one, or what took its place.
    /// - Returns: one that is gone.
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

    /// The decisions on what a device calls by some keys, each with its other end.
    func partners(of keys: [LookupKey], on device: DeviceID) -> [Decision] {
        guard !decisions.isEmpty else { return [] }
        return keys.flatMap { decisions[Link.End(device: device, key: $0, texts: [])] ?? [] }
    }
}
