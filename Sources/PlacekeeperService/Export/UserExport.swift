import PlacekeeperCore
import PlacekeeperMatching

/// Reads all of a user's data, one record at a time (docs/export-format.md). Holds at most one page and one archive in
/// memory.
///
/// The export is not a snapshot of a single moment: each record is read at its own time. Changes made during the export
/// may or may not be included.
package struct UserExport: Sendable {
    /// The part to read next.
    private enum Step: Sendable {
        case devices
        case scenes(after: String?)
        case archives(SceneKey, below: Archive.Position?)
        case changes(after: Revision)
        case dataSources(after: String?)
        case registrations(ItemList, ArraySlice<Registry>)
        case items(Registry, after: Int64?, rest: ArraySlice<Registry>)
        case end
    }

    /// A record, or an archive whose bytes haven't been read yet.
    private enum Entry: Sendable {
        case record(ExportRecord)
        case archive(Archive)
    }

    package let header: ExportHeader
    private let service: RestorationService
    private let owner: UserKey
    private var step = Step.devices
    /// Entries that were read but not yet returned.
    private var entries: ArraySlice<Entry> = []
    /// Scenes whose archives haven't been read yet.
    private var scenes: ArraySlice<SceneFacts> = []

    init(of owner: UserKey, header: ExportHeader, service: RestorationService) {
        self.owner = owner
        self.header = header
        self.service = service
    }

    /// Returns the next record, or nil after the last.
    package mutating func next() async throws(ServiceError) -> ExportRecord? {
        while true {
            switch entries.popFirst() {
            case .record(let record)?: return record
            case .archive(let archive)?:
                if let exported = try await service.exports.exported(archive) { return .archive(exported) }
            case nil:
                if case .end = step { return nil }
                try await read()
            }
        }
    }

    /// Reads the next page into `entries`. The page may be empty.
    private mutating func read() async throws(ServiceError) {
        switch step {
        case .devices: try await readDevices()
        case .scenes(let last): try await readScene(after: last)
        case .archives(let scene, let position): try await readArchives(of: scene, below: position)
        case .changes(let last): try await readChanges(after: last)
        case .dataSources(let last): try await readDataSource(after: last)
        case .registrations(let list, let rest): try await beginRegistration(rest, of: list)
        case .items(let registry, let last, let rest): try await readItems(of: registry, after: last, rest: rest)
        case .end: break
        }
    }

    private mutating func readDevices() async throws(ServiceError) {
        let owner = owner
        let (revision, devices) = try await service.ask { store async throws(StoreError) in
            (
                try await store.changes(of: owner, after: Revision(rawValue: .max), limit: 1).latest,
                try await store.devices(of: owner)
            )
        }
        entries = [.record(.revision(revision))] + devices.map { .record(.device($0)) }
        step = .scenes(after: nil)
    }

    private mutating func readScene(after last: String?) async throws(ServiceError) {
        if scenes.isEmpty {
            let owner = owner
            scenes = try await service.ask { store async throws(StoreError) in
                try await store.scenes(of: owner, after: last, limit: Limits.page)
            }[...]
        }
        guard let scene = scenes.popFirst() else {
            step = .changes(after: try await firstRevision())
            return
        }
        // The store also lists scenes that contain only tombstones.
        guard scene.forgotten != nil || scene.archiveCount > 0 else {
            step = .scenes(after: scene.name)
            return
        }
        entries = [.record(.scene(name: scene.name, forgotten: scene.forgotten))]
        step = .archives(SceneKey(owner: owner, name: scene.name), below: nil)
    }

    private mutating func readArchives(
        of scene: SceneKey, below position: Archive.Position?
    ) async throws(ServiceError) {
        let archives = try await service.ask { store async throws(StoreError) in
            try await store.history(of: scene, below: position, limit: Limits.page).archives
        }
        entries = archives.map { .archive($0) }[...]
        if archives.count == Limits.page, let last = archives.last {
            step = .archives(scene, below: last.position)
        } else {
            step = .scenes(after: scene.name)
        }
    }

    /// Returns the oldest revision after which a device can still read all changes.
    private func firstRevision() async throws(ServiceError) -> Revision {
        let owner = owner
        let latest = try await service.ask { store async throws(StoreError) in
            try await store.changes(of: owner, after: Revision(rawValue: .max), limit: 1).latest
        }
        return Revision(rawValue: max(0, latest.rawValue - Int64(Limits.changesBehind)))
    }

    private mutating func readChanges(after last: Revision) async throws(ServiceError) {
        let owner = owner
        let changes = try await service.ask { store async throws(StoreError) in
            try await store.changes(of: owner, after: last, limit: Limits.page).changes
        }
        entries = changes.map { .record(.change($0)) }[...]
        if changes.count == Limits.page, let end = changes.last {
            step = .changes(after: end.revision)
        } else {
            step = .dataSources(after: nil)
        }
    }

    private mutating func readDataSource(after last: String?) async throws(ServiceError) {
        let owner = owner
        let found = try await service.ask { store async throws(StoreError) -> (ItemList, [Registry])? in
            guard let name = try await store.dataSources(of: owner, after: last, limit: 1).first else { return nil }
            let list = ItemList(owner: owner, dataSource: name)
            return (list, try await store.registries(of: list))
        }
        guard let (list, registries) = found else {
            step = .end
            return
        }
        step = .registrations(list, registries[...])
    }

    /// Starts the next registration. After the last one, reads the decisions.
    private mutating func beginRegistration(
        _ registries: ArraySlice<Registry>, of list: ItemList
    ) async throws(ServiceError) {
        guard let registry = registries.first else {
            let decisions = try await service.lists.decisions(in: list).sorted(by: Lists.Decision.isBefore)
            entries = decisions.map { .record(.decision($0, dataSource: list.dataSource)) }[...]
            step = .dataSources(after: list.dataSource)
            return
        }
        entries = [
            .record(
                .registration(
                    ExportedRegistration(
                        dataSource: list.dataSource, device: registry.device, cursor: registry.state.cursor,
                        digest: registry.state.digest)))
        ]
        step = .items(registry, after: nil, rest: registries.dropFirst())
    }

    private mutating func readItems(
        of registry: Registry, after last: Int64?, rest: ArraySlice<Registry>
    ) async throws(ServiceError) {
        let service = service
        // Finding a page may take long, so read it on the offload queue.
        let page = try await service.offload(for: owner) { () async throws(ServiceError) in
            try await service.exports.exportedItems(after: last, in: registry)
        }.get()
        entries = page.items.map { .record(.item($0)) }[...]
        if let last = page.last {
            step = .items(registry, after: last, rest: rest)
        } else {
            step = .registrations(registry.list, rest)
        }
    }
}

extension Lists.Decision {
    /// Sorts decisions for an export. If two decisions were made at the same time, the store's own order depends on the
    /// lookup secret.
    fileprivate static func isBefore(_ one: Self, _ other: Self) -> Bool {
        if one.decidedAt != other.decidedAt { return one.decidedAt < other.decidedAt }
        if one.first.device != other.first.device { return one.first.device < other.first.device }
        if one.second.device != other.second.device { return one.second.device < other.second.device }
        let (left, right) = (one.first.identifier.utf8, other.first.identifier.utf8)
        return left.elementsEqual(right)
            ? one.second.identifier.utf8.lexicographicallyPrecedes(other.second.identifier.utf8)
            : left.lexicographicallyPrecedes(right)
    }
}
