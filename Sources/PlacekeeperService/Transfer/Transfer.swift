package import PlacekeeperCore

/// Copies all data from one store to another and compares the digests of both.
package struct Transfer {
    package enum Step: Sendable, Hashable {
        case copying(table: String, rows: Int, of: Int)
        case comparing(table: String, rows: Int, of: Int)
        /// May have to wait for a disk or a standby.
        case storing
    }

    package struct Count: Sendable, Hashable {
        package var table: String
        package var rows: Int
    }

    /// A completed transfer.
    package struct Report: Sendable, Hashable {
        package var counts: [Count]
        /// The size of all rows in the canonical encoding.
        package var bytes: Int
        package var digest: Digest
        package var digestOfCopy: Digest
    }

    private let hashing: any Hashing
    private let checksArchives: Bool
    private let report: @Sendable (Step) -> Void

    /// - Parameter checksArchives: whether a damaged archive ends the transfer. Archives in tests have made-up digests.
    package init(
        hashing: any Hashing, checksArchives: Bool = true, report: @escaping @Sendable (Step) -> Void = { _ in }
    ) {
        self.hashing = hashing
        self.checksArchives = checksArchives
        self.report = report
    }

    /// Copies all tables. If this method throws, the destination remains empty.
    package func run(
        from source: any TransferSource, to destination: any TransferDestination
    ) throws(StoreError) -> Report {
        do throws(StoreError) {
            let original = try digests(of: source, Step.copying) { rows, table throws(StoreError) in
                if checksArchives, table == .archive { for row in rows { try row.checkArchive(hashing) } }
                try destination.insert(rows, into: table)
            }
            try destination.complete()
            let copy = try digests(of: destination, Step.comparing) { _, _ in }
            for (index, table) in TransferTable.all.enumerated() where original[index] != copy[index] {
                throw StoreError(
                    .corrupt,
                    "The copy of the table \(table.name) differs from the original, so it was dropped. Report this error.",
                    cause: "\(original[index].rows) and \(copy[index].rows) rows")
            }
            try source.requireExclusiveAccess()
            report(.storing)
            try destination.finish()
            return Report(
                counts: zip(TransferTable.all, original).map { Count(table: $0.name, rows: $1.rows) },
                bytes: original.reduce(0) { $0 + $1.bytes }, digest: digest(original), digestOfCopy: digest(copy))
        } catch {
            destination.abandon()
            throw error
        }
    }

    private struct TableDigest: Hashable {
        var digest: Digest
        var rows: Int
        var bytes: Int
    }

    private func digests(
        of store: any TransferSource, _ step: (String, Int, Int) -> Step,
        _ receive: ([TransferRow], TransferTable) throws(StoreError) -> Void
    ) throws(StoreError) -> [TableDigest] {
        var digests: [TableDigest] = []
        for table in TransferTable.all {
            let count = try store.count(of: table)
            var (hash, rows) = (TransferHash(table, hashing), 0)
            report(step(table.name, 0, count))
            try store.read(table) { piece throws(StoreError) in
                for row in piece {
                    try table.check(row)
                    hash.add(row)
                }
                try receive(piece, table)
                rows += piece.count
                report(step(table.name, rows, count))
            }
            guard rows == count else {
                throw StoreError(
                    .corrupt,
                    "The database is damaged: rows of the table \(table.name) refer to rows that do not exist. Restore a backup, and transfer its data.",
                    cause: "\(rows) of \(count) rows can be read")
            }
            digests.append(TableDigest(digest: hash.finish(), rows: rows, bytes: hash.bytes))
        }
        return digests
    }

    /// Returns a digest over the digests of all tables.
    private func digest(_ tables: [TableDigest]) -> Digest {
        let hash = hashing.running()
        for table in tables {
            let words = table.digest.words
            for word in [words.0, words.1, words.2, words.3] { withUnsafeBytes(of: word.bigEndian) { hash.update($0) } }
        }
        return hash.finish()
    }
}

extension TransferTable {
    fileprivate func check(_ row: TransferRow) throws(StoreError) {
        guard row.count == columns.count else {
            throw .corrupt("A row of the table \(name) has \(row.count) values in place of \(columns.count).")
        }
        for (column, value) in zip(columns, row) { try column.check(value, in: self) }
    }
}

/// The digest of a table's name and rows in the canonical encoding. Each name, row and value is preceded by its number
/// of bytes or values, so different tables never have the same encoding.
private struct TransferHash {
    private let hash: any RunningHash
    private var buffer: [UInt8] = []
    private(set) var bytes = 0

    private static let bufferSize = 64 << 10

    init(_ table: TransferTable, _ hashing: any Hashing) {
        hash = hashing.running()
        add(UInt64(table.name.utf8.count))
        buffer += table.name.utf8
    }

    mutating func add(_ row: TransferRow) {
        add(UInt64(row.count))
        for value in row {
            switch value {
            case .null: buffer.append(0)
            case .int(let number):
                buffer.append(1)
                add(UInt64(bitPattern: number))
            case .bytes(let bytes):
                buffer.append(2)
                add(UInt64(bytes.count))
                if bytes.count < Self.bufferSize {
                    buffer += bytes
                } else {
                    flush()
                    bytes.withUnsafeBytes { hash.update($0) }
                    self.bytes += bytes.count
                }
            }
            if buffer.count >= Self.bufferSize { flush() }
        }
    }

    mutating func finish() -> Digest {
        flush()
        return hash.finish()
    }

    private mutating func add(_ number: UInt64) {
        withUnsafeBytes(of: number.bigEndian) { buffer.append(contentsOf: $0) }
    }

    private mutating func flush() {
        buffer.withUnsafeBytes { hash.update($0) }
        bytes += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }
}
