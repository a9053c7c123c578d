package import PlacekeeperCore

/// A store from which all data is read. All reads see the same state of the store.
package protocol TransferSource: AnyObject {
    /// Throws `unavailable` if another program wants to write to the store. It would write as soon as the transfer has
    /// ended, and its data would not be in the copy.
    func requireExclusiveAccess() throws(StoreError)
    func count(of table: TransferTable) throws(StoreError) -> Int
    /// Calls `receive` with the rows of a table in their order (`TransferTable.key`), some rows at a time.
    func read(
        _ table: TransferTable, _ receive: ([TransferRow]) throws(StoreError) -> Void
    ) throws(StoreError)
}

extension TransferSource {
    package func requireExclusiveAccess() throws(StoreError) {}
}

/// A store without data, to which all data is written. Nothing is stored before `finish`. The written data can be read
/// after `complete`.
package protocol TransferDestination: TransferSource {
    /// Adds rows that have the kinds of the table's columns.
    func insert(_ rows: [TransferRow], into table: TransferTable) throws(StoreError)
    /// Derives the values that the neutral form does not have.
    func complete() throws(StoreError)
    /// Stores the data.
    func finish() throws(StoreError)
    /// Drops the data.
    func abandon()
}

/// Gathers rows until their number or their bytes reach the limit.
package struct TransferPiece {
    private let table: TransferTable
    private var rows: [TransferRow] = []
    private var bytes = 0

    package static let maximumBytes = 4 << 20

    package init(of table: TransferTable) { self.table = table }

    /// Adds a row. Returns the gathered rows if they reach the limit.
    package mutating func add(_ row: TransferRow) -> [TransferRow]? {
        rows.append(row)
        bytes += row.reduce(0) { $0 + $1.size }
        return rows.count >= table.rowsAtOnce || bytes >= Self.maximumBytes ? take() : nil
    }

    /// Returns the rows that are left.
    package mutating func take() -> [TransferRow]? {
        defer { (rows, bytes) = ([], 0) }
        return rows.isEmpty ? nil : rows
    }
}
