import RestorationService

/// What leads from each layout of the database to the next. A migration that was released is never edited.
enum Migrations {
    static let all = [Schema.first]

    /// Brings the database up to date in one transaction. Another process may be doing the same: the one that comes
    /// second finds nothing to do.
    static func apply(to connection: Connection) throws(StoreError) {
        guard try version(of: connection) < all.count else { return }
        try connection.execute("BEGIN IMMEDIATE")
        do {
            for migration in all.dropFirst(try version(of: connection)) { try connection.execute(migration) }
            try connection.execute(
                """
                PRAGMA application_id = \(Connection.applicationID);
                PRAGMA user_version = \(all.count);
                COMMIT;
                """)
        } catch {
            if connection.isInTransaction { try connection.execute("ROLLBACK") }
            throw error
        }
    }

    private static func version(of connection: Connection) throws(StoreError) -> Int {
        guard let text = try connection.value("PRAGMA user_version"), let version = Int(text) else {
            throw .corrupt("The database does not tell its version.")
        }
        guard version <= all.count else {
            throw StoreError(
                .tooNew,
                "The database has layout \(version), and this version knows up to \(all.count): install the version of placekeeper that wrote it, or a later one."
            )
        }
        return version
    }
}
