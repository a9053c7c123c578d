import PlacekeeperCore
import PlacekeeperService

/// A rule for a column's values. The store reads columns by the same rules, so a row that breaks a rule can't be read.
/// Only the schema decides whether NULL is allowed.
enum ColumnRule {
    case number(StoredNumber)
    case id
    /// An identifier, or an empty BLOB for the whole service.
    case idOrNothing
    case digest
    /// The digest of a registration's items.
    case itemDigest
    /// Keys of eight bytes each.
    case keys
    case word([String])

    static func word<Word: RawRepresentable<String> & CaseIterable>(_ words: Word.Type) -> ColumnRule {
        .word(words.allCases.map(\.rawValue))
    }

    /// The SQL condition for values that break the rule.
    fileprivate func violation(of column: String) -> String {
        func bytes(_ condition: String) -> String {
            "typeof(\(column)) NOT IN ('blob', 'null') OR NOT coalesce(\(condition), 1)"
        }
        switch self {
        case .number(let kind):
            let gaps = kind.gaps.map { " OR \(column) = \($0)" }.joined()
            // Written as a sum, because 9223372036854775808 is too large for an integer literal.
            let least = kind.range.lowerBound == .min ? "-9223372036854775807 - 1" : "\(kind.range.lowerBound)"
            return """
                typeof(\(column)) NOT IN ('integer', 'null')
                    OR \(column) NOT BETWEEN \(least) AND \(kind.range.upperBound)\(gaps)
                """
        case .id: return bytes("length(\(column)) = 16")
        case .idOrNothing: return bytes("length(\(column)) IN (0, 16)")
        case .digest: return bytes("length(\(column)) = 32")
        case .itemDigest: return bytes("length(\(column)) = 16")
        case .keys: return bytes("length(\(column)) % 8 = 0")
        case .word(let words):
            return "\(column) NOT IN (\(words.map { "'\($0)'" }.joined(separator: ", ")))"
        }
    }
}

extension Connection {
    /// Returns the rows that break a rule of their columns (`Schema.rules`), at most ten of each table. Reads all
    /// tables, but no archive bytes. A database with an older schema has fewer columns.
    func wrongRows() throws(StoreError) -> [String] {
        var wrong: [String] = []
        for (table, rules) in Schema.rules.sorted(by: { $0.key < $1.key }) {
            let columns = try values("PRAGMA table_info(\(table))", column: 1)
            let known = rules.filter { columns.contains($0.key) }.sorted { $0.key < $1.key }
            guard !known.isEmpty else { continue }
            let cases = known.map { "WHEN \($0.value.violation(of: $0.key)) THEN '\($0.key)'" }.joined(separator: " ")
            let key = try nameOfRow(in: table, columns)
            wrong += try values(
                """
                SELECT 'the column ' || wrong || ' of the table \(table) in the row with ' || name
                FROM (SELECT CASE \(cases) END AS wrong, \(key) AS name FROM \(table)) WHERE wrong IS NOT NULL LIMIT 10
                """)
        }
        return wrong
    }

    /// SQL for the key of a row. Bytes are shortened, because some keys are digests of secrets.
    private func nameOfRow(in table: String, _ columns: [String]) throws(StoreError) -> String {
        let ranks = try values("PRAGMA table_info(\(table))", column: 5)
        let key = zip(columns, ranks).filter { $0.1 != "0" }.map(\.0)
        return (key.isEmpty ? ["rowid"] : key).map { column in
            """
            '\(column) ' || coalesce(iif(
                typeof(\(column)) = 'blob', substr(lower(hex(\(column))), 1, 32), substr(\(column), 1, 64)), 'NULL')
            """
        }.joined(separator: " || ', ' || ")
    }
}
