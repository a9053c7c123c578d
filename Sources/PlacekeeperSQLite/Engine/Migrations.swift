import PlacekeeperCore
import PlacekeeperService

/// The steps from an empty database to the current schema. Never edit a released step.
enum Migrations {
    /// The schema version of 0.1.0. Earlier versions belong to builds before the first release.
    static let oldest = 9
    private static let steps = [Schema.first, Schema.next]
    static let current = oldest + steps.count - 1

    /// Brings the database up to date in one transaction. If two processes do so at the same time, the second finds
    /// nothing to do.
    ///
    /// - Parameters:
    ///   - end: the target version, which is earlier than the current one only in `Backup.checkTables`.
    ///   - database: the path of the database. If it is from 0.1.0, the bytes of larger archives are in segments beside
    ///     it.
    ///   - willMigrate: called before an older database is migrated to the target version.
    static func apply(
        to connection: Connection, through end: Int = current, segmentsOf database: String? = nil,
        willMigrate: (_ version: Int) -> Void = { _ in }
    ) throws(StoreError) {
        guard try version(of: connection) < end else { return }
        try connection.execute("BEGIN IMMEDIATE")
        do {
            // An empty database has version 0.
            let done = max(0, try version(of: connection) - oldest + 1)
            if done > 0, oldest + done <= end { willMigrate(end) }
            if done == 1, let database { try Segments.takeIn(beside: database, to: connection) }
            // Another process may have done all steps.
            for step in steps.prefix(end - oldest + 1).dropFirst(done) { try connection.execute(step) }
            if done == 1 { try FormerIdentifiers.drop(from: connection) }
            try connection.execute(
                """
                PRAGMA application_id = \(Connection.applicationID);
                PRAGMA user_version = \(end);
                COMMIT;
                """)
        } catch {
            if connection.isInTransaction { try connection.execute("ROLLBACK") }
            throw error
        }
    }

    /// Returns the schema version of a database. Throws `tooNew` if this program doesn't know the version.
    static func version(of connection: Connection) throws(StoreError) -> Int {
        guard let text = try connection.value("PRAGMA user_version"), let version = Int(text) else {
            throw .corrupt("The database has no readable schema version.")
        }
        guard version == 0 || version >= oldest else {
            throw .corrupt(
                "The database has schema version \(version), which no release of placekeeper writes. Restore a backup.")
        }
        guard version <= current else {
            throw StoreError(
                .tooNew,
                "The database has schema version \(version), and this version of placekeeper supports at most \(current): install the placekeeper version that wrote it, or a later version."
            )
        }
        return version
    }
}
