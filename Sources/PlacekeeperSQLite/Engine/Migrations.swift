import PlacekeeperService

/// The migrations from each schema version to the next version. A released migration is never edited.
enum Migrations {
    static let all = [
        Migration(sql: Schema.first), Migration(sql: Schema.second), Migration(sql: Schema.third),
        Migration(sql: Schema.fourth), Migration(sql: Schema.fifth, after: judgeArchives),
        Migration(sql: Schema.sixth), Migration(sql: Schema.seventh), Migration(sql: Schema.eighth),
        Migration(sql: Schema.ninth), Migration(sql: Schema.tenth),
    ]

    struct Migration: Sendable {
        let sql: String
        /// The steps that SQL alone cannot do. These steps run in the same transaction.
        var after: @Sendable (Connection) throws(StoreError) -> Void = { _ in }
    }

    /// Brings the database up to date in one transaction. If two processes do this at the same time, the second
    /// process finds nothing to do.
    ///
    /// - Parameter migrations: all migrations, except in tests of an earlier schema version.
    static func apply(to connection: Connection, _ migrations: [Migration] = all) throws(StoreError) {
        guard try version(of: connection) < migrations.count else { return }
        try connection.execute("BEGIN IMMEDIATE")
        do {
            for migration in migrations.dropFirst(try version(of: connection)) {
                try connection.execute(migration.sql)
                try migration.after(connection)
            }
            try connection.execute(
                """
                PRAGMA application_id = \(Connection.applicationID);
                PRAGMA user_version = \(migrations.count);
                COMMIT;
                """)
        } catch {
            if connection.isInTransaction { try connection.execute("ROLLBACK") }
            throw error
        }
    }

    /// Returns the schema version of a database. Throws `tooNew` for a version that this program does not know.
    static func version(of connection: Connection) throws(StoreError) -> Int {
        guard let text = try connection.value("PRAGMA user_version"), let version = Int(text) else {
            throw .corrupt("The database has no readable schema version.")
        }
        guard version >= 0 else {
            throw .corrupt(
                "The database has schema version \(version), which no version of placekeeper writes. Restore a backup.")
        }
        guard version <= all.count else {
            throw StoreError(
                .tooNew,
                "The database has schema version \(version), and this version of placekeeper supports at most \(all.count): install the placekeeper version that wrote it, or a later version."
            )
        }
        return version
    }

    /// Marks the archives whose outcomes allow serving them to their own devices. The second migration adds the mark. The
    /// fifth migration changes its rule, and the columns that outcomes are read from.
    @Sendable private static func judgeArchives(_ connection: Connection) throws(StoreError) {
        var judged: [(row: ArchiveRow, isServable: Bool)] = []
        do {
            let select = try connection.statement(.archivesWithOutcomes)
            // `RestoreEligibility` needs only the archive's device and context, so the scene does not matter.
            let nowhere = SceneKey(
                owner: UserKey(app: AppID(high: 0, low: 0), user: UserID(high: 0, low: 0)), name: "")
            while try select.step() {
                let stored = try select.storedArchive(in: nowhere)
                let outcomes = try connection.outcomes(of: stored.archive.id, content: stored.row.content)
                judged.append((stored.row, RestoreEligibility.isServable(stored.archive, after: outcomes)))
            }
        }
        for (row, isServable) in judged { try connection.markOutcomes(of: row, isServable: isServable) }
    }
}

extension Query {
    /// Scans all archives. Each database runs this query only once, before the eighth migration adds the columns that are
    /// replaced here.
    static let archivesWithOutcomes = Query(
        """
        SELECT \(archiveColumns), archive.scene, archive.content, 0
        FROM (SELECT *, revision AS order_revision, 0 AS is_glance FROM archive) AS archive WHERE has_outcomes
        """)
}
