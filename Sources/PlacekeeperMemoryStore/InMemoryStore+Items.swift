package import PlacekeeperCore
package import PlacekeeperMatching
import PlacekeeperService

extension InMemoryStore {
    /// One device's registration of a data source.
    struct RegistryRecord {
        var device: DeviceID
        var state = RegistrationState()
        var lastOrdinal: Int64 = 0
        var items: [LookupKey: StoredItem] = [:]
        /// The sealed texts of each item.
        var texts: [LookupKey: [UInt8]] = [:]
        /// The number of bytes in `texts`.
        var textBytes = 0
        /// When each removed item was removed.
        var removedAt: [LookupKey: Timestamp] = [:]

        var live: some Sequence<StoredItem> { items.values.lazy.filter(\.isLive) }

        /// The aliases that two or more live items share.
        var ambiguous: Set<LookupKey> {
            var seen: Set<LookupKey> = []
            return Set(live.flatMap(\.aliases).filter { !seen.insert($0).inserted })
        }
    }

    package func declare(
        _ source: DataSource, named name: String, of app: AppID, overriding: Bool
    ) -> Committed<Declaration> {
        let result = add(source, named: name, of: app, overriding: overriding)
        return commit(result, .declaration(result == .declared))
    }

    private func add(
        _ source: DataSource, named name: String, of app: AppID, overriding: Bool
    ) -> Declaration {
        guard let known = registeredApps[app]?.dataSources else { return .noApp }
        if known[name] == source { return .known }
        if let other = known[name], !overriding { return .differs(other) }
        guard overriding || known.count < Limits.dataSources else { return .tooMany }
        registeredApps[app]?.dataSources[name] = source
        return .declared
    }

    package func undeclare(_ name: String, of app: AppID) -> Committed<Bool> {
        let isRemoved = registeredApps[app]?.dataSources.removeValue(forKey: name) != nil
        return commit(isRemoved, .declaration(isRemoved))
    }

    package func apply(
        _ delta: PreparedDelta, to list: ItemList, of device: DeviceID, limit: Int
    ) throws(StoreError) -> Committed<DeltaResult> {
        let result = try carryOut(delta, on: list, of: device, limit: limit)
        return commit(result, .write(to: list.owner, result.isApplied))
    }

    private func carryOut(
        _ delta: PreparedDelta, on list: ItemList, of device: DeviceID, limit: Int
    ) throws(StoreError) -> DeltaResult {
        let records = lists[list, default: []]
        let index = records.firstIndex { $0.device == device }
        var record = index.map { records[$0] } ?? RegistryRecord(device: device)
        let (items, texts) = (record.items, record.texts)
        var facts = DeltaFacts()
        facts.isActorKnown = devices[device]?.owner == list.owner
        facts.state = record.state
        facts.removedCount = record.removedAt.count
        facts.items = delta.keys.map { items[$0] }
        facts.quotas = quotaFacts(of: list.owner)
        let decision = try DeltaDecision(delta, in: facts, limit: limit) { keys in
            keys.map { items[$0] }
        } liveCounts: { aliases in
            let held = items.values.lazy.filter(\.isLive).flatMap(\.aliases).map { ($0, 1) }
            let counts = Dictionary(held, uniquingKeysWith: +)
            return aliases.map { counts[$0] ?? 0 }
        } texts: { items in
            items.map { texts[$0.key] }
        }
        switch decision {
        case .answer(let result): return result
        case .write(let changes):
            let before = record.textBytes
            record.write(changes, at: delta.time)
            count(Usage(bytes: record.textBytes - before), of: list.owner)
            if let index { lists[list]?[index] = record } else { lists[list, default: []].append(record) }
            users[list.owner]?.note(delta.time)
            return .applied(changes.state)
        }
    }

    package func registries(of list: ItemList) -> [Registry] {
        let records = lists[list, default: []]
        let inOrder = records.filter { devices[$0.device] != nil } + records.filter { devices[$0.device] == nil }
        return inOrder.prefix(Limits.registries).map { record in
            Registry(
                list: list, device: record.device, state: record.state, ambiguousAliasCount: record.ambiguous.count,
                removedCount: record.removedAt.count)
        }
    }

    package func items(_ keys: [LookupKey], in registry: Registry) -> [StoredItem?] {
        let record = record(of: registry)
        return keys.map { record?.items[$0] }
    }

    package func items(withAliases aliases: [LookupKey], in registry: Registry) -> [[StoredItem]] {
        guard let record = record(of: registry) else { return aliases.map { _ in [] } }
        let itemsByAlias = Dictionary(
            grouping: record.items.values.flatMap { item in item.aliases.map { (alias: $0, item: item) } }, by: \.alias)
        return aliases.map { alias in
            let items = (itemsByAlias[alias] ?? []).map(\.item).sorted {
                $0.isLive == $1.isLive ? $0.ordinal > $1.ordinal : $0.isLive
            }
            return Array(items.prefix(2))
        }
    }

