import PlacekeeperCompression
import PlacekeeperServer

struct SystemGzip: GzipCoding {
    private let compressor = Compressor(.gzip)

    func deflate(_ bytes: [UInt8]) -> [UInt8]? { compressor.deflate(bytes) }

    func inflating(_ bytes: [UInt8], limit: Int) throws(GzipError) -> any GzipPieces {
        do throws(CompressionError) {
            return Pieces(try compressor.inflating(bytes, limit: limit))
        } catch {
            throw GzipError(error)
        }
    }

    func inflate(_ bytes: [UInt8], count: Int) throws(GzipError) -> [UInt8] {
        do throws(CompressionError) { return try compressor.inflate(bytes, count: count) } catch {
            throw GzipError(error)
        }
    }

    private final class Pieces: GzipPieces {
        private let pieces: InflatedPieces
        init(_ pieces: InflatedPieces) { self.pieces = pieces }

        func next() throws(GzipError) -> [UInt8] {
            do throws(CompressionError) { return try pieces.next() } catch { throw GzipError(error) }
        }
    }
}

extension GzipError {
    fileprivate init(_ error: CompressionError) {
        self = [.tooLarge, .ratioExceeded].contains(error.code) ? .tooLarge : .malformed
    }
}
