import Compression
import PlacekeeperServer

struct SystemGzip: GzipCoding {
    private let compressor = Compressor(.gzip)

    func deflate(_ bytes: [UInt8]) -> [UInt8]? { compressor.deflate(bytes) }

    func inflate(_ bytes: [UInt8], limit: Int) throws(GzipError) -> [UInt8] {
        do {
            return try compressor.inflate(bytes, limit: limit)
        } catch {
            throw error.code == .tooLarge || error.code == .ratioExceeded ? .tooLarge : .malformed
        }
    }
}
