package import PlacekeeperCore
package import PlacekeeperService

/// Reads all data of a PostgreSQL database in one transaction. During this transaction, nothing can write to the database.
package final class PostgresTransferSource: TransferSource {
    private let connection: TransferConnection

    /// Connects to a database whose tables a store has created or migrated. Throws `unavailable` if other programs of
    /// Placekeeper use the database.
    package init(_ configuration: PostgresStore.Configuration) throws(StoreError) {
        connection = try TransferConnection(configuration)
        try connection.requireExclusiveAccess()
        // Gives positions to the changes that have none.
        while try connection.number(PostgresStore.countOfWaitingChanges) > 0 {
            try connection.run(PostgresStore.numbering)
        }
        try connection.run([Statement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")])
        // The locks come before the snapshot, so that the snapshot has every write that was acknowledged.
        try connection.lockTables("SHARE")
        try connection.requireExclusiveAccess()
    }

    package func requireExclusiveAccess() throws(StoreError) { try connection.requireExclusiveAccess() }

    package func count(of table: TransferTable) throws(StoreError) -> Int { try connection.count(of: table) }

    package func read(
        _ table: TransferTable, _ receive: ([TransferRow]) throws(StoreError) -> Void
    ) throws(StoreError) {
        try connection.read(table, receive)
    }
}

extension PostgresStore {
    /// Throws `unavailable` if other programs of Placekeeper use the database.
    package static func requireExclusiveAccess(_ configuration: Configuration) throws(StoreError) {
        try TransferConnection(configuration).requireExclusiveAccess()
    }
}
