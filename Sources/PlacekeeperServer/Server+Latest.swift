import HTTPCodec
import PlacekeeperAPI
import RestorationService

extension Server {
    /// `GET /v1/scenes/{scene}/archives/latest`
    func readLatest(_ exchange: Exchange, _ caller: Caller) async throws -> Response {
        let selection = try await service.latest(
            in: try exchange.scene(), of: try exchange.device(of: caller), for: try exchange.context(of: caller),
            caller: caller, entityTags: exchange.entityTags, isLaunch: exchange.takesContent)
        return try response(with: selection)
    }

    /// `GET /v1/scenes/{scene}/archives/latest/explanation`
    func explainLatest(_ exchange: Exchange, _ caller: Caller) async throws -> Response {
        let explanation = try await service.explainLatest(
            in: try exchange.scene(), of: try exchange.device(of: caller), for: try exchange.context(of: caller),
            caller: caller)
        return try json(Wire.Explanation(explanation), for: exchange, head: explanation.head)
    }

    /// `GET /v1/scenes/{scene}/archives/{archive}/restorable`
    func readRestorable(_ exchange: Exchange, _ caller: Caller) async throws -> Response {
        let selection = try await service.restorable(
            try exchange.storedArchive(), in: try exchange.scene(), for: try exchange.context(of: caller),
            caller: caller, isLaunch: exchange.takesContent)
        if case .served(let served) = selection, exchange.head.ifNoneMatchNames(Array(served.entityTag.utf8)) == true {
            return try response(with: .notModified(entityTag: served.entityTag, head: served.head))
        }
        return try response(with: selection)
    }

    private func response(with selection: Selection) throws(Problem) -> Response {
        switch selection {
        case .served(let served): return response(with: served)
        case .notModified(let tag, let head):
            var response = Response(.notModified, fields: Self.archiveFields)
            response.fields.add(.etag, tag)
            response.fields.add(.headRevision, head.rawValue)
            return response
        case .nothingStored: throw Problem(.nothingStored, "Nothing is stored for this scene.")
        case .incompatible(let candidates, let head):
            var problem = Problem(
                .nothingCompatible, "Each archive of the scene is refused for the reasons that stand with it.",
                head: head)
            problem.document.candidates = candidates.map(Wire.Candidate.init)
            throw problem
        }
    }

    private func response(with served: Selection.Served) -> Response {
        var response = Response(.ok, fields: Self.archiveFields, body: .bytes(served.bytes))
        response.fields.add(.contentType, "application/x-plist")
        response.fields.add(.etag, served.entityTag)
        response.fields.add(.headRevision, served.head.rawValue)
        response.fields.add(.revision, served.archive.revision.rawValue)
        response.fields.add(.servedArchive, served.archive.id)
        response.fields.add(.servedDevice, served.archive.device)
        switch served.fidelity {
        case .full: response.fields.add(.fidelity, "full")
        case .place: response.fields.add(.fidelity, "place")
        }
        if let superseded = served.superseded {
            response.fields.add(
                .superseded, "\(superseded.head.rawValue); seconds=\(superseded.by.wholeMilliseconds / 1000)")
        }
        return response
    }
}

extension Exchange {
    /// Whether the asker gets the content. HEAD is safe: who only looks is served nothing, and nothing is noted
    /// (RFC 9110 section 9.3.2).
    fileprivate var takesContent: Bool { head.method != .head }
}
