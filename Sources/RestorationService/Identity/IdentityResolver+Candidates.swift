extension IdentityResolver {
    /// An item of the asking device that may be the one.
    struct Candidate {
        var item: StoredItem
        var sharedAliases: Int
        var isLinked: Bool
    }

    /// Items of the asking device that share evidence with the subject themselves, the best first: what an operator
    /// decided, then whichever shares more aliases, then the later registered.
    func candidates(
        for subject: Subject, _ bearers: ArraySlice<[StoredItem]>
    ) async throws(StoreError) -> [Candidate] {
        var candidates: [Candidate] = []
        for items in bearers {
            for item in items where item.isLive {
                if let index = candidates.firstIndex(where: { $0.item.number == item.number }) {
                    candidates[index].sharedAliases += 1
                } else {
                    candidates.append(Candidate(item: item, sharedAliases: 1, isLinked: false))
                }
            }
        }
        if !links.isEmpty, let item = subject.item { try await apply(links, of: item, to: &candidates) }
        guard candidates.count > 1 else { return candidates }
        return candidates.sorted { one, other in
            if one.isLinked != other.isLinked { return one.isLinked }
            if one.sharedAliases != other.sharedAliases { return one.sharedAliases > other.sharedAliases }
            return (one.item.changedAt, one.item.number) > (other.item.changedAt, other.item.number)
        }
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
