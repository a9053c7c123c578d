package import PlacekeeperCore
package import PlacekeeperService
import PlacekeeperSystem

/// Reads all data of a data directory in one transaction.
package final class SQLiteTransferSource: TransferSource {
    private let connection: Connection
    private let compression: any BlobCompression

    /// Opens a database. Its schema must be current: open the directory with a store first, which migrates it.
    package init(directory: String, compression: any BlobCompression) throws(StoreError) {
        connection = try Backup.open(directory + "/" + SQLiteStore.fileName)
        self.compression = compression
        guard try Migrations.version(of: connection) == Migrations.current else {
            throw StoreError(.unavailable, "The database is not migrated. Start the service on it once, and stop it.")
        }
        try connection.execute("BEGIN")
    }

    package func count(of table: TransferTable) throws(StoreError) -> Int {
        let select = try connection.statement(try queries(of: table).count)
        return try select.step() ? try select.count(0) : 0
    }

    package func read(
        _ table: TransferTable, _ receive: ([TransferRow]) throws(StoreError) -> Void
    ) throws(StoreError) {
        let queries = try queries(of: table)
        var piece = TransferPiece(of: table)
        if let scope = queries.scope {
            let scopes = try connection.statement(scope)
            let width: Int = table.columns[2].name == "scene" ? 3 : 4
            while try scopes.step() {
                var first: TransferRow = []
                for column in 0..<width { first.append(try scopes.value(Int32(column) + 1, table.columns[column])) }
                try read(table, queries.rows, try scopes.key(0), first, &piece, receive)
            }
        } else {
            try read(table, queries.rows, nil, [], &piece, receive)
        }
        if let rest = piece.take() { try receive(rest) }
    }

    private func read(
        _ table: TransferTable, _ query: Query, _ scope: Int64?, _ first: TransferRow, _ piece: inout TransferPiece,
        _ receive: ([TransferRow]) throws(StoreError) -> Void
    ) throws(StoreError) {
        let select = try connection.statement(query)
        if let scope { select.bind(scope, at: 1) }
        let columns = table.columns[first.count...]
        while try select.step() {
            var row = first
            row.reserveCapacity(table.columns.count)
            for (index, column) in columns.enumerated() {
                if table == .archive, column.name == "bytes" {
                    row.append(.bytes(try archiveBytes(select, at: Int32(index), row)))
                } else {
                    row.append(try select.value(Int32(index), column))
                }
            }
            if let rows = piece.add(row) { try receive(rows) }
        }
    }

    /// Reads an archive's bytes as they were uploaded, from the columns encoding and bytes.
    private func archiveBytes(
        _ select: borrowing Statement, at column: Int32, _ row: TransferRow
    ) throws(StoreError) -> [UInt8] {
        let size = TransferTable.archive.columns.firstIndex { $0.name == "size" }
        do throws(StoreError) {
            guard let size, case .int(let count) = row[size], StoredNumber.size.range.contains(count) else {
                throw .corrupt("The size of an archive cannot be read.")
            }
            return try Content(encoding: try select.key(column), bytes: select.bytes(column + 1))
                .original(count: Int(count), with: compression)
        } catch {
            throw error.code == .corrupt ? row.damagedArchive : error
        }
    }

    private func queries(of table: TransferTable) throws(StoreError) -> TransferQueries {
        guard let queries = TransferQueries.all[table.name] else {
            throw .corrupt("SQLite has no table \(table.name).")
        }
        return queries
    }
}
