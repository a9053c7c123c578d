import RestorationService

/// An archive's bytes as they are stored.
struct Content: Sendable {
    enum Encoding: Int64, Sendable {
        case plain = 0
        case compressed = 1
    }

    var encoding: Encoding
    var bytes: [UInt8]

    /// Compresses what is of at least `size`, if that pays. Runs on the caller, so that the writer need not.
    init(_ bytes: [UInt8], compressing size: Int, with compression: some BlobCompression) {
        if bytes.count >= size, let compressed = compression.compress(bytes) {
            (encoding, self.bytes) = (.compressed, compressed)
        } else {
            (encoding, self.bytes) = (.plain, bytes)
        }
    }

    init(encoding: Int64, bytes: [UInt8]) throws(StoreError) {
        guard let encoding = Encoding(rawValue: encoding) else {
            throw StoreError(.tooNew, "An archive is stored in a way that this version does not know.")
        }
        (self.encoding, self.bytes) = (encoding, bytes)
    }

    /// The bytes as they were uploaded.
    func original(count: Int, with compression: some BlobCompression) throws(StoreError) -> [UInt8] {
        guard encoding == .compressed else { return bytes }
        do {
            return try compression.decompress(bytes, count: count)
        } catch {
            throw StoreError(.corrupt, "An archive's bytes cannot be read.", cause: "\(error)")
        }
    }
}
