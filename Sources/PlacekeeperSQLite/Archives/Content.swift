import PlacekeeperCore
import PlacekeeperService

/// The stored form of an archive's bytes.
struct Content: Sendable {
    enum Encoding: Int64, Sendable {
        case plain = 0
        case compressed = 1
    }

    var encoding: Encoding
    var bytes: [UInt8]

    /// Compresses `bytes` if the array has at least `size` bytes and `compression.compress` does not return nil. Runs
    /// on the caller's thread and not on the writer's queue, so that other writes do not wait for the compression.
    init(_ bytes: [UInt8], compressing size: Int, with compression: some BlobCompression) {
        if bytes.count >= size, let compressed = compression.compress(bytes) {
            (encoding, self.bytes) = (.compressed, compressed)
        } else {
            (encoding, self.bytes) = (.plain, bytes)
        }
    }

    init(encoding: Int64, bytes: [UInt8]) throws(StoreError) {
        guard let encoding = Encoding(rawValue: encoding) else {
            throw StoreError(
                .tooNew,
                "An archive's encoding is unknown: install the placekeeper version that wrote it, or a later version.")
        }
        (self.encoding, self.bytes) = (encoding, bytes)
    }

    /// Returns the uploaded bytes.
    func original(count: Int, with compression: some BlobCompression) throws(StoreError) -> [UInt8] {
        guard encoding == .compressed else { return bytes }
        do {
            return try compression.decompress(bytes, count: count)
        } catch {
            throw StoreError(.corrupt, "An archive's bytes cannot be read.", cause: "\(error)")
        }
    }
}

/// An archive's bytes as the database has them: the bytes themselves, or their place in a segment.
struct StoredContent: Sendable {
    /// The row in `content`.
    var row: Int64
    var content: Content
    var place: SegmentPlace?
}

extension SQLiteStore {
    /// Reads the bytes from their segment, if they are in one. Nil if the archive was removed meanwhile. The caller must
    /// have ended the transaction that read `stored`.
    func load(_ stored: StoredContent) throws(StoreError) -> Content? {
        guard let place = stored.place else { return stored.content }
        let bytes = try place.read(beside: path)
        // A place is never used again. So if the row still has the place, the bytes were read before the archive was
        // removed. Otherwise the bytes may be zeros.
        let isCurrent = try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.placeOfContent)
            select.bind(stored.row, at: 1)
            guard try select.step() else { return false }
            return try select.segmentPlace(0) == place
        }
        guard isCurrent else { return nil }
        guard let bytes else { throw .corrupt("The bytes of an archive are missing from a segment.") }
        var content = stored.content
        content.bytes = bytes
        return content
    }
}

extension Query {
    fileprivate static let placeOfContent = Query("SELECT segment, position, size FROM content WHERE id = ?1")
}
