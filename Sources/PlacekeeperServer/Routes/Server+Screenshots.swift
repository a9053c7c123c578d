import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

extension Server {
    /// `PUT /v1/scenes/{scene}/archives/{archive}/screenshot`
    func storeScreenshot(_ requestContext: RequestContext, _ principal: Principal) async throws -> Response {
        let scene = try requestContext.scene()
        let content = try await read(requestContext, of: principal) { try requestContext.content(gzip) }
        try await service.archives.putScreenshot(
            content, for: try requestContext.storedArchive(), in: scene, principal: principal)
        return try await done(in: scene, principal)
    }

    /// `GET /v1/scenes/{scene}/archives/{archive}/screenshot`
    func readScreenshot(_ requestContext: RequestContext, _ principal: Principal) async throws -> Response {
        let scene = try requestContext.scene()
        let id = try requestContext.storedArchive()
        guard let screenshot = try await service.archives.screenshot(for: id, in: scene, principal: principal) else {
            throw Problem(.screenshotNotFound, "The archive has no screenshot.")
        }
        let tag = ContentCoding.entityTag(of: screenshot.bytes, service.hashing, coded: false)
        var response = Response(.ok, fields: Self.archiveFields)
        response.fields.add(.etag, tag)
        if let head = try await service.archives.head(of: scene, principal: principal) {
            response.fields.add(.headRevision, head.revision.rawValue)
        }
        if requestContext.head.ifNoneMatchNames(tag) == true {
            response.status = .notModified
            return response
        }
        response.fields.add(.contentType, screenshot.format == .png ? "image/png" : "image/jpeg")
        response.body = .bytes(screenshot.bytes)
        return response
    }
}
