package import PlacekeeperCore
import PlacekeeperMatching
package import PlacekeeperService

extension PostgresStore {
    package func scenes(of owner: UserKey, after name: String?, limit: Int) async throws(StoreError) -> [SceneFacts] {
        try await rows(
            """
            SELECT name, forgotten_at, coalesce(forgotten_revision, 0),
                (SELECT count(*) FROM archive WHERE app = $1 AND owner = $2 AND archive.scene = scene.name
                    AND deleted_at IS NULL),
                (SELECT coalesce(sum(size), 0)::bigint FROM archive WHERE app = $1 AND owner = $2
                    AND archive.scene = scene.name AND deleted_at IS NULL)
            FROM scene WHERE app = $1 AND owner = $2 AND name > $3 ORDER BY name LIMIT $4
            """, .id(owner.app), .id(owner.user), .text(name ?? ""), .int(limit)
        ).map { row throws(StoreError) in
            let (name, at, revision) = (try row.text(), try row.optionalTime(), try row.revision())
            return SceneFacts(
                name: name, forgotten: at.map { CaptureOrder.Forgotten(at: $0, revision: revision) },
                archiveCount: try row.count(), archiveBytes: try row.count())
        }
    }

    package func dataSources(of owner: UserKey, after name: String?, limit: Int) async throws(StoreError) -> [String] {
        try await rows(
            """
            SELECT data_source FROM (
                SELECT data_source FROM registry WHERE app = $1 AND owner = $2
                UNION SELECT data_source FROM link WHERE app = $1 AND owner = $2) AS names
            WHERE data_source > $3 ORDER BY data_source LIMIT $4
            """, .id(owner.app), .id(owner.user), .text(name ?? ""), .int(limit)
        ).map { row throws(StoreError) in try row.text() }
    }

    package func add(_ records: [ImportedRecord], to owner: UserKey) async throws(StoreError) -> Committed<Bool> {
        let items = records.compactMap { record in if case .items(let part) = record { part } else { nil } }
        return try await writing(to: owner) { work, server, end throws(Failure) in
            guard let user = work.user(owner), user.exists else { throw .store(.userGone) }
            guard let found = try await self.statements(for: items, of: owner) else { return Committed(false, .none) }
            var write = WriteStatements()
            var usage = Usage(bytes: found.bytes)
            for record in records { usage += write.add(record, to: owner) }
            write.requirements[owner] = .user(owner, version: user.version, raise: 1, nil)
            write.statements += found.statements
            write.statements.append(
                Statement(Self.countImported, owner.values + [.int(usage.bytes), .int(usage.archives)]))
            write.usage[owner] = usage
            write.server = server
            try await self.commits.commit(write, until: end)
            self.tell(.write(to: owner))
            return Committed(true, .write(to: owner))
        }
    }

    private static let countImported = """
        UPDATE users SET bytes = bytes + $3, archives = archives + $4, fresh_version = fresh_version + 1,
            scenes = (SELECT count(*) FROM scene WHERE app = $1 AND owner = $2),
            held_scenes = (
                SELECT count(DISTINCT scene) FROM archive WHERE app = $1 AND owner = $2 AND deleted_at IS NULL)
        WHERE app = $1 AND owner = $2
        """

    /// Returns the statements that add imported items, and the size of their texts in bytes. `nil` if an item is
    /// already registered.
    private func statements(
        for parts: [ImportedItems], of owner: UserKey
    ) async throws(Failure) -> (statements: [Statement], bytes: Int)? {
        guard !parts.isEmpty else { return ([], 0) }
        var registrations: [ItemList: [DeviceID: ImportedRegistration]] = [:]
        let next = try await found(
            "SELECT coalesce(max(number), 0) + 1 FROM registry WHERE app = $1 AND owner = $2", .id(owner.app),
            .id(owner.user))
        var statements: [Statement] = []
        var sum = 0
        do throws(StoreError) {
            var number = try next.first { row throws(StoreError) in try row.number(.revision) } ?? 1
            for part in parts {
                let list = ItemList(owner: owner, dataSource: part.dataSource)
                var known = registrations[list]?[part.device]
                if known == nil { known = try await registration(of: part.device, in: list) }
                var registration: ImportedRegistration
                if let known {
                    registration = known
                } else {
                    registration = ImportedRegistration(number: number)
                    statements.append(
                        ItemWriter(owner: owner, registry: number, lastOrdinal: 0).insertion(
                            part.dataSource, part.device))
                    number += 1
                }
                let keys = part.items.map(\.item.key)
                let registry = Registry(list: list, device: part.device, state: RegistrationState())
                guard registration.keys.isDisjoint(with: keys), Set(keys).count == keys.count,
                    try await items(keys, in: registry).allSatisfy({ $0 == nil })
                else { return nil }
                statements += registration.add(part, of: owner)
                sum += part.items.reduce(0) { $0 + $1.texts.count }
                registrations[list, default: [:]][part.device] = registration
            }
        } catch {
            throw .store(error)
        }
        return (statements, sum)
    }

