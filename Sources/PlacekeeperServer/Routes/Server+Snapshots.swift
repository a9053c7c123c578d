import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

extension Server {
    /// `PUT /v1/scenes/{scene}/archives/{archive}/snapshot`
    func storeSnapshot(_ requestContext: RequestContext, _ caller: Caller) async throws -> Response {
        let scene = try requestContext.scene()
        let content = try await read(requestContext, of: caller) { try requestContext.content(gzip) }
        try await service.archives.putSnapshot(
            content, for: try requestContext.storedArchive(), in: scene, caller: caller)
        return try await done(in: scene, caller)
    }

    /// `GET /v1/scenes/{scene}/archives/{archive}/snapshot`
    func readSnapshot(_ requestContext: RequestContext, _ caller: Caller) async throws -> Response {
        let scene = try requestContext.scene()
        let id = try requestContext.storedArchive()
        guard let snapshot = try await service.archives.snapshot(for: id, in: scene, caller: caller) else {
            throw Problem(.snapshotNotFound, "The archive has no snapshot.")
        }
        let tag = ContentCoding.entityTag(of: snapshot.bytes, service.hashing, coded: false)
        var response = Response(.ok, fields: Self.archiveFields)
        response.fields.add(.etag, tag)
        if let head = try await service.archives.head(of: scene, caller: caller) {
            response.fields.add(.headRevision, head.revision.rawValue)
        }
        if requestContext.head.ifNoneMatchNames(tag) == true {
            response.status = .notModified
            return response
        }
        response.fields.add(.contentType, snapshot.format == .png ? "image/png" : "image/jpeg")
        response.body = .bytes(snapshot.bytes)
        return response
    }
}