    package func textsOfSoleItems(withAliases aliases: [LookupKey], in registry: Registry) -> [[UInt8]?] {
        items(withAliases: aliases, in: registry).map { items in
            items.count == 1 && items[0].isLive ? texts(of: items, in: registry)[0] : nil
        }
    }

    package func texts(of items: [StoredItem], in registry: Registry) -> [[UInt8]?] {
        let record = record(of: registry)
        return items.map { record?.texts[$0.key] }
    }

    package func areAmbiguous(_ aliases: [LookupKey], in registry: Registry) -> [Bool] {
        let ambiguous = record(of: registry)?.ambiguous ?? []
        return aliases.map(ambiguous.contains)
    }

    package func ambiguousAliases(above key: LookupKey?, in registry: Registry, limit: Int) -> [LookupKey] {
        let ambiguous = record(of: registry)?.ambiguous ?? []
        let above = ambiguous.filter { $0.rawValue > key?.rawValue ?? .min }
        return Array(above.sorted { $0.rawValue < $1.rawValue }.prefix(limit))
    }

    package func items(next position: Int64, behind: Bool, in registry: Registry, limit: Int) -> [StoredItem] {
        guard let record = record(of: registry) else { return [] }
        let placed = record.live.compactMap { item in item.position.map { (position: $0, item: item) } }
        let side = placed.filter { behind ? $0.position >= position : $0.position < position }
        let sorted = side.sorted { one, other in
            let isBefore = (one.position, one.item.key.rawValue) < (other.position, other.item.key.rawValue)
            return behind ? isBefore : !isBefore
        }
        return sorted.prefix(limit).map(\.item)
    }

    package func items(above key: LookupKey?, in registry: Registry, limit: Int) -> [StoredItem] {
        let items = record(of: registry)?.live.filter { $0.key.rawValue > key?.rawValue ?? .min } ?? []
        return Array(items.sorted { $0.key.rawValue < $1.key.rawValue }.prefix(limit))
    }

    package func links(in list: ItemList) -> [Link] { decisions[list, default: []] }

    package func items(_ keys: [(user: UserID, key: LookupKey)], of app: AppID) -> [RegisteredItem] {
        keys.flatMap { user, key in
            lists.filter { $0.key.owner == UserKey(app: app, user: user) }.flatMap { list, records in
                records.compactMap { record in
                    guard record.items[key]?.isLive == true, let texts = record.texts[key] else { return nil }
                    return RegisteredItem(list: list, device: record.device, texts: texts)
                }
            }
        }
    }

    private func record(of registry: Registry) -> RegistryRecord? {
        lists[registry.list]?.first { $0.device == registry.device }
    }

    /// Drops items removed longer ago than `Retention.tombstones`, and the registrations of devices that left the user
    /// and have no archives.
    func pruneItems(at time: Timestamp) {
        let before = lists.mapValues { $0.reduce(0) { $0 + $1.textBytes } }
        lists = lists.mapValues { records in
            records.map { record in
                var record = record
                for (key, removedAt) in record.removedAt where removedAt < time - Retention.tombstones {
                    record.forget(key)
                }
                return record
            }
        }
        // A revoked device's registration is needed as long as any of its archives is kept.
        for (list, records) in lists {
            let scenes = users[list.owner]?.scenes.values.map { $0.archives + $0.deleted.values.map(\.stored) }.joined()
            let authors = Set((scenes ?? [[]].joined()).map(\.archive.device))
            lists[list] = records.filter { devices[$0.device] != nil || authors.contains($0.device) }
        }
        for (list, records) in lists {
            let dropped = before[list, default: 0] - records.reduce(0) { $0 + $1.textBytes }
            count(Usage(bytes: -dropped), of: list.owner)
        }
    }
}

extension InMemoryStore.RegistryRecord {
    /// Drops the `count` items that were removed first.
    fileprivate mutating func forgetOldest(_ count: Int) {
        guard count > 0 else { return }
        let inOrder = removedAt.sorted { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }
        for (key, _) in inOrder.prefix(count) { forget(key) }
    }

    fileprivate mutating func forget(_ key: LookupKey) {
        items[key] = nil
        textBytes -= texts[key]?.count ?? 0
        texts[key] = nil
        removedAt[key] = nil
    }

    fileprivate mutating func write(_ changes: DeltaChanges, at time: Timestamp) {
        for change in changes.items {
            let key = change.item.key
            items[key] = change.item
            if change.before == nil {
                lastOrdinal += 1
                items[key]?.ordinal = lastOrdinal
            }
            if let texts = change.texts { self.texts[key] = texts }
            removedAt[key] = change.item.isLive ? nil : time
        }
        state = changes.state
        textBytes += changes.textBytes
        forgetOldest(changes.forgottenCount)
    }
}
