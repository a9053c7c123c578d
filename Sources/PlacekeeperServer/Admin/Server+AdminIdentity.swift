import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperMatching
import PlacekeeperService

extension Server {
    /// `GET …/scenes/{scene}/explanation`: for one of the user's devices, or for a new device with the context in the
    /// query.
    func explainScene(_ requestContext: RequestContext, _ look: UserRead) async throws -> Response {
        let scene = try requestContext.scene(of: look).name
        let asked: DeviceID? = try requestContext.id(query: "device")
        let idiom = try requestContext.idiom()
        guard asked != nil || idiom != nil else {
            throw Problem.malformedQuery(
                "device", "Give the parameter device, or the parameter idiom for a new device.")
        }
        var context = Context(
            idiom: idiom ?? .unspecified, layout: try requestContext.layout(),
            bundleVersion: try requestContext.query("bundleVersion"),
            systemVersion: try requestContext.query("systemVersion"), stateVersion: try requestContext.stateVersion())
        try await look.begin("explanation")
        let now = service.clock.now()
        var device = Device(
            id: .random(service.random), owner: look.owner, idiom: context.idiom, createdAt: now, lastSeenAt: now)
        if let asked {
            let principal = Principal(app: look.app, device: device)
            guard let own = try await service.devices.devices(for: principal).first(where: { $0.id == asked }) else {
                throw Problem(.deviceNotFound, "The user has no such device.")
            }
            device = own
            context.idiom = idiom ?? own.idiom
        }
        let principal = Principal(app: look.app, device: device)
        if asked != nil { context.complete(by: try await service.restores.lastContext(in: scene, for: principal)) }
        let explanation = try await service.restores.explainLatest(
            in: scene, of: nil, for: context, principal: principal)
        return try await service.offload(for: .everyone(of: look.owner.app)) { () async throws in
            try json(Wire.Explanation(look.redaction.explanation(explanation)), for: requestContext)
        }.get()
    }

    /// `GET …/data-sources`
    func listUsersDataSources(_ requestContext: RequestContext, _ look: UserRead) async throws -> Response {
        let limit = try requestContext.adminPageLimit()
        let last = try requestContext.cursor { $0 }
        try await look.begin("data sources")
        let found = try await service.lists.dataSources(of: look.owner, in: look.app, after: last, limit: limit + 1)
        let page = JSONTree(
            page: found.prefix(limit).map { JSONTree($0) }, next: found.count > limit ? found[limit - 1].name : nil)
        return json(page.bytes, for: requestContext)
    }

    /// `GET …/data-sources/{name}/items`: the live items of a device.
    func listUsersItems(_ requestContext: RequestContext, _ look: UserRead) async throws -> Response {
        let list = try requestContext.list(of: look, service)
        let limit = try requestContext.adminPageLimit()
        let device: DeviceID = try requestContext.required("device", try requestContext.id(query: "device"))
        let position = try requestContext.cursor(LookupKey.init(cursor:))
        try await look.begin("items")
        let found = try await service.lists.items(in: list, of: device, behind: position, limit: limit + 1)
        let page = JSONTree(
            page: found.prefix(limit).map { JSONTree($0.item, look.redaction) },
            next: found.count > limit ? found[limit - 1].position.cursor : nil)
        return json(page.bytes, for: requestContext)
    }

    /// `GET …/data-sources/{name}/items/{identifier}`
    func explainItem(_ requestContext: RequestContext, _ look: UserRead) async throws -> Response {
        let list = try requestContext.list(of: look, service)
        let device: DeviceID = try requestContext.required("device", try requestContext.id(query: "device"))
        let asking: DeviceID? = try requestContext.id(query: "for")
        guard let text = requestContext.text(requestContext.match.parameters.3) else {
            throw Problem(.malformedPath, "The identifier is not UTF-8\(RequestContext.markLimit).")
        }
        try await look.begin("item")
        let name = try await item(device, text, in: list, look)
        let found = try await service.lists.explain(name, for: asking, in: list)
        let parties = ExplainedParties(
            devices: found.devices.mapValues(look.redaction.device), asking: asking ?? device, source: device)
        let reference = look.redaction.reference(found.reference)
        return try json(Wire.ReferenceExplanation(reference, in: parties), for: requestContext)
    }

