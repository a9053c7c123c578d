package import PlacekeeperCore
package import PlacekeeperService

extension PostgresStore {
    package func history(
        of scene: SceneKey, below position: Archive.Position?, limit: Int
    ) async throws(StoreError) -> HistoryPage {
        let results = try await read(
            Self.page(of: scene, device: nil, below: position, limit: limit), Statement(Self.headRow, scene.values))
        return HistoryPage(
            archives: try results[0].map { row throws(StoreError) in try row.archive(in: scene) },
            head: try results[1].first { row throws(StoreError) in try row.position().revision })
    }

    package func choose(_ asked: Choice, limit: Int) async throws(StoreError) -> Chosen {
        for _ in 0..<10 {
            var choice = asked
            let scene = choice.scene
            let page = Self.page(of: scene, device: choice.device, below: choice.position, limit: limit)
            let outcomes = Statement(
                """
                WITH page AS (\(page.sql))
                SELECT outcome.archive, \(Row.outcomeColumns) FROM page JOIN outcome ON outcome.app = $1
                    AND outcome.owner = $2 AND outcome.scene = $3 AND outcome.archive = page.uuid
                ORDER BY outcome.archive, outcome.number
                """, page.values)
            let results = try await read(page, Statement(Self.headRow, scene.values), outcomes)
            if choice.head == nil {
                choice.head = try results[1].first { row throws(StoreError) in try row.position() }
            }
            let archives = try results[0].map { row throws(StoreError) in try row.archive(in: scene) }
            var reports: [ArchiveID: [Outcome]] = [:]
            for (id, outcome) in try results[2].map({ row throws(StoreError) in
                let id: ArchiveID = try row.id()
                return (id, try row.outcome(of: id))
            }) {
                reports[id, default: []].append(outcome)
            }
            guard let chosen = try await pass(archives, reports, to: choice, limit: limit) else { continue }
            return chosen
        }
        throw Failure.lostRace.error
    }

    /// Passes archives to a choice. Returns `nil` if the accepted archive was deleted before its bytes were read.
    private func pass(
        _ archives: [Archive], _ reports: [ArchiveID: [Outcome]], to asked: Choice, limit: Int
    ) async throws(StoreError) -> Chosen? {
        var choice = asked
        for archive in archives {
            guard case .stop(let needsBytes) = choice.consider(archive, outcomes: reports[archive.id] ?? []) else {
                continue
            }
            guard needsBytes else { return Chosen(choice) }
            guard let bytes = try await bytes(of: archive) else { return nil }
            return Chosen(choice, bytes: bytes)
        }
        return Chosen(choice, hasMore: archives.count == limit)
    }

    /// Selects archives of a scene, newest first.
    static func page(
        of scene: SceneKey, device: DeviceID?, below position: Archive.Position?, limit: Int
    ) -> Statement {
        let first = "SELECT \(Row.archiveColumns) FROM archive WHERE \(Row.storedArchives)"
        let last = "ORDER BY \(Row.newestFirst) LIMIT $4"
        let values = scene.values + [.int(limit)]
        let order: [Value] =
            position.map { position in
                [
                    .time(position.capturedAt), .revision(position.orderRevision), .int(position.sequence ?? -1),
                    .revision(position.revision),
                ]
            } ?? []
        switch (device, order.isEmpty) {
        case (nil, true): return Statement("\(first) \(last)", values)
        case (nil, false):
            return Statement("\(first) AND (\(Row.orderColumns)) < ($5, $6, $7, $8) \(last)", values + order)
        case (let device?, true): return Statement("\(first) AND archive.device = $5 \(last)", values + [.id(device)])
        case (let device?, false):
            return Statement(
                "\(first) AND (\(Row.orderColumns)) < ($5, $6, $7, $8) AND archive.device = $9 \(last)",
                values + order + [.id(device)])
        }
    }

    fileprivate static let headRow = """
        SELECT \(Row.orderColumns) FROM archive WHERE \(Row.storedArchives) ORDER BY \(Row.newestFirst) LIMIT 1
        """

