import CPlacekeeperSQLite
import PlacekeeperCore
import PlacekeeperService

extension Statement {
    /// Reads a value of the column's type in the neutral form. Throws `corrupt` for any other type.
    func value(_ index: Int32, _ column: TransferTable.Column) throws(StoreError) -> TransferValue {
        switch (column.kind, type(index)) {
        case (_, SQLITE_NULL): .null
        case (.int, SQLITE_INTEGER), (.bool, SQLITE_INTEGER): .int(try key(index))
        case (.id, SQLITE_BLOB), (.bytes, SQLITE_BLOB), (.digest, SQLITE_BLOB), (.text, SQLITE_TEXT),
            (.anyText, SQLITE_TEXT), (.word, SQLITE_TEXT):
            .bytes(bytes(index))
        default:
            throw .corrupt(
                "The database is damaged: the column \(column.name) has a value of a wrong type. Restore a backup, and transfer its data."
            )
        }
    }

    /// Binds a value of a column.
    func bind(_ value: TransferValue, of column: TransferTable.Column, at index: Int32) {
        switch value {
        case .null: bind(nil as Int64?, at: index)
        case .int(let number): bind(number, at: index)
        case .bytes(let bytes):
            switch column.kind {
            case .text, .anyText, .word: bind(Text(utf8: bytes), at: index)
            default: bind(bytes, at: index)
            }
        }
    }
}
