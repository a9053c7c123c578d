package import PlacekeeperService

extension SQLiteStore {
    package func noteServed(
        _ archive: ArchiveID, in scene: SceneKey, to device: DeviceID, at time: Timestamp
    ) async throws(StoreError) {
        // A device may fetch the same archive many times. Only the first fetch is recorded, so later fetches need no
        // commit.
        let isKnown = try readers.read { connection throws(StoreError) in
            guard let stored = try connection.archive(archive, in: scene) else { return true }
            return try connection.wasServed(stored.row.content, to: device)
        }
        guard !isKnown else { return }
        try await writer.write { transaction throws(StoreError) in
            guard let stored = try transaction.connection.archive(archive, in: scene) else { return }
            try transaction.keepingScenes { () throws(StoreError) in
                let insert = try transaction.connection.statement(.insertServed)
                insert.bind(stored.row.content, at: 1)
                insert.bind(device, at: 2)
                insert.bind(time, at: 3)
                try insert.run()
                guard transaction.connection.changedRows > 0 else { return }
                try transaction.noteServedLast(stored.row, in: scene, to: device)
                try transaction.note(time, for: scene.owner)
            }
        }
    }

    package func report(_ outcome: Outcome, in scene: SceneKey) async throws(StoreError) -> Committed<ReportResult> {
        try await writer.write(effects: { .change(of: scene, $0 == .recorded) }) { transaction throws(StoreError) in
            let connection = transaction.connection
            guard let stored = try connection.archive(outcome.archive, in: scene) else { return .noArchive }
            let isOwn = stored.archive.device == outcome.device
            let counts = if isOwn { true } else { try connection.wasServed(stored.row.content, to: outcome.device) }
            guard counts else { return .notServed }
            try transaction.keepingScenes(except: scene.owner) { () throws(StoreError) in
                var user = try transaction.user(scene.owner)
                try transaction.insert(outcome, content: stored.row.content)
                let outcomes = try connection.outcomes(of: outcome.archive, content: stored.row.content)
                try connection.markOutcomes(
                    of: stored.row, isServable: RestoreEligibility.isServable(stored.archive, after: outcomes))
                try transaction.log(
                    .outcomeReported, for: &user, scene: stored.row.scene, archive: outcome.archive,
                    device: outcome.device, at: outcome.reportedAt)
            }
            return .recorded
        }
    }

    package func outcomes(of id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> [Outcome] {
        try readers.read { connection throws(StoreError) in
            guard let stored = try connection.archive(id, in: scene) else { return [] }
            return try connection.outcomes(of: id, content: stored.row.content)
        }
    }
}

extension Transaction {
    /// Appends an outcome to an archive's outcomes, and then deletes the oldest of them, so that at most
    /// `Retention.outcomes` outcomes are left.
    func insert(_ outcome: Outcome, content: Int64) throws(StoreError) {
        let insert = try connection.statement(.insertOutcome)
        insert.bind(content, at: 1)
        insert.bind(outcome.device, at: 2)
        insert.bind(outcome.result.rawValue, at: 3)
        insert.bind(outcome.context, at: 4)
        insert.bind(outcome.reportedAt, at: 9)
        insert.bind(outcome.launch?.text, at: 10)
        insert.bind(outcome.details.path, at: 11)
        insert.bind(outcome.details.step.map(Int64.init), at: 12)
        insert.bind(outcome.details.duration.map(\.wholeMilliseconds), at: 13)
        try insert.run()
        let drop = try connection.statement(.dropOldOutcomes)
        drop.bind(content, at: 1)
        drop.bind(Retention.outcomes, at: 2)
        try drop.run()
    }

    /// Runs a statement that sets one flag of an archive.
    func mark(_ row: ArchiveRow, by query: Query) throws(StoreError) {
        let update = try connection.statement(query)
        update.bind(row.scene, at: 1)
        update.bind(row.position.capturedAt, at: 2)
        update.bind(row.position.revision, at: 3)
        try update.run()
    }
}

extension Connection {
    /// Notes that an archive has outcomes, and whether the archive can still be served to its own device.
    func markOutcomes(of row: ArchiveRow, isServable: Bool) throws(StoreError) {
        let update = try statement(.markOutcomes)
        update.bind(row.scene, at: 1)
        update.bind(row.position.capturedAt, at: 2)
        update.bind(row.position.revision, at: 3)
        update.bind(isServable ? 1 : 0, at: 4)
        try update.run()
    }

    func wasServed(_ content: Int64, to device: DeviceID) throws(StoreError) -> Bool {
        let select = try statement(.wasServed)
        select.bind(content, at: 1)
        select.bind(device, at: 2)
        return try select.step()
    }
}

extension Query {
    fileprivate static let wasServed = Query("SELECT 1 FROM served WHERE content = ?1 AND device = ?2")
    fileprivate static let insertServed = Query("INSERT OR IGNORE INTO served VALUES (?1, ?2, ?3)")
    fileprivate static let insertOutcome = Query(
        """
        INSERT INTO outcome
        SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13
        FROM outcome WHERE content = ?1
        """)
    fileprivate static let dropOldOutcomes = Query(
        """
        DELETE FROM outcome WHERE content = ?1 AND number <= (SELECT max(number) FROM outcome WHERE content = ?1) - ?2
        """)
    fileprivate static let markOutcomes = Query(
        """
        UPDATE archive SET has_outcomes = 1, is_servable = ?4
        WHERE scene = ?1 AND captured_at = ?2 AND revision = ?3 AND (has_outcomes, is_servable) <> (1, ?4)
        """)
}
