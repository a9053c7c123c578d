import HTTPCodec
import PlacekeeperAPI

/// The pieces of a request's content after decompression.
struct ContentPieces {
    private var plain: [UInt8] = []
    private var coded: (any GzipPieces)?
    private var limit: BodyLimit

    init(_ bytes: [UInt8]) {
        plain = bytes
        limit = .ofIgnored
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
        switch (head.contentCoding, gzip) {
        case (.identity, _): return ContentPieces(request.body)
        case (.gzip, let gzip?):
            do {
                return ContentPieces(try gzip.inflating(request.body, limit: bodyLimit.bytes), bodyLimit)
            } catch {
                throw Problem(error, bodyLimit)
            }
        default:
            var problem = Problem(.unsupportedContentCoding, "The content coding of a body must be identity or gzip.")
            // The response names the content codings that the server accepts (RFC 9110 section 15.5.16).
            problem.fields.add(.acceptEncoding, gzip == nil ? "identity" : "gzip")
            throw problem
        }
    }

    /// Returns the decompressed body.
    func content(_ gzip: (any GzipCoding)?) throws(Problem) -> [UInt8] {
        var pieces = try pieces(gzip)
        guard pieces.isCoded else { return request.body }
        var content: [UInt8] = []
        while case let piece = try pieces.next(), !piece.isEmpty {
            try reservation?.hold(content.count + piece.count)
            content += piece
        }
        return content
    }

    /// Decodes a JSON body. Charges the decoded values to the memory budget, as many bytes as their JSON text has. For
    /// a compressed body, also charges the decompressed text.
    func body<Body: Decodable>(_ type: Body.Type, _ server: Server) throws(Problem) -> Body {
        let content = try content(server.gzip)
        try reservation?.hold(head.contentCoding == .identity ? content.count : 2 * content.count)
        return try JSONBody.decode(
            type, from: content, depth: server.configuration.jsonDepth, values: server.configuration.jsonValues)
    }
}

extension Problem {
    fileprivate init(_ error: GzipError, _ limit: BodyLimit) {
        switch error {
        case .tooLarge: self = limit.inflationProblem
        case .malformed:
            self.init(.malformedContentCoding, "The body is not valid gzip, which its Content-Encoding declares.")
        }
    }
}
