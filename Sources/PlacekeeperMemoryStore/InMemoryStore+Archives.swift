package import PlacekeeperCore
package import PlacekeeperService

extension InMemoryStore {
    package func history(
        of scene: SceneKey, below position: Archive.Position?, limit: Int
    ) -> HistoryPage {
        HistoryPage(
            archives: candidates(in: scene, device: nil, below: position, limit: limit),
            head: head(of: scene)?.revision)
    }

    package func choose(_ choice: Choice, limit: Int) -> Chosen {
        var choice = choice
        choice.head = choice.head ?? head(of: choice.scene)
        let page = candidates(in: choice.scene, device: choice.device, below: choice.position, limit: limit)
        for archive in page {
            let outcomes = outcomes(of: archive.id, in: choice.scene)
            if case .stop(let needsBytes) = choice.consider(archive, outcomes: outcomes) {
                return Chosen(choice, bytes: needsBytes ? bytes(of: archive) : nil)
            }
        }
        return Chosen(choice, hasMore: page.count == limit)
    }

    private func candidates(
        in scene: SceneKey, device: DeviceID?, below position: Archive.Position?, limit: Int
    ) -> [Archive] {
        let matching = (record(of: scene)?.archives ?? []).lazy.map(\.archive).filter { archive in
            (device == nil || archive.device == device) && (position.map { archive.position < $0 } ?? true)
        }
        return Array(matching.prefix(limit))
    }

    package func archive(_ id: ArchiveID, in scene: SceneKey) -> ArchiveLookup {
        if let stored = stored(id, in: scene) { return .stored(stored.archive) }
        return record(of: scene)?.tombstones[id] == nil ? .none : .deleted
    }

    package func search(for id: ArchiveID, in app: AppID, from step: Int64) -> ArchiveSearch {
        var scenes: [SceneKey] = []
        for (owner, user) in users where owner.app == app {
            for (name, scene) in user.scenes where scene.index(of: id) != nil {
                scenes.append(SceneKey(owner: owner, name: name))
            }
        }
        return ArchiveSearch(scenes: scenes, next: nil)
    }

    package func bytes(of archive: Archive) -> [UInt8]? {
        stored(archive.id, in: archive.scene).flatMap { $0.archive.digest == archive.digest ? $0.bytes : nil }
    }

    package func head(of scene: SceneKey) -> Archive.Position? { record(of: scene)?.head?.position }

    package func sceneHeads(of owner: UserKey, behind scene: String?, limit: Int) -> [Archive] {
        let scenes = (users[owner]?.scenes ?? [:]).filter { $0.key > scene ?? "" && $0.value.head != nil }
        return scenes.sorted { $0.key < $1.key }.prefix(limit).compactMap(\.value.head)
    }

    package func heads(of owner: UserKey, below position: Archive.Position?, limit: Int) -> [DeviceHead] {
        let scenes = users[owner]?.scenes.values.map { scene in
            var devices: Set<DeviceID> = []
            return scene.archives.map(\.archive).filter { devices.insert($0.device).inserted }
                .map { DeviceHead(archive: $0, isSceneHead: $0.revision == scene.head?.revision) }
        }
        let heads = (scenes ?? []).joined().filter { head in position.map { head.archive.position < $0 } ?? true }
        return Array(heads.sorted { $0.archive.position > $1.archive.position }.prefix(limit))
    }

    package func screenshot(for id: ArchiveID, in scene: SceneKey) -> Screenshot? { stored(id, in: scene)?.screenshot }

    func record(of scene: SceneKey) -> SceneRecord? { users[scene.owner]?.scenes[scene.name] }

    func stored(_ id: ArchiveID, in scene: SceneKey) -> StoredArchive? {
        record(of: scene).flatMap { record in record.index(of: id).map { record.archives[$0] } }
    }

    package func deletedArchives(in scene: SceneKey, at time: Timestamp) -> [DeletedArchive] {
        (record(of: scene)?.deleted.values.map { DeletedArchive(archive: $0.stored.archive, deletedAt: $0.at) } ?? [])
            .filter { Retention.isUndoable($0.deletedAt, at: time) }
            .sorted { ($0.deletedAt, $0.archive.revision) > ($1.deletedAt, $1.archive.revision) }
    }

    package func outcomes(of id: ArchiveID, in scene: SceneKey) -> [Outcome] { stored(id, in: scene)?.outcomes ?? [] }
}
