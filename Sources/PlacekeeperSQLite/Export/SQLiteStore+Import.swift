package import PlacekeeperCore
import PlacekeeperMatching
package import PlacekeeperService

extension SQLiteStore {
    package func add(_ records: [ImportedRecord], to owner: UserKey) async throws(StoreError) -> Committed<Bool> {
        // Compress the archives here, so other writes don't wait for the compression.
        let contents = records.map { record -> Content? in
            guard case .archive(let exported) = record else { return nil }
            return Content(exported.bytes, compressing: configuration.compressedSize, with: compression)
        }
        let (weight, rows) = records.reduce((0, 0)) { ($0.0 + $1.weight, $0.1 + $1.rows) }
        return try await writer.write(weight: weight, rows: rows, invalidations: { _ in .write(to: owner) }) {
            transaction throws(StoreError) in
            transaction.users.forget(owner)
            return try transaction.add(records, contents, to: owner)
        }
    }
}

extension ImportedRecord {
    /// The approximate memory that the record occupies, in bytes.
    fileprivate var weight: Int {
        switch self {
        case .scene, .change: 256
        case .archive(let exported): 2 * exported.bytes.count + (exported.screenshot?.bytes.count ?? 0) + 1024
        case .items(let items): items.items.reduce(256) { $0 + $1.texts.count + 8 * $1.item.aliases.count + 192 }
        }
    }

    /// The approximate number of rows written for the record.
    fileprivate var rows: Int {
        switch self {
        case .scene, .change: 2
        case .archive(let exported): 3 + 2 * exported.outcomes.count
        case .items(let items): items.items.reduce(2) { $0 + $1.item.aliases.count + 2 }
        }
    }
}