    private func registration(
        of device: DeviceID, in list: ItemList
    ) async throws(StoreError) -> ImportedRegistration? {
        try await rows(
            """
            SELECT number, last_ordinal, cursor, digest, count, removed FROM registry
            WHERE app = $1 AND owner = $2 AND data_source = $3 AND device = $4
            """, .id(list.owner.app), .id(list.owner.user), .text(list.dataSource), .id(device)
        ).first { row throws(StoreError) in
            var registration = ImportedRegistration(number: try row.key())
            registration.lastOrdinal = try row.number(.revision)
            registration.state = RegistrationState(
                cursor: try row.number(.revision), digest: try row.itemDigest(), count: try row.count())
            registration.removed = try row.count()
            return registration
        }
    }
}

/// A registration that imported items are added to.
private struct ImportedRegistration {
    var number: Int64
    var lastOrdinal: Int64 = 0
    var state = RegistrationState()
    var removed = 0
    /// The keys added by this write.
    var keys: Set<LookupKey> = []

    init(number: Int64) { self.number = number }

    mutating func add(_ part: ImportedItems, of owner: UserKey) -> [Statement] {
        let writer = ItemWriter(owner: owner, registry: number, lastOrdinal: lastOrdinal)
        for imported in part.items {
            keys.insert(imported.item.key)
            if imported.item.isLive {
                state.count += 1
                state.digest.toggle(imported.digest)
            } else {
                removed += 1
            }
        }
        state.cursor = part.cursor
        lastOrdinal += Int64(part.items.count)
        let changes = part.items.map {
            ItemWriter.Change(
                before: nil, item: $0.item, removedAt: $0.removedAt, texts: $0.texts, changesAliases: true)
        }
        let bytes = part.items.reduce(0) { $0 + $1.texts.count }
        return writer.write(changes) + [
            writer.update(state, removed: removed, bytes: bytes, new: part.items.count)
        ]
    }
}

extension WriteStatements {
    /// Adds an imported record, except items. Returns its usage.
    fileprivate mutating func add(_ record: ImportedRecord, to owner: UserKey) -> Usage {
        switch record {
        case .items: return Usage()
        case .scene(let name, let forgotten):
            statements.append(
                Statement(
                    """
                    INSERT INTO scene (app, owner, name, forgotten_at, forgotten_revision) VALUES ($1, $2, $3, $4, $5)
                    ON CONFLICT (app, owner, name) DO UPDATE SET forgotten_at = $4, forgotten_revision = $5
                    """,
                    SceneKey(owner: owner, name: name).values + [.time(forgotten?.at), .revision(forgotten?.revision)]))
            return Usage()
        case .archive(let exported):
            var archive = exported.archive
            archive.scene.owner = owner
            archive.hasOutcomes = !exported.outcomes.isEmpty
            addScene(archive.scene)
            rows.append(TableRow(.addArchive, archive.values(exported.screenshot, exported.bytes)))
            for (number, outcome) in exported.outcomes.enumerated() {
                statements.append(outcome.insertion(to: archive, number: Int64(number)))
            }
            return Usage(bytes: archive.size + (exported.screenshot?.bytes.count ?? 0), archives: 1)
        case .change(let change):
            if let scene = change.scene { addScene(SceneKey(owner: owner, name: scene)) }
            rows.append(TableRow(.addChange, change.values(of: owner)))
            return Usage()
        }
    }

    private mutating func addScene(_ scene: SceneKey) {
        statements.append(
            Statement(
                "INSERT INTO scene (app, owner, name) VALUES ($1, $2, $3) ON CONFLICT (app, owner, name) DO NOTHING",
                scene.values))
    }
}
