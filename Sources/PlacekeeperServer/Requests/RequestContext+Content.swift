import PlacekeeperAPI
import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperJSON
import PlacekeeperService

/// The pieces of a request's content after decompression.
struct ContentPieces {
    private var plain: [UInt8] = []
    private var coded: (any GzipPieces)?
    private var limit: BodyLimit

    init(_ bytes: [UInt8]) {
        plain = bytes
        limit = .ofShortBody
    }

    init(_ coded: any GzipPieces, _ limit: BodyLimit) {
        self.coded = coded
        self.limit = limit
    }

    /// Whether the content is compressed. If so, the pieces take memory in addition to the body.
    var isCoded: Bool { coded != nil }

    /// Returns the next bytes, or no bytes at the end.
    mutating func next() throws(Problem) -> [UInt8] {
        guard let coded else {
            defer { plain = [] }
            return plain
        }
        do { return try coded.next() } catch { throw Problem(error, limit) }
    }
}

extension RequestContext {
    /// Returns the decompressed body in pieces.
    func pieces(_ gzip: (any GzipCoding)?) throws(Problem) -> ContentPieces {
        guard let gzip = try coding(gzip) else { return ContentPieces(request.body) }
        do { return ContentPieces(try gzip.inflating(request.body, limit: bodyLimit.bytes), bodyLimit) } catch {
            throw Problem(error, bodyLimit)
        }
    }

    /// Returns the decompressed body. Charges its memory before inflating it.
    func content(_ gzip: (any GzipCoding)?) throws(Problem) -> [UInt8] {
        guard let gzip = try coding(gzip) else { return request.body }
        guard let length = declaredLength(ofGzip: request.body) else { throw Problem(.malformed, bodyLimit) }
        guard length <= min(bodyLimit.bytes, 100 * request.body.count) else {
            // Bytes after the gzip member can look like a length. So inflate the body piece by piece, up to the limit,
            // to find out whether it is too large or malformed.
            var pieces = try pieces(gzip)
            while !(try pieces.next().isEmpty) {}
            throw Problem(.malformed, bodyLimit)
        }
        try reservation?.hold(length)
        do { return try gzip.inflate(request.body, count: length) } catch { throw Problem(error, bodyLimit) }
    }

    /// Returns the coding of a compressed body. Nil if it isn't compressed.
    private func coding(_ gzip: (any GzipCoding)?) throws(Problem) -> (any GzipCoding)? {
        switch (head.contentCoding, gzip) {
        case (.identity, _): return nil
        case (.gzip, let gzip?): return gzip
        default:
            var problem = Problem(.unsupportedContentCoding, "The content coding of a body must be identity or gzip.")
            // The response lists the content codings that the server accepts (RFC 9110 section 15.5.16).
            problem.fields.add(.acceptEncoding, gzip == nil ? "identity" : "gzip")
            throw problem
        }
    }

    /// Whether reading the content would occupy a worker for too long: once inflated, it may exceed 64 KiB.
    var isLong: Bool {
        let length = head.contentCoding == .gzip ? declaredLength(ofGzip: request.body) ?? 0 : request.body.count
        return max(length, request.body.count) > BodyLimit.short
    }

    /// Decodes a JSON body. Charges the size of the JSON text to the memory budget for the decoded values. If the body
    /// is compressed, charges this size a second time, for the decompressed text.
    func body<Body: Decodable>(_ type: Body.Type, _ server: Server) throws(Problem) -> Body {
        try JSONBody.decode(type, from: try document(server, depth: server.configuration.jsonDepth))
    }

    /// Reads a place as JSON, and returns the bytes of an archive with this place.
    func archiveOfPlace(_ server: Server) throws(Problem) -> [UInt8] {
        let archive = try PlaceReader.archive(try document(server, depth: PlaceReader.depth))
        do { return try archive.encoded() } catch {
            var problem = Problem(.invalidBody, "An archive can't hold the place. \(error.message)")
            problem.document.reason = error.code.rawValue
            throw problem
        }
    }

    private func document(_ server: Server, depth: Int) throws(Problem) -> JSONDocument {
        let content = try content(server.gzip)
        try reservation?.hold(head.contentCoding == .identity ? content.count : 2 * content.count)
        return try JSONBody.document(content, depth: depth, values: server.configuration.jsonValues)
    }
}

extension Server {
    /// Reads the content of a device's request. Long content is read on the offload queue, where users take turns.
    func read<Value: Sendable>(
        _ requestContext: RequestContext, of principal: Principal, _ work: @Sendable () throws -> Value
    ) async throws -> Value {
        guard requestContext.isLong else { return try work() }
        return try await service.offload(for: principal.owner) { () async throws in try work() }.get()
    }
}

extension Problem {
    fileprivate init(_ error: GzipError, _ limit: BodyLimit) {
        switch error {
        case .tooLarge: self = limit.inflationProblem
        case .malformed:
            self.init(
                .malformedContentCoding, "The body must be one valid gzip member, without many tiny blocks.")
        }
    }
}
