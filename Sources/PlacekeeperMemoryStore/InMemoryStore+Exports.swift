package import PlacekeeperCore
package import PlacekeeperMatching
package import PlacekeeperService

extension InMemoryStore {
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

    package func add(_ records: [ImportedRecord], to owner: UserKey) throws(StoreError) -> Committed<Bool> {
        guard var user = users[owner] else { throw .userGone }
        var isNew = true
        var usage = Usage()
        for record in records {
            switch record {
            case .scene(let name, let forgotten):
                user.scenes[name, default: SceneRecord()].forgotten = forgotten
            case .archive(let exported):
                let stored = StoredArchive(exported, owner)
                user.scenes[exported.archive.scene.name, default: SceneRecord()].insert(stored)
                usage += stored.usage
            case .change(let change):
                user.changes.append(change)
                if let scene = change.scene { user.scenes[scene] = user.scenes[scene] ?? SceneRecord() }
            case .items(let items):
                isNew = isNew && add(items, to: owner)
                usage += Usage(bytes: items.items.reduce(0) { $0 + $1.texts.count })
            }
        }
        users[owner] = user
        count(usage, of: owner)
        return commit(isNew, .write(to: owner))
    }

    /// Returns false if an item is already registered.
    private func add(_ new: ImportedItems, to owner: UserKey) -> Bool {
        let list = ItemList(owner: owner, dataSource: new.dataSource)
        let index = lists[list, default: []].firstIndex { $0.device == new.device }
        var record = index.flatMap { lists[list]?[$0] } ?? RegistryRecord(device: new.device)
        guard record.add(new) else { return false }
        if let index { lists[list]?[index] = record } else { lists[list, default: []].append(record) }
        return true
    }
}

extension InMemoryStore.StoredArchive {
    fileprivate init(_ exported: ExportedArchive, _ owner: UserKey) {
        self.init(archive: exported.archive, bytes: exported.bytes)
        archive.scene.owner = owner
        archive.hasScreenshot = exported.screenshot != nil
        archive.hasOutcomes = !exported.outcomes.isEmpty
        screenshot = exported.screenshot
        outcomes = exported.outcomes
    }
}

extension InMemoryStore.RegistryRecord {
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
