package import PlacekeeperCore
package import PlacekeeperService

/// Reads all data of a PostgreSQL database in one transaction, during which nothing can write to the database.
package final class PostgresTransferSource: TransferSource {
    private let connection: TransferConnection

    /// Connects to a database whose tables a store has created or migrated. Throws `unavailable` if another Placekeeper
    /// program is using the database.
    package init(_ configuration: PostgresStore.Configuration) throws(StoreError) {
        connection = try TransferConnection(configuration)
        try connection.requireExclusiveAccess()
        try connection.run([Statement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")])
        // Lock first, so the snapshot includes every acknowledged write.
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
    /// Throws `unavailable` if another Placekeeper program is using the database.
    package static func requireExclusiveAccess(_ configuration: Configuration) throws(StoreError) {
        try TransferConnection(configuration).requireExclusiveAccess()
    }
}
