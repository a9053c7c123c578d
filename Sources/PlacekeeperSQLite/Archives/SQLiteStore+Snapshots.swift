package import PlacekeeperService

extension SQLiteStore {
    package func putSnapshot(
        _ snapshot: Snapshot, for id: ArchiveID, in scene: SceneKey, quotas: App.Settings.Quotas
    ) async throws(StoreError) -> Committed<SnapshotResult> {
        try await writer.write(weight: snapshot.bytes.count, effects: { .write(to: scene.owner, $0 == .stored) }) {
            transaction throws(StoreError) in
            guard let stored = try transaction.connection.archive(id, in: scene) else { return .noArchive }
            var user = try transaction.knownUser(scene.owner)
            let growth = Usage(bytes: snapshot.bytes.count - (stored.row.bytes - stored.archive.size))
            let facts = try transaction.quotaFacts(of: user, in: scene.owner.app)
            if let excess = quotas.excess(adding: growth, to: facts) { return .quotaExceeded(excess) }
            try transaction.keepingScenes(except: scene.owner) { () throws(StoreError) in
                try transaction.insert(snapshot, content: stored.row.content)
                if !stored.archive.hasSnapshot { try transaction.mark(stored.row, by: .markSnapshot) }
                try transaction.count(growth, of: &user)
                try transaction.storeUsage(of: user)
            }
            return .stored
        }
    }

    package func snapshot(for id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> Snapshot? {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.snapshot)
            select.bind(scene, at: 1)
            select.bind(id, at: 4)
            guard try select.step() else { return nil }
            guard let format = Snapshot.Format(rawValue: select.text(0)) else {
                throw .corrupt("A snapshot has an unknown format.")
            }
            return Snapshot(format: format, bytes: select.bytes(1))
        }
    }
}

extension Transaction {
    func insert(_ snapshot: Snapshot, content: Int64) throws(StoreError) {
        let insert = try connection.statement(.insertSnapshot)
        insert.bind(content, at: 1)
        insert.bind(snapshot.format.rawValue, at: 2)
        try insert.run(binding: snapshot.bytes, at: 3)
    }
}

extension Query {
    fileprivate static let insertSnapshot = Query("INSERT OR REPLACE INTO snapshot VALUES (?1, ?2, ?3)")
    static let markSnapshot = Query(
        "UPDATE archive SET has_snapshot = 1 WHERE scene = ?1 AND captured_at = ?2 AND revision = ?3")
    fileprivate static let snapshot = Query(
        """
        SELECT snapshot.format, snapshot.bytes
        FROM user JOIN scene ON scene.user = user.id JOIN archive ON archive.scene = scene.id
            JOIN snapshot ON snapshot.content = archive.content
        WHERE user.app = ?1 AND user.uuid = ?2 AND scene.name = ?3 AND archive.uuid = ?4
        """)
}
