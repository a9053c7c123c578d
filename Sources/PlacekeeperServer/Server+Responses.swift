import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

extension Server {
    /// Returns a JSON response. A response to GET has an entity tag, and becomes a 304 if `If-None-Match` matches it.
    func json(
        _ value: some Encodable, _ status: Status = .ok, for requestContext: RequestContext, head: Revision? = nil
    ) throws -> Response {
        json(try JSONBody.encode(value), status, for: requestContext, head: head)
    }

    /// Returns a JSON response with content that is already encoded.
    ///
    /// - Parameters:
    ///   - type: the media type of the content.
    ///   - isTagged: whether a response to GET gets an entity tag of its content.
    func json(
        _ bytes: [UInt8], _ status: Status = .ok, for requestContext: RequestContext, head: Revision? = nil,
        as type: StaticString = "application/json", isTagged: Bool = true
    ) -> Response {
        var response = Response(status, fields: Self.jsonFields)
        if let head { response.fields.add(.headRevision, head.rawValue) }
        let coded = self.coded(bytes, for: requestContext.head)
        let method = requestContext.head.method
        if isTagged, status == .ok, method == .get || method == .head {
            let tag = ContentCoding.entityTag(of: bytes, service.hashing, coded: coded != nil)
            response.fields.add(.etag, tag)
            if requestContext.head.ifNoneMatchNames(tag) == true {
                response.status = .notModified
                return response
            }
        }
        response.fields.add(.contentType, type)
        if coded != nil { response.fields.add(.contentEncoding, "gzip") }
        response.body = .bytes(coded ?? bytes)
        return response
    }

    /// Returns a response with a problem document. It is not compressed if there is no request head.
    func response(to problem: Problem, for head: RequestHead?) -> Response {
        problem.response { bytes in head.flatMap { coded(bytes, for: $0) } }
    }

    static func text(_ text: String, as type: String = "text/plain; charset=utf-8") -> Response {
        var response = Response(.ok)
        response.fields.add(.contentType, type)
        response.fields.add(.cacheControl, "no-store")
        response.body = .bytes(Array(text.utf8))
        return response
    }

    /// Returns the compressed bytes, or nil if the client does not accept gzip or compression saves too little.
    private func coded(_ bytes: [UInt8], for head: RequestHead) -> [UInt8]? {
        guard let gzip, (ContentCoding.threshold...ContentCoding.limit).contains(bytes.count), head.acceptsGzip else {
            return nil
        }
        return gzip.deflate(bytes)
    }

    private static let jsonFields: ResponseFields = {
        var fields = ResponseFields()
        fields.add(.cacheControl, "private, no-cache")
        fields.add(.vary, "Authorization, Accept-Encoding")
        return fields
    }()
}

extension Problem {
    /// Returns a response with the problem document.
    ///
    /// - Parameter gzip: returns the compressed document. Nil if the document isn't to be compressed.
    func response(gzip: ([UInt8]) -> [UInt8]? = { _ in nil }) -> Response {
        var document = document
        document.head = head?.rawValue
        var response = Response(status, fields: fields)
        response.fields.add(.cacheControl, "private, no-cache")
        response.fields.add(.vary, "Authorization, Accept-Encoding")
        if let head { response.fields.add(.headRevision, head.rawValue) }
        response.fields.add(.contentType, "application/problem+json")
        let bytes: [UInt8]
        do {
            if let refused { try document.tell(refused) }
            bytes = try JSONBody.encode(document)
        } catch {
            // A problem contains only strings, Booleans, integers and durations of whole milliseconds. Encoding fails
            // only for infinity and NaN.
            preconditionFailure("a problem cannot be encoded")
        }
        let coded = gzip(bytes)
        if coded != nil { response.fields.add(.contentEncoding, "gzip") }
        response.body = .bytes(coded ?? bytes)
        return response
    }
}

extension Response {
    /// API responses aren't pages: a browser that displays one must not load anything, or put it into a frame.
    static let apiPolicy: StaticString = "default-src 'none'; frame-ancestors 'none'"

    /// Adds the fields that every response of the REST layer has.
    mutating func addUsualFields(_ id: RequestID, contentSecurityPolicy: StaticString = apiPolicy) {
        id.add(to: &fields)
        fields.add(.contentTypeOptions, "nosniff")
        fields.add(.contentSecurityPolicy, contentSecurityPolicy)
    }
}
