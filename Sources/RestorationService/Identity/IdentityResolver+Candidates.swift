extension IdentityResolver {
    /// An item of the asking device that may be the one.
    struct Candidate {
        var item: StoredItem
        var sharedAliases: Int
        var isLinked: Bool
    }

    /// Items of the asking device that share evidence with the subject themselves, the best first: what an operator
    /// decided, then whichever shares more aliases, then the later registered. Where there are none, what took the place
    /// of those that shared evidence.
    func candidates(
        for subject: Subject, _ bearers: ArraySlice<[StoredItem]>, _ replacements: [Int64: StoredItem]
    ) async throws(StoreError) -> [Candidate] {
        var candidates: [Candidate] = []
        for item in bearers.joined() where item.isLive { add(item, to: &candidates) }
        if !links.isEmpty, let item = subject.item { try await apply(links, of: item, to: &candidates) }
        if candidates.isEmpty {
            let others = subject.item.map { partners(of: $0, on: source).filter { $0.link.kind == .different } } ?? []
            for items in bearers {
                guard let item = items.first.flatMap({ replacements[$0.number] }),
                    !others.contains(where: { $0.end.device == asker && $0.end.key == item.key })
                else { continue }
                add(item, to: &candidates)
            }
        }
        guard candidates.count > 1 else { return candidates }
        return candidates.sorted { one, other in
            if one.isLinked != other.isLinked { return one.isLinked }
            if one.sharedAliases != other.sharedAliases { return one.sharedAliases > other.sharedAliases }
            return (one.item.changedAt, one.item.number) > (other.item.changedAt, other.item.number)
        }
    }

    private func add(_ item: StoredItem, to candidates: inout [Candidate]) {
        if let index = candidates.firstIndex(where: { $0.item.number == item.number }) {
            candidates[index].sharedAliases += 1
        } else {
            candidates.append(Candidate(item: item, sharedAliases: 1, isLinked: false))
        }
    }

    /// Live items that took the place of others on the asking device, by the numbers of those. Of the bearers of an alias
    /// only the first can say so.
    func replacements(_ bearers: [[StoredItem]]) async throws(StoreError) -> [Int64: StoredItem] {
        let replaced = bearers.compactMap(\.first).filter { item in
            if case .replaced = item.presence { true } else { false }
        }
        guard !replaced.isEmpty, let registry = registry(of: asker) else { return [:] }
        var replacements: [Int64: StoredItem] = [:]
        for (index, successor) in try await successors(of: replaced, in: registry) {
            if let successor, successor.isLive { replacements[replaced[index].number] = successor }
        }
        return replacements
    }

    private func apply(
        _ links: [Link], of item: StoredItem, to candidates: inout [Candidate]
    ) async throws(StoreError) {
        guard let registry = registry(of: asker) else { return }
        for (link, end) in partners(of: item, on: source) where end.device == asker {
            switch link.kind {
            case .different: candidates.removeAll { $0.item.key == end.key }
            case .same:
                if let index = candidates.firstIndex(where: { $0.item.key == end.key }) {
                    candidates[index].isLinked = true
                } else if let linked = try await store.items([end.key], in: registry)[0], linked.isLive {
                    candidates.append(Candidate(item: linked, sharedAliases: 0, isLinked: true))
                }
            }
        }
    }

    /// The decisions on an item, each with its other end.
    func partners(of item: StoredItem, on device: DeviceID) -> [(link: Link, end: Link.End)] {
        links.compactMap { link in
            if link.first.device == device, link.first.key == item.key { return (link, link.second) }
            if link.second.device == device, link.second.key == item.key { return (link, link.first) }
            return nil
        }
    }
}