    package func archive(_ id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> ArchiveLookup {
        let values = scene.values + [.id(id)]
        let results = try await read(
            Statement(
                "SELECT \(Row.archiveColumns) FROM archive WHERE \(Row.storedArchives) AND archive.uuid = $4", values),
            Statement(
                "SELECT 1::bigint FROM tombstone WHERE app = $1 AND owner = $2 AND scene = $3 AND archive = $4", values)
        )
        if let archive = try results[0].first({ row throws(StoreError) in try row.archive(in: scene) }) {
            return .stored(archive)
        }
        return results[1].count > 0 ? .deleted : .none
    }

    package func search(
        for id: ArchiveID, in app: AppID, from step: Int64
    ) async throws(StoreError) -> ArchiveSearch {
        let found = try await rows(
            "SELECT app, owner, scene FROM archive WHERE app = $1 AND uuid = $2 AND deleted_at IS NULL", .id(app),
            .id(id))
        return ArchiveSearch(
            scenes: try found.map { row throws(StoreError) in SceneKey(owner: try row.owner(), name: try row.text()) },
            next: nil)
    }

    package func bytes(of archive: Archive) async throws(StoreError) -> [UInt8]? {
        let owner = archive.scene.owner
        return try await rows(
            "SELECT bytes FROM archive WHERE \(Row.storedArchives) AND archive.uuid = $4 AND archive.digest = $5",
            .id(owner.app), .id(owner.user), .text(archive.scene.name), .id(archive.id), .digest(archive.digest)
        ).first { row throws(StoreError) in try row.bytes() }
    }

    package func head(of scene: SceneKey) async throws(StoreError) -> Archive.Position? {
        try await read(Batch([Statement(Self.headRow, scene.values)])).first?.first { row throws(StoreError) in
            try row.position()
        }
    }

    package func sceneHeads(
        of owner: UserKey, behind scene: String?, limit: Int
    ) async throws(StoreError) -> [Archive] {
        try await rows(
            """
            SELECT scene.name, \(Row.archiveColumns) FROM scene CROSS JOIN LATERAL (
                SELECT * FROM archive WHERE archive.app = $1 AND archive.owner = $2 AND archive.scene = scene.name
                    AND archive.deleted_at IS NULL
                ORDER BY \(Row.newestFirst) LIMIT 1) AS archive
            WHERE scene.app = $1 AND scene.owner = $2 AND scene.name > $3 ORDER BY scene.name LIMIT $4
            """, .id(owner.app), .id(owner.user), .text(scene ?? ""), .int(limit)
        ).map { row throws(StoreError) in try row.archive(in: SceneKey(owner: owner, name: try row.text())) }
    }

    package func heads(
        of owner: UserKey, below position: Archive.Position?, limit: Int
    ) async throws(StoreError) -> [DeviceHead] {
        let position =
            position
            ?? Archive.Position(
                capturedAt: Timestamp(milliseconds: .max), revision: Revision(rawValue: .max))
        return try await rows(
            Self.pageOfHeads, .id(owner.app), .id(owner.user), .time(position.capturedAt),
            .revision(position.orderRevision), .int(position.sequence ?? -1), .revision(position.revision), .int(limit),
            .int(position.capturedAt.period)
        ).map { row throws(StoreError) in
            let (name, isHead) = (try row.text(), try row.bool())
            return DeviceHead(archive: try row.archive(in: SceneKey(owner: owner, name: name)), isSceneHead: isHead)
        }
    }

    /// Reads the position's own period without a limit, because heads newer than the position aren't on the page.
    static let pageOfHeads = """
        SELECT archive.scene, archive.is_head, \(Row.archiveColumns) FROM (
            SELECT * FROM device_head WHERE app = $1 AND owner = $2 AND period = $8
            UNION ALL (
                SELECT * FROM device_head WHERE app = $1 AND owner = $2 AND period < $8
                ORDER BY period DESC FETCH FIRST $7 ROWS WITH TIES)) AS found
        CROSS JOIN LATERAL (
            SELECT archive.*, NOT EXISTS (
                SELECT 1 FROM archive AS newer WHERE newer.app = $1 AND newer.owner = $2 AND newer.scene = found.scene
                    AND newer.deleted_at IS NULL
                    AND (newer.captured_at, newer.order_revision, newer.sequence, newer.revision) >
                        (\(Row.orderColumns))) AS is_head
            FROM archive WHERE archive.app = $1 AND archive.owner = $2 AND archive.scene = found.scene
                AND archive.device = found.device AND archive.deleted_at IS NULL
                AND archive.captured_at >= found.period << \(HeadChange.periodBits)
            ORDER BY \(Row.newestFirst) LIMIT 1) AS archive
        WHERE (\(Row.orderColumns)) < ($3, $4, $5, $6) ORDER BY \(Row.newestFirst) LIMIT $7
        """

    package func deletedArchives(in scene: SceneKey, at time: Timestamp) async throws(StoreError) -> [DeletedArchive] {
        let archives = try await read(
            Batch([
                Statement(
                    """
                    SELECT deleted_at, \(Row.archiveColumns) FROM archive
                    WHERE app = $1 AND owner = $2 AND scene = $3 AND deleted_at IS NOT NULL
                    ORDER BY deleted_at DESC, revision DESC
                    """, scene.values)
            ]))
        let deleted = try archives.first?.map { row throws(StoreError) in
            let deletedAt = try row.time()
            return DeletedArchive(archive: try row.archive(in: scene), deletedAt: deletedAt)
        }
        return (deleted ?? []).filter { Retention.isUndoable($0.deletedAt, at: time) }
    }

    package func screenshot(for id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> Screenshot? {
        try await rows(
            """
            SELECT screenshot_format, screenshot FROM archive
            WHERE \(Row.storedArchives) AND archive.uuid = $4 AND screenshot_format IS NOT NULL
            """, .id(scene.owner.app), .id(scene.owner.user), .text(scene.name), .id(id)
        ).first { row throws(StoreError) in Screenshot(format: try row.word(), bytes: try row.bytes()) }
    }

    package func outcomes(of id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> [Outcome] {
        try await rows(
            """
            SELECT \(Row.outcomeColumns) FROM outcome JOIN archive ON archive.app = outcome.app
                AND archive.owner = outcome.owner AND archive.scene = outcome.scene AND archive.uuid = outcome.archive
            WHERE \(Row.storedArchives) AND archive.uuid = $4 ORDER BY outcome.number
            """, .id(scene.owner.app), .id(scene.owner.user), .text(scene.name), .id(id)
        ).map { row throws(StoreError) in try row.outcome(of: id) }
    }
}
