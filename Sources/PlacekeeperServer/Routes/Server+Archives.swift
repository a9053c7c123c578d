import PlacekeeperAPI
import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

extension Server {
    /// `PUT /v1/scenes/{scene}/archives/{archive}`
    func storeArchive(_ requestContext: RequestContext, _ principal: Principal) async throws -> Response {
        let now = try await service.devices.time(of: principal.owner)
        let prepared = try await read(requestContext, of: principal) {
            try service.archives.prepared(try upload(in: requestContext), for: principal, at: now)
        }
        let result = try await service.archives.store(prepared, for: principal)
        // The archive that a place becomes isn't what the client sent (RFC 9110 section 9.3.4).
        return try stored(result, of: principal, hasTag: !requestContext.head.bringsPlace)
    }

    /// Reads an upload from its request.
    @inline(never)
    private func upload(in requestContext: RequestContext) throws -> Upload {
        guard let id = requestContext.archive else {
            var problem = Problem(.malformedPath, "The archive's id must be a UUID that the client creates.")
            problem.document.parameter = "archive"
            throw problem
        }
        let bytes =
            requestContext.head.bringsPlace
            ? try requestContext.archiveOfPlace(self) : try requestContext.content(gzip)
        if bytes.first == UInt8(ascii: "{"), !requestContext.head.bringsPlace {
            throw Problem(
                .unsupportedMediaType, "A place as JSON has the Content-Type \(PlaceForm.mediaType).")
        }
        var upload = Upload(id: id, scene: try requestContext.scene(), bytes: bytes)
        if requestContext.head.query != nil {
            upload.idiom = try requestContext.idiom()
            upload.layout = try requestContext.layout()
            upload.bundleVersion = try requestContext.query("bundleVersion")
            upload.systemVersion = try requestContext.query("systemVersion")
            upload.stateVersion = try requestContext.stateVersion()
        }
        upload.arrivedAt = requestContext.arrivedAt
        upload.interactionAge = try requestContext.interactionAge()
        upload.sequence = try requestContext.number(.captureSequence)
        upload.restoredFrom = try requestContext.number(.restoredFrom).map(Revision.init)
        upload.precondition = try requestContext.headPrecondition()
        return upload
    }

    /// `POST /v1/scenes/{scene}/archives/{archive}/head`
    func makeHead(_ requestContext: RequestContext, _ principal: Principal) async throws -> Response {
        let body = try requestContext.body(Wire.NewHead.self, self)
        guard let new = ArchiveID(body.id) else {
            var problem = Problem(.invalidBody, "The archive's id must be a UUID that the client creates.")
            problem.document.pointer = "/id"
            throw problem
        }
        let scene = try requestContext.scene()
        let result = try await service.archives.makeHead(
            try requestContext.storedArchive(), as: new, in: scene, principal: principal)
        var response = try stored(result, of: principal)
        if response.status == .created { response.fields.add(.location, "/v1/scenes/\(scene)/archives/\(new)") }
        return response
    }

    /// `GET /v1/scenes/{scene}/archives/{archive}`: returns the bytes as they were uploaded, or their place as JSON.
    func readArchive(_ requestContext: RequestContext, _ principal: Principal) async throws -> Response {
        let scene = try requestContext.scene()
        switch try await service.archives.archive(try requestContext.storedArchive(), in: scene, principal: principal) {
        case .stored(let archive):
            let head = try await service.archives.head(of: scene, principal: principal)
            if requestContext.head.archiveForm == .place {
                return try await storedPlace(archive, head, for: requestContext, principal)
            }
            let tag = ContentCoding.entityTag(of: archive.digest)
            var response = Response(.ok, fields: Self.archiveFields)
            response.fields.add(.vary, "Accept")
            response.fields.add(.etag, tag)
            response.fields.add(.revision, archive.revision.rawValue)
            if let head {
                response.fields.add(.headRevision, head.revision.rawValue)
                response.fields.add(Superseded(archive, below: head))
            }
            if requestContext.head.ifNoneMatchNames(tag) == true {
                response.status = .notModified
                return response
            }
            response.fields.add(.contentType, "application/x-plist")
            response.body = .bytes(try await service.archives.bytes(of: archive))
            return response
        case .deleted: throw Problem(.archiveDeleted, "The archive was deleted.")
        case .none: throw Problem(.archiveNotFound, "There is no such archive.")
        }
    }

