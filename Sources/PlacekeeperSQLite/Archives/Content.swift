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

    /// Compresses `bytes` if there are at least `size` of them and compression pays off. Runs on the caller's thread,
    /// not on the writer's queue, so other writes don't wait for the compression.
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
        guard encoding == .compressed else {
            guard bytes.count == count else { throw .corrupt("An archive's bytes are missing.") }
            return bytes
        }
        do {
            return try compression.decompress(bytes, count: count)
        } catch {
            throw StoreError(.corrupt, "An archive's bytes cannot be read.", cause: "\(error)")
        }
    }
}
