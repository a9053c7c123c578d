import PlacekeeperAPI
import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

extension Server {
    /// `GET …/scenes/{scene}/archives`: the archives of a scene, newest first.
    func listTimeline(_ requestContext: RequestContext, _ look: UserRead) async throws -> Response {
        let scene = try requestContext.scene(of: look)
        let limit = try requestContext.adminPageLimit()
        let position = try requestContext.cursor { Archive.Position(cursor: Array($0.utf8)[...]) }
        try await look.begin("timeline")
        // Each archive may have a hundred outcomes, so the page is built on the offload queue.
        return try await service.offload(for: .everyone(of: look.owner.app)) { () async throws in
            let found = try await service.browsing.timeline(of: scene, below: position, limit: limit + 1)
            let page = JSONTree(
                page: found.prefix(limit).map { JSONTree($0, look.redaction) },
                next: found.count > limit ? found[limit - 1].archive.position.cursor : nil)
            return json(page.bytes, for: requestContext)
        }.get()
    }

    /// `GET …/archives/{archive}`
    func inspectArchive(_ requestContext: RequestContext, _ look: UserRead) async throws -> Response {
        let (scene, id) = (try requestContext.scene(of: look), try requestContext.usersArchive())
        try await look.begin("archive \(id)")
        // An inspection may be eight times as large as its archive, so it runs on the offload queue.
        return try await service.offload(for: .everyone(of: look.owner.app)) { () async throws in
            let (entry, bytes) = try await service.browsing.inspect(id, in: scene)
            let inspection = try inspection(of: bytes)
            let references = try readable { () throws(ArchiveError) in try ReferenceTable(reading: bytes).references }
            let redaction = look.redaction
            let document: JSONTree = [
                "archive": JSONTree(entry, redaction), "outcomes": .list(entry.outcomes.map { JSONTree($0) }),
                "isRedacted": .truth(redaction.isOn),
                "inspection": .encoded(inspection.jsonBytes(isRedacted: redaction.isOn)),
                "sizes": .list(
                    inspection.sizes(limit: Limits.page).map {
                        ["key": .text($0.key), "bytes": .number($0.byteCount)]
                    }),
                "references": .list(references.enumerated().map { JSONTree($1, at: $0, redaction) }),
            ]
            return json(document.bytes, for: requestContext)
        }.get()
    }

    /// `GET …/archives/{archive}/diff`
    func compareArchives(_ requestContext: RequestContext, _ look: UserRead) async throws -> Response {
        let (scene, id) = (try requestContext.scene(of: look), try requestContext.usersArchive())
        let other: ArchiveID = try requestContext.required("with", try requestContext.id(query: "with"))
        try await look.begin("diff \(id)")
        return try await service.offload(for: .everyone(of: look.owner.app)) { () async throws in
            let before = try inspection(of: try await service.browsing.inspect(id, in: scene).bytes)
            let after = try inspection(of: try await service.browsing.inspect(other, in: scene).bytes)
            let difference: ArchiveDifference
            do throws(ArchiveError) {
                difference = try ArchiveDifference(from: before, to: after, limit: Limits.differenceNames)
            } catch {
                throw notInspectable(error)
            }
            let isRedacted = look.redaction.isOn
            var meter = WorkMeter()
            let changes = difference.changes.map { change in
                meter.consume(32)
                return JSONTree(change, isRedacted: isRedacted)
            }
            let document: JSONTree = [
                "changes": .list(changes),
                "isRedacted": .truth(isRedacted),
            ]
            return json(document.bytes, for: requestContext)
        }.get()
    }

    /// Parses a whole stored archive. Uploads are only partly parsed, so some accepted archives can't be inspected.
    private func inspection(of bytes: [UInt8]) throws(ServiceError) -> ArchiveInspection {
        do {
            return try ArchiveInspection(reading: bytes)
        } catch {
            _ = try readable { () throws(ArchiveError) in try ArchiveSummary(reading: bytes) }
            throw notInspectable(error)
        }
    }

    /// Runs `read`, which can fail only if a stored archive is damaged.
    private func readable<Value>(_ read: () throws(ArchiveError) -> Value) throws(ServiceError) -> Value {
        do {
            return try read()
        } catch {
            throw ServiceError(
                .storeFailed, "The store failed.", cause: "A stored archive is unreadable: \(error.message)")
        }
    }

    private func notInspectable(_ error: ArchiveError) -> ServiceError {
        ServiceError(
            .archiveNotInspectable,
            "The archive was accepted, but its state cannot be shown. \(error.message) You can download its content.",
            details: ["reason": error.code.rawValue, "offset": "\(error.offset)"])
    }

    /// `GET …/archives/{archive}/content`
    func downloadArchive(_ requestContext: RequestContext, _ look: UserRead) async throws -> Response {
        let (scene, id) = (try requestContext.scene(of: look), try requestContext.usersArchive())
        try await look.begin("content \(id)")
        try look.requireContents()
        let (entry, bytes) = try await service.browsing.inspect(id, in: scene)
        var response = Response(.ok, fields: Self.archiveFields)
        response.fields.add(.etag, ContentCoding.entityTag(of: entry.archive.digest))
        response.fields.add(.contentType, "application/x-plist")
        response.fields.add(.contentDisposition, "attachment; filename=\"\(id).plist\"")
        response.body = .bytes(bytes)
        return response
    }

    /// `GET …/archives/{archive}/screenshot`
    func viewScreenshot(_ requestContext: RequestContext, _ look: UserRead) async throws -> Response {
        let (scene, id) = (try requestContext.scene(of: look), try requestContext.usersArchive())
        try await look.begin("screenshot \(id)")
        try look.requireContents()
        guard let screenshot = try await service.browsing.screenshot(for: id, in: scene) else {
            throw Problem(.screenshotNotFound, "The archive has no screenshot.")
        }
        var response = Response(.ok, fields: Self.archiveFields)
        response.fields.add(.etag, ContentCoding.entityTag(of: screenshot.bytes, service.hashing, coded: false))
        response.fields.add(.contentType, screenshot.format == .png ? "image/png" : "image/jpeg")
        response.body = .bytes(screenshot.bytes)
        return response
    }

    /// `POST …/archives/{archive}/head`
    func makeUsersHead(_ requestContext: RequestContext, _ look: UserRead) async throws -> Response {
        let (scene, id) = (try requestContext.scene(of: look), try requestContext.usersArchive())
        try await look.begin("head \(id)", as: .headMade)
        let new = ArchiveID.random(service.random)
        switch try await service.archives.makeHead(id, as: new, in: scene, of: look.app) {
        case .created(let archive, _):
            var response = json(JSONTree(archive, look.redaction).bytes, .created, for: requestContext)
            response.fields.add(
                .location,
                "/admin/api/apps/\(look.app.id)/users/\(look.owner.user)/scenes/\(scene.name)/archives/\(archive.id)")
            return response
        case .actorGone: throw Problem(.archiveNotFound, "The archive was deleted in the meantime.")
        case let result: throw refusal(of: result, look.app.settings.quotas)
        }
    }
}