    private func storedPlace(
        _ archive: Archive, _ head: Archive.Position?, for requestContext: RequestContext, _ principal: Principal
    ) async throws -> Response {
        let bytes = try await service.archives.bytes(of: archive)
        return try await service.offload(for: principal.owner) { () async throws in
            var response = try place(try ArchivedPlace(stored: bytes), for: requestContext, head: head?.revision)
            response.fields.add(.vary, "Accept")
            response.fields.add(.revision, archive.revision.rawValue)
            response.fields.add(head.flatMap { Superseded(archive, below: $0) })
            return response
        }.get()
    }

    /// `DELETE /v1/scenes/{scene}/archives/{archive}`
    func deleteArchive(_ requestContext: RequestContext, _ principal: Principal) async throws -> Response {
        let scene = try requestContext.scene()
        try await service.archives.delete(try requestContext.storedArchive(), in: scene, principal: principal)
        return try await done(in: scene, principal)
    }

    /// `DELETE /v1/scenes/{scene}`
    func forgetScene(_ requestContext: RequestContext, _ principal: Principal) async throws -> Response {
        let scene = try requestContext.scene()
        try await service.archives.forget(scene, principal: principal)
        return try await done(in: scene, principal)
    }

    /// Returns a response without content that includes the scene's head.
    func done(in scene: String, _ principal: Principal) async throws -> Response {
        var response = Response(.noContent)
        if let head = try await service.archives.head(of: scene, principal: principal) {
            response.fields.add(.headRevision, head.revision.rawValue)
        }
        return response
    }

    /// Returns the response to an upload, or to a request that makes an archive the head.
    @inline(never)
    private func stored(
        _ result: PutResult, of principal: Principal, hasTag: Bool = true
    ) throws(Problem) -> Response {
        switch result {
        case .created(let archive, let head): return stored(archive, head, .created, hasTag)
        case .identical(let archive, let head): return stored(archive, head, .ok, hasTag)
        default: throw refusal(of: result, principal.app.settings.quotas)
        }
    }

    /// Returns the problem for a result without an archive.
    func refusal(of result: PutResult, _ quotas: App.Settings.Quotas) -> Problem {
        switch result {
        case .created, .identical: .notFound
        case .differs(let head):
            Problem(.archiveDiffers, "Other bytes are stored under this id. Create a new id.", head: head)
        case .deleted(let head):
            Problem(.archiveDeleted, "The archive with this id was deleted. Create a new id.", head: head)
        case .headMoved(let head):
            Problem(
                .headMoved,
                "The precondition If-Head failed. "
                    + (head.map { "The head is revision \($0.rawValue)." } ?? "The scene has no head."),
                head: head)
        case .tooManyScenes:
            Problem(ServiceError.tooManyScenes(quotas))
        case .quotaExceeded(let excess): Problem(ServiceError(excess))
        case .actorGone: .unauthorized
        case .forgotten(let head):
            Problem(.sceneForgotten, "The scene was forgotten after this archive was captured.", head: head)
        }
    }

    private func stored(_ archive: Archive, _ head: Revision, _ status: Status, _ hasTag: Bool) -> Response {
        var response = Response(status, fields: Self.archiveFields)
        if hasTag { response.fields.add(.etag, ContentCoding.entityTag(of: archive.digest)) }
        response.fields.add(.revision, archive.revision.rawValue)
        response.fields.add(.headRevision, head.rawValue)
        return response
    }

    /// The common fields of responses about a stored archive or its screenshot.
    static let archiveFields: ResponseFields = {
        var fields = ResponseFields()
        fields.add(.cacheControl, "private, no-cache")
        fields.add(.vary, "Authorization")
        return fields
    }()
}
