import HTTPCodec
import PlacekeeperAPI
import RestorationService
import Synchronization

// Routes for operators and monitoring.
extension Server {
    /// `GET /v1/limits`
    func readLimits(_ requestContext: RequestContext) throws -> Response {
        try json(
            Wire.Limits(
                archiveBytes: Limits.archive, jsonBytes: configuration.jsonLimit, jsonDepth: configuration.jsonDepth,
                jsonValues: configuration.jsonValues, snapshotBytes: Limits.snapshot, pageItems: Limits.page,
                scenes: Limits.scenes,
                devices: Limits.devices,
                interactionAgeSeconds: Int(Limits.interactionAge.components.seconds),
                linkCodeSeconds: Int(LinkCode.lifetime.components.seconds),
                tombstoneSeconds: Int(Retention.tombstones.components.seconds), dataSources: Limits.dataSources,
                items: service.itemLimit, deltaItems: Limits.deltaItems, deltaAliases: Limits.deltaAliases,
                itemsBytes: Limits.itemsBody, itemLinesBytes: Limits.itemLinesBody, itemLineBytes: Limits.itemLine,
                itemPageItems: Limits.itemPage, identifierBytes: Limits.identifier, aliasBytes: Limits.alias,
                aliases: Limits.aliases),
            for: requestContext)
    }

    /// `GET /readyz`: checks that the store can read and write. Lists warnings, with which the service is still ready.
    func readReadiness() async throws -> Response {
        guard !isDraining else { throw draining }
        let now = service.clock.now()
        // Anyone may send this request, and each successful check syncs the disk, so a success is remembered for a
        // second. A failure is not remembered, because a failed check does not sync the disk.
        let last = lastCheck.withLock(\.self)
        if last.map({ $0 <= now && now - $0 < .seconds(1) }) != true {
            try await service.check()
            lastCheck.withLock { $0 = now }
        }
        let lines =
            ["ok", configuration.storeLibrary].compactMap(\.self) + configuration.warnings().map { "warning: " + $0 }
        return text(lines.map { $0 + "\n" }.joined())
    }

    /// `GET /version`
    func readVersion(_ requestContext: RequestContext) throws -> Response {
        try json(Wire.Version(name: "placekeeper", version: configuration.version), for: requestContext)
    }

    /// `GET /openapi.yaml`
    func readDescription(_ requestContext: RequestContext) throws -> Response {
        guard let description else { throw Problem.notFound }
        return description.response(for: requestContext.head, isPage: false)
    }
}