    /// `GET …/data-sources/{name}/ambiguous-aliases`: ordered by device.
    func listAmbiguousAliases(_ requestContext: RequestContext, _ look: UserRead) async throws -> Response {
        let list = try requestContext.list(of: look, service)
        let limit = try requestContext.adminPageLimit()
        let last = try requestContext.cursor(Lists.AmbiguousAlias.position)
        try await look.begin("ambiguous aliases")
        return try await service.offload(for: .everyone(of: look.owner.app)) { () async throws in
            let found = try await service.lists.ambiguousAliases(in: list, after: last, limit: limit + 1)
            let page = JSONTree(
                page: found.prefix(limit).map { JSONTree($0, look.redaction) },
                next: found.count > limit ? found[limit - 1].cursor : nil)
            return json(page.bytes, for: requestContext)
        }.get()
    }

    /// `GET …/data-sources/{name}/decisions`: oldest first.
    func listDecisions(_ requestContext: RequestContext, _ look: UserRead) async throws -> Response {
        let list = try requestContext.list(of: look, service)
        let limit = try requestContext.adminPageLimit()
        // A list has at most `Limits.links` decisions, so all of them are read.
        let start = try requestContext.cursor { Int($0).flatMap { (0...Limits.links).contains($0) ? $0 : nil } } ?? 0
        try await look.begin("decisions")
        let found = try await service.lists.decisions(in: list).dropFirst(start)
        let page = JSONTree(
            page: found.prefix(limit).map { JSONTree($0, look.redaction) },
            next: found.count > limit ? "\(start + limit)" : nil)
        return json(page.bytes, for: requestContext)
    }

    /// `POST …/data-sources/{name}/decisions`
    func decideItems(_ requestContext: RequestContext, _ look: UserRead) async throws -> Response {
        let list = try requestContext.list(of: look, service)
        let body = try requestContext.members(self)
        guard let kind = Link.Kind(rawValue: try body.text("kind")) else {
            throw Problem.invalid("kind", "The kind must be same or different.")
        }
        let (first, second) = (try body.text("first"), try body.text("second"))
        let note = try body.optionalText("note") ?? ""
        try await look.begin(kind.rawValue, as: .decided)
        let decision = try await service.lists.decide(
            kind, try await item(first, in: list, look), try await item(second, in: list, look), note: note, in: list)
        return json(JSONTree(decision, look.redaction).bytes, .created, for: requestContext)
    }

    /// `DELETE …/data-sources/{name}/decisions`
    func removeItemDecision(_ requestContext: RequestContext, _ look: UserRead) async throws -> Response {
        let list = try requestContext.list(of: look, service)
        let first = try requestContext.required("first", try requestContext.query("first"))
        let second = try requestContext.required("second", try requestContext.query("second"))
        try await look.begin("taken back", as: .decided)
        let isRemoved = try await service.lists.removeDecision(
            try await item(first, in: list, look), try await item(second, in: list, look), in: list)
        guard isRemoved else { throw Problem(.decisionNotFound, "There is no decision about these two items.") }
        return Response(.noContent)
    }

    /// Parses an item in the form `DEVICE:IDENTIFIER`. The device must belong to the user, or be a revoked device that
    /// still has items.
    private func item(_ text: String, in list: ItemList, _ look: UserRead) async throws -> ItemName {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let device = DeviceID(parts[0]) else {
            throw ServiceError(.linkInvalid, "An item has the form DEVICE:IDENTIFIER.")
        }
        let own = try await service.devices.list(of: list.owner).map(\.id)
        let known = try await service.lists.devicesWithItems(in: list).union(own)
        guard known.contains(device) else {
            throw ServiceError(.linkInvalid, "One of the items names a device that the user does not have.")
        }
        return try await item(device, parts[1], in: list, look)
    }

    /// Returns an item by its identifier, plain or redacted. If a plain identifier looks like a redacted one of another
    /// item, the other item is returned.
    private func item(
        _ device: DeviceID, _ text: String, in list: ItemList, _ look: UserRead
    ) async throws -> ItemName {
        var identifier: String?
        if let key = Redaction.key(text) {
            identifier = try await service.lists.identifier(withKey: key, of: device, in: list)
            if identifier == nil, look.redaction.isOn {
                throw Problem(.itemNotFound, "The device has not registered this item.")
            }
        }
        return ItemName(device: device, identifier: identifier ?? text)
    }
}

extension RequestContext {
    /// Returns the list of the data source in the path.
    fileprivate func list(of look: UserRead, _ service: RestorationService) throws -> ItemList {
        guard let name = text(match.parameters.2) else {
            throw Problem(.malformedPath, "The data source's name is not UTF-8\(Self.markLimit).")
        }
        return try service.lists.list(named: name, of: look.owner, in: look.app)
    }
}
