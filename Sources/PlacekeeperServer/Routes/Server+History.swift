import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

extension Server {
    /// `GET /v1/scenes/{scene}/archives`: returns a page of the scene's archives, newest first.
    func listArchives(_ requestContext: RequestContext, _ principal: Principal) async throws -> Response {
        let scene = try requestContext.scene()
        let limit = try requestContext.pageLimit()
        let position = try requestContext.cursor { Archive.Position(cursor: Array($0.utf8)[...]) }
        // Fetching one archive more than the limit shows whether there is a next page.
        let found = try await service.archives.history(
            in: scene, below: position, limit: limit + 1, principal: principal)
        let items = found.archives.prefix(limit)
        let next = found.archives.count > limit ? items.last?.position.cursor : nil
        var response = try json(
            Wire.Page(items: items.map(Wire.Archive.init), next: next), for: requestContext,
            head: found.head)
        if let next { link("cursor", next, limit, requestContext, &response) }
        return response
    }
}

extension Archive.Position {
    /// The position as a cursor, which is opaque to the client.
    var cursor: String {
        let sequence = sequence.map { "\($0)" } ?? ""
        return "\(capturedAt.milliseconds).\(orderRevision.rawValue).\(sequence).\(revision.rawValue)"
    }

    init?(cursor: ArraySlice<UInt8>) {
        let parts = cursor.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard parts.count == 4, let time = Int64(decimal: parts[0]), let order = Int64(decimal: parts[1]),
            let revision = Int64(decimal: parts[3])
        else { return nil }
        let sequence = Int64(decimal: parts[2])
        guard parts[2].isEmpty || sequence != nil else { return nil }
        self.init(
            capturedAt: Timestamp(milliseconds: time), orderRevision: Revision(rawValue: order), sequence: sequence,
            revision: Revision(rawValue: revision))
    }
}
