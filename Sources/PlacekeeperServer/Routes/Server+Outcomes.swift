import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

extension Server {
    /// `POST /v1/scenes/{scene}/archives/{archive}/outcomes`
    func reportOutcome(_ requestContext: RequestContext, _ principal: Principal) async throws -> Response {
        let body = try requestContext.body(Wire.Outcome.self, self)
        let result = try Outcome.Result(body.result)
        let context = Context(
            idiom: try Idiom(body.idiom), layout: try body.layout.map { try Layout($0) },
            bundleVersion: body.bundleVersion, systemVersion: body.systemVersion, stateVersion: body.stateVersion)
        let scene = try requestContext.scene()
        try await service.restores.report(
            result, of: try requestContext.storedArchive(), in: scene, context: context,
            launch: try body.launch.map { try LaunchID(member: $0) },
            details: Outcome.Details(path: body.path, step: body.step, duration: body.duration),
            from: knownNetwork(of: requestContext.request), principal: principal)
        return try await done(in: scene, principal)
    }
}
