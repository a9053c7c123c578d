package import PlacekeeperCore
import PlacekeeperService

extension SQLiteStore {
    /// What a database says about itself.
    package struct Inspection: Sendable, Hashable {
        package var schemaVersion: Int
        /// The schema version to which this program migrates.
        package var currentVersion: Int
        /// Whether the database has a write-ahead log.
        package var usesLog: Bool

        package init(schemaVersion: Int, currentVersion: Int, usesLog: Bool) {
            (self.schemaVersion, self.currentVersion, self.usesLog) = (schemaVersion, currentVersion, usesLog)
        }
    }

    /// Looks at a database without changing it. A service may use it at the same time. Waits at most two seconds.
    package static func inspect(_ path: String) throws(StoreError) -> Inspection {
        let connection = try Backup.open(path)
        connection.setLockTimeout(.seconds(2))
        connection.leaveLogOnClose()
        // Reads a row, which needs the log.
        _ = try connection.value("SELECT id FROM store")
        return Inspection(
            schemaVersion: try Migrations.version(of: connection), currentVersion: Migrations.current,
            usesLog: try connection.value("PRAGMA journal_mode") == "wal")
    }
}
