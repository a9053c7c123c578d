import HTTPCodec
import PlacekeeperAPI
import RestorationService

extension Server {
    /// `GET /v1/scenes/{scene}/archives`: from the head backwards, a page at a time.
    func listArchives(_ exchange: Exchange, _ caller: Caller) async throws -> Response {
        let scene = try exchange.scene()
        let limit = try exchange.number("limit", in: 1...Limits.page) ?? Limits.page
        let position = try exchange.query("cursor").map { text throws(Problem) in
            guard let position = Archive.Position(cursor: text) else {
                throw .malformedQuery("cursor", "The cursor is none that was given out.")
            }
            return position
        }
        // One more than asked for tells whether there is a next page.
        let found = try await service.history(
            in: scene, below: position, limit: min(limit + 1, Limits.page), caller: caller)
        let items = found.prefix(limit)
        let isMore = found.count > limit || found.count == Limits.page
        let next = isMore ? items.last?.position.cursor : nil
        var response = try json(
            Wire.Page(items: items.map(Wire.Archive.init), next: next), for: exchange,
            head: try await service.head(of: scene, caller: caller))
        if let next { link("cursor", next, limit, exchange, &response) }
        return response
    }

    /// Points to the next page (RFC 8288), which begins behind `next`.
    func link(
        _ parameter: StaticString, _ next: String, _ limit: Int, _ exchange: Exchange, _ response: inout Response
    ) {
        let path = String(decoding: exchange.head.bytes[exchange.head.path], as: UTF8.self)
        response.fields.add(.link, "<\(path)?\(parameter)=\(next)&limit=\(limit)>; rel=\"next\"")
    }
}

extension Archive.Position {
    /// As it goes out and comes back: opaque to the client.
    var cursor: String { "\(capturedAt.milliseconds).\(revision.rawValue)" }

    init?(cursor: String) {
        let parts = Array(cursor.utf8).split(separator: 0x2E, omittingEmptySubsequences: false)
        guard parts.count == 2, let time = Int64(decimal: parts[0]), let revision = Int64(decimal: parts[1]) else {
            return nil
        }
        self.init(capturedAt: Timestamp(milliseconds: time), revision: Revision(rawValue: revision))
    }
}
