import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperMatching
import PlacekeeperService

extension Server {
    /// `PUT /v1/data-sources/{name}`
    func declareDataSource(_ requestContext: RequestContext, _ principal: Principal) async throws -> Response {
        let name = try requestContext.dataSource()
        let source = try DataSource(requestContext.body(Wire.DataSourceDeclaration.self, self))
        let isNew = try await service.lists.declare(source, named: name, for: principal)
        return try json(Wire.DataSource(source, named: name), isNew ? .created : .ok, for: requestContext)
    }

    /// `GET /v1/data-sources`
    func listDataSources(_ requestContext: RequestContext, _ principal: Principal) throws -> Response {
        let sources = principal.app.dataSources.sorted { $0.key < $1.key }
        return try json(Wire.Page(items: sources.map { Wire.DataSource($0.value, named: $0.key) }), for: requestContext)
    }

    /// `GET /v1/data-sources/{name}`: returns a data source. If its scope is `registered`, the response includes the
    /// digest of the requesting device's registered items. The device compares it with the digest of the items in its
    /// app, to see whether the service is up to date.
    func readDataSource(_ requestContext: RequestContext, _ principal: Principal) async throws -> Response {
        let name = try requestContext.dataSource()
        let source = try service.lists.dataSource(named: name, for: principal)
        let registration =
            source.acceptsItems ? try await service.lists.registration(of: name, for: principal) : nil
        return try json(Wire.DataSource(source, named: name, registration: registration), for: requestContext)
    }

    /// `GET /v1/data-sources/{name}/items`: returns a page of the requesting device's items.
    func listItems(_ requestContext: RequestContext, _ principal: Principal) async throws -> Response {
        let limit = try requestContext.number("limit", in: 1...Limits.itemPage) ?? Limits.itemPage
        let found = try await service.lists.items(
            of: try requestContext.dataSource(), behind: try requestContext.cursor(LookupKey.init(cursor:)),
            limit: limit + 1,
            for: principal)
        let items = found.prefix(limit)
        let next = found.count > limit ? items.last?.position.cursor : nil
        var response = try json(Wire.Page(items: items.map { Wire.Item($0.item) }, next: next), for: requestContext)
        if let next { link("cursor", next, limit, requestContext, &response) }
        return response
    }

    /// `PATCH /v1/data-sources/{name}/items`: applies a delta from a JSON body, or registers items from JSON lines.
    func changeItems(_ requestContext: RequestContext, _ principal: Principal) async throws -> Response {
        let name = try requestContext.dataSource()
        // Parsing and hashing many items takes long, so it runs on the offload queue.
        let state = try await service.offload(for: principal.owner) { () async throws in
            if requestContext.head.hasItemLines { return try await load(requestContext, into: name, principal) }
            let delta = ItemDelta(try requestContext.body(Wire.ItemDelta.self, self))
            return try await service.lists.apply(delta, to: name, for: principal)
        }.get()
        return try json(Wire.RegistrationState(state), for: requestContext)
    }

    /// `POST /v1/data-sources/{name}/resolve`
    func resolveIdentifiers(_ requestContext: RequestContext, _ principal: Principal) async throws -> Response {
        // A request may contain ten thousand identifiers, so the search runs on the offload queue.
        try await service.offload(for: principal.owner) { () async throws in
            let question = try requestContext.body(Wire.ResolutionQuestion.self, self)
            guard let device = DeviceID(question.device) else {
                throw Problem(.deviceNotFound, "There is no such device.")
            }
            let found = try await service.lists.resolve(
                question.identifiers, of: device, in: try requestContext.dataSource(), for: principal)
            let results = zip(question.identifiers, found).map { Wire.Resolution($1, of: $0) }
            return json(Wire.Resolutions(results: results).json, for: requestContext)
        }.get()
    }

    /// Registers items from JSON lines, in deltas of the maximum size. Each delta is committed separately. After an
    /// interruption, the client must send all lines again.
    private func load(_ requestContext: RequestContext, into name: String, _ principal: Principal) async throws
        -> RegistrationState
    {
        var lines = ItemLines(
            try requestContext.pieces(gzip), requestContext.reservation, depth: configuration.jsonDepth,
            values: configuration.jsonValues)
        var state = try await service.lists.apply(ItemDelta(), to: name, for: principal)
        do {
            while !Task.isCancelled, let items = try lines.next() {
                if items.isEmpty {
                    await Task.yield()
                    continue
                }
                do {
                    state = try await service.lists.apply(ItemDelta(upserts: items), to: name, for: principal)
                } catch {
                    // The items that the delta replaces may have more aliases than one delta may replace, so try a
                    // smaller delta.
                    guard error.code == .deltaTooLarge, lines.halve() else { throw error }
                }
            }
        } catch {
            throw lines.locating(Problem(translating: error))
        }
        return state
    }
}

extension RequestContext {
    /// Returns the data source's name, the first variable segment of the path.
    fileprivate func dataSource() throws(Problem) -> String {
        guard let name = text(match.parameters.0) else {
            var problem = Problem(.malformedPath, "The data source's name is not UTF-8\(Self.markLimit).")
            problem.document.parameter = "name"
            throw problem
        }
        return name
    }

}

extension RequestHead {
    /// Whether the body contains items as JSON lines.
    var hasItemLines: Bool {
        guard let type = self[.contentType] else { return false }
        return String(decoding: type.prefix { $0 != 0x3B && $0 != 0x20 }, as: UTF8.self).lowercased()
            == "application/x-ndjson"
    }
}
