import PlacekeeperAPI
import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperHTTP
package import PlacekeeperService

// Routes for operators and monitoring.
extension Server {
    /// `GET /v1/limits`: with a token, the response includes the app's quotas and the user's usage.
    func readLimits(_ requestContext: RequestContext) async throws -> Response {
        let request = requestContext.request
        guard request.head[.authorization] != nil else { return try json(limits, for: requestContext) }
        guard let principal = try await authenticate(request)?.principal else { throw Problem.unauthorized }
        let lowQuotas = try consumeRequest(request, of: principal)
        var limits = limits
        limits.scenes = principal.app.settings.quotas.scenes
        limits.quotas = Wire.Limits.Quotas(principal.app.settings.quotas)
        limits.usage = Wire.Limits.Usage(try await service.devices.usage(of: principal))
        var response = try json(limits, for: requestContext)
        response.fields.add(lowQuotas)
        return response
    }

    private var limits: Wire.Limits {
        Wire.Limits(
            archiveBytes: Limits.archive, jsonBytes: BodyLimit.short, jsonDepth: configuration.jsonDepth,
            jsonValues: configuration.jsonValues, screenshotBytes: Limits.screenshot, pageItems: Limits.page,
            scenes: App.Settings.Quotas().scenes,
            devices: Limits.devices,
            interactionAgeSeconds: Int(Limits.interactionAge.components.seconds),
            linkCodeSeconds: Int(LinkCode.lifetime.components.seconds),
            tombstoneSeconds: Int(Retention.tombstones.components.seconds), dataSources: Limits.dataSources,
            items: service.itemLimit, deltaItems: Limits.deltaItems, deltaAliases: Limits.deltaAliases,
            itemsBytes: Limits.itemsBody, itemLineBytes: Limits.itemLine,
            itemPageItems: Limits.itemPage, identifierBytes: Limits.identifier, aliasBytes: Limits.alias,
            aliases: Limits.aliases, changes: Limits.changesBehind)
    }

    /// `GET /readyz`: checks that the store can read and write. Warnings are listed, but don't make the service
    /// unready.
    func readReadiness() async throws -> Response {
        guard !isDraining else { throw draining }
        try await checkStore()
        let lines =
            ["ok", configuration.storeLibrary].compactMap(\.self)
            + (clockWarnings + configuration.warnings()).map { "warning: " + $0 }
        return Self.text(lines.map { $0 + "\n" }.joined())
    }

    /// Checks that the store can read and write.
    package func checkStore() async throws(ServiceError) {
        let uptime = service.clock.uptime()
        // Anyone may send this request, and each successful check syncs the disk, so a success is cached for a second.
        // A failed check doesn't sync the disk, and isn't cached.
        let last = lastCheck.withLock(\.self)
        if last.map({ uptime - $0 < .seconds(1) }) != true {
            do throws(ServiceError) { try await service.upkeep.check() } catch {
                storeIsSound.withLock { $0 = false }
                throw error
            }
            storeIsSound.withLock { $0 = true }
            lastCheck.withLock { $0 = service.clock.uptime() }
        }
    }

    /// `GET /version`: also tells the client how it reaches the service, for `placekeeper doctor`.
    func readVersion(_ requestContext: RequestContext) throws -> Response {
        let (request, head) = (requestContext.request, requestContext.head)
        let client = client(of: request)
        return try json(
            Wire.Version(
                name: "placekeeper", version: configuration.version,
                request: Wire.Version.Request(
                    address: client.text, isForwarded: client.isForwarded,
                    scheme: isSecure(head, from: request.peer) ? "https" : "http",
                    host: head.authority.map { String(decoding: head.bytes[$0], as: UTF8.self) })),
            for: requestContext)
    }

    /// `GET /openapi.yaml`
    func readDescription(_ requestContext: RequestContext) throws -> Response {
        guard let description else { throw Problem.notFound }
        return description.response(for: requestContext.head, isPage: false)
    }
}

extension Wire.Limits.Quotas {
    init(_ quotas: App.Settings.Quotas) {
        self.init(
            userBytes: quotas.userBytes, anonymousBytes: quotas.anonymousBytes, userArchives: quotas.userArchives,
            userDevices: quotas.devices, userScenes: quotas.scenes, appBytes: quotas.appBytes,
            appUsers: quotas.appUsers,
            appDevices: quotas.appDevices)
    }
}

extension Wire.Limits.Usage {
    init(_ usage: Usage) { self.init(bytes: usage.bytes, archives: usage.archives, devices: usage.devices) }
}
