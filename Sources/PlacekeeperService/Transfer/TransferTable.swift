import PlacekeeperCore

/// A table in the neutral format used to move data between stores. Rows refer to apps, users, scenes, archives and
/// devices by their public identifiers and contain no internal keys of a store.
package struct TransferTable: Sendable, Hashable {
    package struct Column: Sendable, Hashable {
        package var name: String
        package var kind: Kind
        package var isOptional = false

        /// Returns the column as one that also allows NULL.
        var orNull: Column {
            var column = self
            column.isOptional = true
            return column
        }
    }

    package enum Kind: Sendable, Hashable {
        case int(StoredNumber)
        case bool
        /// A 16-byte identifier.
        case id
        case bytes
        /// A digest with this number of bytes.
        case digest(Int)
        /// UTF-8 text without U+0000.
        case text
        /// The bytes of a text with any characters.
        case anyText
        /// One of these texts.
        case word([String])
    }

    package var name: String
    package var columns: [Column]
    /// The number of leading columns that the rows are sorted by, or nil if a store defines the order. Bytes compare as
    /// unsigned numbers, and false sorts before true.
    package var key: Int?
    /// The maximum number of rows held in memory at a time.
    package var rowsAtOnce = 500

    init(_ name: String, key: Int?, _ columns: [Column]) {
        self.name = name
        self.key = key
        self.columns = columns
    }
}

extension TransferTable.Column {
    static func int(_ name: String, _ kind: StoredNumber) -> Self { Self(name: name, kind: .int(kind)) }
    static func bool(_ name: String) -> Self { Self(name: name, kind: .bool) }
    static func id(_ name: String) -> Self { Self(name: name, kind: .id) }
    static func bytes(_ name: String) -> Self { Self(name: name, kind: .bytes) }
    static func digest(_ name: String, _ count: Int = 32) -> Self { Self(name: name, kind: .digest(count)) }
    static func word<Word: RawRepresentable<String> & CaseIterable>(_ name: String, _ words: Word.Type) -> Self {
        Self(name: name, kind: .word(words.allCases.map(\.rawValue)))
    }
    static func text(_ name: String) -> Self { Self(name: name, kind: .text) }
    static func anyText(_ name: String) -> Self { Self(name: name, kind: .anyText) }

    /// Throws `corrupt` if the value is not allowed in the column.
    func check(_ value: TransferValue, in table: TransferTable) throws(StoreError) {
        switch (kind, value) {
        case (_, .null) where isOptional: return
        case (.bytes, .bytes), (.anyText, .bytes), (.bool, .int(0)), (.bool, .int(1)): return
        case (.int(let kind), .int(let number)) where kind.isAllowed(number): return
        case (.id, .bytes(let bytes)) where bytes.count == 16: return
        case (.digest(let count), .bytes(let bytes)) where bytes.count == count: return
        case (.text, .bytes(let bytes)) where Self.isText(bytes): return
        case (.word(let words), .bytes(let bytes)) where words.contains { $0.utf8.elementsEqual(bytes) }: return
        default:
            throw StoreError(
                .corrupt,
                "A value cannot be transferred: the column \(name) of the table \(table.name) has \(value.problem(kind)). Correct the row, and repeat the command."
            )
        }
    }

    private static func isText(_ bytes: [UInt8]) -> Bool {
        if bytes.allSatisfy({ 0 < $0 && $0 < 0x80 }) { return true }
        return !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
    }
}

/// A value of a row.
package enum TransferValue: Sendable, Hashable {
    case null
    case int(Int64)
    case bytes([UInt8])

    /// The approximate size in memory, in bytes.
    package var size: Int { if case .bytes(let bytes) = self { 16 + bytes.count } else { 16 } }

    /// Returns why a column rejects the value, without revealing the value.
    fileprivate func problem(_ kind: TransferTable.Kind) -> String {
        switch (self, kind) {
        case (.null, _): "no value in a row"
        case (.bytes(let bytes), .id): "an identifier of \(bytes.count) bytes"
        case (.bytes(let bytes), .digest): "a digest of \(bytes.count) bytes"
        case (.bytes, .word): "an unknown word"
        case (.bytes, .text): "a text with the character 0 or with invalid UTF-8"
        case (.int, .bool): "a flag that is neither 0 nor 1"
        case (.int(let number), .int(let kind)):
            "the number \(number), which is not between \(kind.range.lowerBound) and \(kind.range.upperBound)"
        default: "a value of a wrong type"
        }
    }
}

package typealias TransferRow = [TransferValue]
