package import PlacekeeperCore
package import PlacekeeperService

/// Writes all data to an empty PostgreSQL database in one transaction.
package final class PostgresTransferDestination: TransferDestination {
    private let connection: TransferConnection
    private var table: TransferTable?
    /// The group of the last row, and the row's number in it (`TransferStatements.group`).
    private var last: (group: TransferRow, number: Int64) = ([], 0)

    /// Connects to a database whose tables a store has created or migrated. Throws `exists` if the tables contain data,
    /// and `unavailable` if another Placekeeper program is using the database.
    package init(_ configuration: PostgresStore.Configuration) throws(StoreError) {
        connection = try TransferConnection(configuration)
        try connection.requireExclusiveAccess()
        try connection.run([Statement("BEGIN")])
        try connection.lockTables("ACCESS EXCLUSIVE")
        try connection.requireExclusiveAccess()
        for table in TransferTable.all where table != .store {
            guard try connection.count(of: table) == 0 else { throw StoreError(.exists, "The database has data.") }
        }
    }

    package func insert(_ rows: [TransferRow], into table: TransferTable) throws(StoreError) {
        if self.table != table {
            try analyze()
            self.table = table
            last = ([], 0)
        }
        let statements = TransferStatements(table)
        var values = table.columns.enumerated().map { index, column in
            Value.array(of: column.kind.element, rows.map { $0[index].value(of: column.kind) })
        }
        if let group = statements.group {
            values.append(.ints(rows.map { row in number(Array(row.prefix(group))) }))
        }
        try connection.run([Statement(statements.insert, values)])
    }

    /// Returns the number of a group's next row.
    private func number(_ group: TransferRow) -> Int64 {
        last = last.group == group ? (group, last.number + 1) : (group, 1)
        return last.number
    }

    /// Makes the server gather statistics on a completed table, which it uses to plan queries.
    private func analyze() throws(StoreError) {
        if let table { try connection.run([Statement("ANALYZE \(table.name)")]) }
    }

    package func complete() throws(StoreError) {
        try analyze()
        try connection.run(TransferStatements.derivations.map { Statement($0) })
    }

    package func count(of table: TransferTable) throws(StoreError) -> Int { try connection.count(of: table) }

    package func read(
        _ table: TransferTable, _ receive: ([TransferRow]) throws(StoreError) -> Void
    ) throws(StoreError) {
        try connection.read(table, receive)
    }

    package func finish() throws(StoreError) { try connection.run([Statement("COMMIT")]) }

    package func abandon() { connection.rollBack() }
}
