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

    package func begin(_ user: ImportedUser) async throws(StoreError) -> Committed<Bool> {
        try await decide(for: user.owner, Scope()) { memory throws(StoreError) in memory.begin(user) }
    }

    package func end(
        importOf owner: UserKey, devices: [Device], account: Account?
    ) async throws(StoreError) -> Committed<ImportEnd> {
        try await decide { _ throws(Failure) in
            var owners: Set = [owner]
            if let account,
                let known = try await foundOwner(
                    "SELECT app, owner FROM users WHERE app = $1 AND subject_digest = $2", .id(owner.app),
                    .digest(account.digest))
            {
                owners.insert(known)
            }
            for device in devices {
                let known = try await foundOwner("SELECT app, owner FROM device WHERE uuid = $1", .id(device.id))
                if let known { owners.insert(known) }
            }
            return Decision(owners, Scope()) { memory throws(StoreError) in
                try memory.end(importOf: owner, devices: devices, account: account)
            }
        }
    }

    package func add(_ records: [ImportedRecord], to owner: UserKey) async throws(StoreError) -> Committed<Bool> {
        var items: [ImportedItems] = []
        var others: [ImportedRecord] = []
        for record in records {
            if case .items(let part) = record { items.append(part) } else { others.append(record) }
        }
        let (parts, rest) = (items, others)
        return try await decide { _ throws(Failure) in
            let version = try await version(of: owner)
            let found = try await statements(for: parts, of: owner)
            var decision = Decision([owner], Scope(scenes: .all)) { memory throws(StoreError) in
                let result = try memory.add(rest, to: owner)
                return found == nil ? Committed(false, .none) : result
            }
            decision.versions[owner] = version
            decision.further = (found?.statements ?? []) + [Statement(Self.countHeldScenes, owner.values)]
            decision.itemBytes[owner] = found?.bytes ?? 0
            return decision
        }
    }

    // The scenes are loaded without their archives, so the number of scenes with archives is counted anew.
    private static let countHeldScenes = """
        UPDATE users SET held_scenes = (
            SELECT count(DISTINCT scene) FROM archive WHERE app = $1 AND owner = $2 AND deleted_at IS NULL)
        WHERE app = $1 AND owner = $2
        """

    /// Returns the statements that add imported items, and the bytes of their texts. Nil if an item is registered already.
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

/// A registration to which imported items are added.
private struct ImportedRegistration {
    var number: Int64
    var lastOrdinal: Int64 = 0
    var state = RegistrationState()
    var removed = 0
    /// The keys that this write adds.
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
