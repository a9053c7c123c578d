package import PlacekeeperCore

/// A store whose data is transferred. All reads see the same state.
package protocol TransferSource: AnyObject {
    /// Throws `unavailable` if another program wants to write to the store. Its writes would happen after the transfer
    /// and be missing from the copy.
    func requireExclusiveAccess() throws(StoreError)
    func count(of table: TransferTable) throws(StoreError) -> Int
    /// Calls `receive` with a table's rows in order (`TransferTable.key`), several at a time.
    func read(
        _ table: TransferTable, _ receive: ([TransferRow]) throws(StoreError) -> Void
    ) throws(StoreError)
}

extension TransferSource {
    package func requireExclusiveAccess() throws(StoreError) {}
}

/// An empty store that receives the transferred data. Nothing is stored before `finish`. The written data can be read
/// after `complete`.
package protocol TransferDestination: TransferSource {
    /// Adds rows whose values match the kinds of the table's columns.
    func insert(_ rows: [TransferRow], into table: TransferTable) throws(StoreError)
    /// Derives the values that the neutral format doesn't contain.
    func complete() throws(StoreError)
    /// Stores the data.
    func finish() throws(StoreError)
    /// Drops the data.
    func abandon()
}

/// Collects rows until their number or size reaches the limit.
package struct TransferPiece {
    private let table: TransferTable
    private var rows: [TransferRow] = []
    private var bytes = 0

    package static let maximumBytes = 4 << 20

    package init(of table: TransferTable) { self.table = table }

    /// Adds a row. Returns the collected rows once they reach the limit.
    package mutating func add(_ row: TransferRow) -> [TransferRow]? {
        rows.append(row)
        bytes += row.reduce(0) { $0 + $1.size }
        return rows.count >= table.rowsAtOnce || bytes >= Self.maximumBytes ? take() : nil
    }

    /// Returns the remaining rows.
    package mutating func take() -> [TransferRow]? {
        defer { (rows, bytes) = ([], 0) }
        return rows.isEmpty ? nil : rows
    }
}
