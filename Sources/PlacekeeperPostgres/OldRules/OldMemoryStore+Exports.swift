package import PlacekeeperService

extension OldMemoryStore {
    package func scenes(of owner: UserKey, after name: String?, limit: Int) -> [SceneFacts] {
        let scenes = (users[owner]?.scenes ?? [:]).filter { $0.key > name ?? "" }
        return scenes.sorted { $0.key < $1.key }.prefix(limit).map { name, scene in
            SceneFacts(
                name: name, forgotten: scene.forgotten, archiveCount: scene.archives.count,
                archiveBytes: scene.archives.reduce(0) { $0 + $1.bytes.count })
        }
    }

    package func dataSources(of owner: UserKey, after name: String?, limit: Int) -> [String] {
        let registered = lists.filter { $0.key.owner == owner && !$0.value.isEmpty }.map(\.key.dataSource)
        let decided = decisions.filter { $0.key.owner == owner && !$0.value.isEmpty }.map(\.key.dataSource)
        return Array(Set(registered + decided).filter { $0 > name ?? "" }.sorted().prefix(limit))
    }

    package func items(after ordinal: Int64?, in registry: Registry, limit: Int) -> [ListedItem] {
        guard let record = lists[registry.list]?.first(where: { $0.device == registry.device }) else { return [] }
        let items = record.items.values.filter { $0.ordinal > ordinal ?? 0 }.sorted { $0.ordinal < $1.ordinal }
        return items.prefix(limit).map { ListedItem($0, removedAt: record.removedAt[$0.key]) }
    }

    package func begin(_ user: ImportedUser) -> Committed<Bool> {
        guard users[user.owner] == nil else { return commit(false, .none) }
        var record = UserRecord(createdAt: user.createdAt)
        record.latest = user.revision
        record.prunedThrough = user.prunedThrough
        record.note(user.createdAt)
        users[user.owner] = record
        return commit(true, .write(to: user.owner))
    }

    package func add(_ records: [ImportedRecord], to owner: UserKey) throws(StoreError) -> Committed<Bool> {
        guard var user = users[owner] else { throw .userGone }
        var isNew = true
        for record in records {
            switch record {
            case .scene(let name, let forgotten):
                user.scenes[name, default: SceneRecord()].forgotten = forgotten
            case .archive(let exported):
                user.scenes[exported.archive.scene.name, default: SceneRecord()].insert(StoredArchive(exported, owner))
            case .change(let change):
                user.changes.append(change)
                if let scene = change.scene { user.scenes[scene] = user.scenes[scene] ?? SceneRecord() }
            case .items(let items): isNew = isNew && add(items, to: owner)
            }
        }
        users[owner] = user
        return commit(isNew, .write(to: owner))
    }

    /// Returns false if an item is registered already.
    private func add(_ new: ImportedItems, to owner: UserKey) -> Bool {
        let list = ItemList(owner: owner, dataSource: new.dataSource)
        let index = lists[list, default: []].firstIndex { $0.device == new.device }
        var record = index.flatMap { lists[list]?[$0] } ?? RegistryRecord(device: new.device)
        guard record.add(new) else { return false }
        if let index { lists[list]?[index] = record } else { lists[list, default: []].append(record) }
        return true
    }

    package func end(importOf owner: UserKey, devices new: [Device], account: Account?) throws(StoreError)
        -> Committed<ImportEnd>
    {
        guard users[owner] != nil else { throw .userGone }
        if let account, let known = userID(ofSubject: account.digest, in: owner.app), known != owner.user {
            return commit(.accountTaken, .none)
        }
        if let taken = new.first(where: { devices[$0.id] != nil }) { return commit(.deviceTaken(taken.id), .none) }
        for device in new { devices[device.id] = device }
        if let account { users[owner]?.subject = (account.digest, account.sealedSubject(owner)) }
        return commit(.done, .access(of: owner))
    }
}

extension OldMemoryStore.StoredArchive {
    fileprivate init(_ exported: ExportedArchive, _ owner: UserKey) {
        self.init(archive: exported.archive, bytes: exported.bytes)
        archive.scene.owner = owner
        archive.hasSnapshot = exported.snapshot != nil
        archive.hasOutcomes = !exported.outcomes.isEmpty
        snapshot = exported.snapshot
        snapshotSize = exported.snapshot?.bytes.count ?? 0
        outcomes = exported.outcomes
    }
}

extension OldMemoryStore.RegistryRecord {
    fileprivate mutating func add(_ new: ImportedItems) -> Bool {
        for imported in new.items {
            let key = imported.item.key
            guard items[key] == nil else { return false }
            lastOrdinal += 1
            items[key] = imported.item
            items[key]?.ordinal = lastOrdinal
            texts[key] = imported.texts
            textBytes += imported.texts.count
            removedAt[key] = imported.removedAt
            if imported.item.isLive {
                state.count += 1
                state.digest.toggle(imported.digest)
            }
        }
        state.cursor = new.cursor
        return true
    }
}
