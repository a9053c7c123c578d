import PlacekeeperCore
import PlacekeeperService

/// The only connection of a transfer. Its statements have no deadline.
final class TransferConnection {
    private let connection: Connection
    private var isBroken = false

    init(_ configuration: PostgresStore.Configuration) throws(StoreError) {
        // An old primary lacks writes, so it isn't used.
        connection = try Servers(configuration, KnownPrimary(path: configuration.primaryFile)).connect()
        try run(
            ["statement_timeout", "idle_in_transaction_session_timeout"].map {
                Statement("SELECT set_config('\($0)', '0', false)")
            } + [Statement("SELECT set_config('lock_timeout', '10s', false)")])
    }

    @discardableResult
    func run(_ statements: [Statement]) throws(StoreError) -> [Rows] {
        do throws(Failure) {
            return try connection.run(Batch(statements), until: nil)
        } catch {
            switch error {
            case .lostRace:
                throw StoreError(
                    .unavailable,
                    "Another program uses the database, or two rows have the same key. Stop other programs, and repeat the command."
                )
            case .disconnected(let mayBeCommitted):
                isBroken = true
                throw StoreError(
                    .unavailable,
                    statements.first?.sql == "COMMIT" && mayBeCommitted
                        ? "The connection to the database was lost at the end. The database has all data or none: look with app list."
                        : "The connection to the database was lost. Repeat the command.")
            case .store(let error): throw error
            }
        }
    }

    func rollBack() {
        guard !isBroken else { return }
        // If this fails, the server rolls back when the connection ends.
        _ = try? run([Statement("ROLLBACK")])
    }

    /// The number in the first column of the only row.
    func number(_ sql: String) throws(StoreError) -> Int64 {
        let found = try run([Statement(sql)]).first?.first { row throws(StoreError) in try row.key() }
        guard let found else { throw .corrupt("The database returned no result.") }
        return found
    }

    func count(of table: TransferTable) throws(StoreError) -> Int {
        Int(try number(TransferStatements(table).count))
    }

    /// Locks all tables until the end of the transaction.
    func lockTables(_ mode: String) throws(StoreError) {
        let names = TransferTable.all.map(\.name).joined(separator: ", ")
        try run([Statement("LOCK TABLE \(names) IN \(mode) MODE")])
    }

    /// Throws `unavailable` if another Placekeeper program is connected to the database. A program that has just exited
    /// may stay connected for a moment.
    func requireExclusiveAccess() throws(StoreError) {
        let end = ContinuousClock.now + .seconds(5)
        while try otherConnections() > 0 {
            guard ContinuousClock.now < end else {
                throw StoreError(
                    .unavailable,
                    "Other programs of Placekeeper use the PostgreSQL database. Stop all instances of the service and all commands, and repeat the command."
                )
            }
            try run([Statement("SELECT 1 FROM pg_sleep(0.05)")])
        }
    }

    private func otherConnections() throws(StoreError) -> Int64 {
        // A transaction keeps seeing the same connections until it asks for a fresh snapshot of them.
        try run([Statement("SELECT 1 FROM pg_stat_clear_snapshot()")])
        return try number(Self.otherConnections)
    }

    /// Counts Placekeeper's other connections, by the name that `Connection` or the URL sets.
    private static let otherConnections = """
        SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
            AND application_name IN ('placekeeper', current_setting('application_name'))
        """

    /// Reads a table with a cursor, because a whole table would need too much memory.
    func read(
        _ table: TransferTable, _ receive: ([TransferRow]) throws(StoreError) -> Void
    ) throws(StoreError) {
        // Statements are prepared by their text, so each table needs its own cursor name.
        let name = "transfer_\(table.name)"
        try run([Statement("DECLARE \(name) NO SCROLL CURSOR FOR \(TransferStatements(table).rows)")])
        var count = 1
        while true {
            guard let rows = try run([Statement("FETCH \(count) FROM \(name)")]).first else {
                throw .corrupt("The database returned no result.")
            }
            var bytes = 0
            let piece = try rows.map { row throws(StoreError) in
                var values: TransferRow = []
                values.reserveCapacity(table.columns.count)
                for column in table.columns { values.append(try row.value(of: column.kind)) }
                bytes += values.reduce(0) { $0 + $1.size }
                return values
            }
            if !piece.isEmpty { try receive(piece) }
            if piece.count < count { break }
            // Assume that the next rows are as large as these.
            if 2 * bytes <= TransferPiece.maximumBytes { count *= 2 }
            while count > 1, count > table.rowsAtOnce || bytes * count > TransferPiece.maximumBytes * piece.count {
                count /= 2
            }
        }
        try run([Statement("CLOSE \(name)")])
    }
}

extension Row {
    fileprivate mutating func value(of kind: TransferTable.Kind) throws(StoreError) -> TransferValue {
        switch kind {
        case .int: try optionalKey().map { .int($0) } ?? .null
        case .bool: try optionalBool().map { .int($0 ? 1 : 0) } ?? .null
        case .id, .bytes, .digest, .text, .anyText, .word: try optionalBytes().map { .bytes($0) } ?? .null
        }
    }
}

extension TransferTable.Kind {
    /// The type of the column's values.
    var element: Value.Kind {
        switch self {
        case .int: .integer
        case .bool: .bool
        case .id: .id
        case .text, .word: .text
        case .bytes, .digest, .anyText: .bytes
        }
    }
}

extension TransferValue {
    func value(of kind: TransferTable.Kind) -> Value {
        switch self {
        case .null: .encoded(kind.element, nil)
        case .int(let number): kind == .bool ? .bool(number != 0) : .int(number)
        case .bytes(let bytes): .encoded(kind.element, bytes)
        }
    }
}
