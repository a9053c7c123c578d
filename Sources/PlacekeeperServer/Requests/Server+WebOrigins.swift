import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

// Cross-origin requests of web pages (CORS, https://fetch.spec.whatwg.org/#http-cors-protocol). A page uses the token in
// a field, and the device API has no cookies, so no response allows credentials.
extension Server {
    /// Reads the listed origins if they may have changed. Only for requests of browsers, because only they need them.
    func refreshWebOrigins(for head: RequestHead) async {
        guard head.isOfDeviceAPI, head[.origin] != nil else { return }
        await service.apps.refreshWebOrigins()
    }

    /// Adds the fields that let a listed page read the response. Other pages get the response without them.
    func allowOrigin(of head: RequestHead?, in response: inout Response) {
        guard let head, head.isOfDeviceAPI else { return }
        let origin = head[.origin]
        let known = service.apps.webOrigins
        guard origin != nil || !known.isEmpty else { return }
        response.fields.add(.vary, "Origin")
        guard let origin, isAllowed(origin, head, response.status, known) else { return }
        response.fields.add(.accessControlAllowOrigin, origin)
        if head.method != .options { response.fields.add(.accessControlExposeHeaders, Self.exposedHeaders) }
    }

    /// Returns the response to a preflight of a listed page. Nil for another request.
    func preflight(_ head: RequestHead) -> Response? {
        guard head.method == .options, head.isOfDeviceAPI, head[.accessControlRequestMethod] != nil,
            let origin = head[.origin], isAllowed(origin, head, .noContent, service.apps.webOrigins)
        else { return nil }
        var response = Response(.noContent)
        response.fields.add(.allow, Self.allMethods)
        response.fields.add(.accessControlAllowMethods, Self.allMethods)
        response.fields.add(.accessControlAllowHeaders, Self.allowedHeaders)
        response.fields.add(.accessControlMaxAge, Self.preflightSeconds)
        return response
    }

    /// With a device's token, the app of the device must list the origin. Other requests belong to no app, and nor does a
    /// refusal of a token that isn't known.
    private func isAllowed(
        _ origin: ArraySlice<UInt8>, _ head: RequestHead, _ status: Status, _ known: Set<[UInt8]>
    ) -> Bool {
        guard origin.count <= Limits.webOrigin else { return false }
        guard let token = head.bearerToken else { return known.contains(Array(origin)) }
        guard let app = service.devices.rememberedApp(of: token) else {
            return status.rawValue >= 400 && known.contains(Array(origin))
        }
        return app.settings.webOrigins.contains { $0.utf8.elementsEqual(origin) }
    }

    /// How long a browser may remember the response to a preflight. Each response names its own origins, so this doesn't
    /// delay a change of the list.
    private static let preflightSeconds = 7200

    /// The fields of requests that a page may send, besides those that need no permission.
    private static let allowedHeaders: StaticString = """
        Authorization, Content-Type, Content-Encoding, If-None-Match, If-Head, Interaction-Age, Capture-Sequence, \
        Restored-From, Launch-Id, Counted-Launch, Last-Event-ID, X-Request-ID
        """

    /// The fields of responses that a page may read, besides those that need no permission.
    private static let exposedHeaders: StaticString = """
        Date, ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy, X-Request-ID, Head-Revision, \
        Placekeeper-Archive, Placekeeper-Caution, Placekeeper-Device, Placekeeper-Fidelity, Placekeeper-References, \
        Placekeeper-Restoration, Placekeeper-Revision, Placekeeper-Superseded
        """
}

extension RequestHead {
    /// Whether the path belongs to the API of devices.
    fileprivate var isOfDeviceAPI: Bool { bytes[path].starts(with: "/v1/".utf8) }
}
