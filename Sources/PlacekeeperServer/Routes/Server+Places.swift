import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

extension Server {
    /// `GET /v1/places`: returns a page of the user's places.
    func listPlaces(_ requestContext: RequestContext, _ principal: Principal) async throws -> Response {
        let limit = try requestContext.pageLimit()
        let position = try requestContext.cursor(PlaceEntry.Position.init(cursor:))
        let context = try requestContext.context(of: principal)
        // The search may read each device's newest archive in each scene, so it runs on the offload queue.
        let found = try await service.offload(for: principal.owner) { () async throws(ServiceError) in
            try await service.restores.places(for: context, behind: position, limit: limit + 1, principal: principal)
        }.get()
        let places = found.prefix(limit)
        let next = found.count > limit ? places.last?.position.cursor : nil
        let items = places.map { place in
            Wire.Place(
                archive: Wire.Archive(place.archive),
                device: place.device.map { Wire.Device($0, asked: principal) },
                fidelity: Wire.Fidelity(place.fidelity), isHead: place.isHead)
        }
        var response = try json(Wire.Page(items: items, next: next), for: requestContext)
        if let next { link("cursor", next, limit, requestContext, &response) }
        return response
    }

    /// `GET /v1/manifest`: returns the manifest with a page of its scenes.
    func readManifest(_ requestContext: RequestContext, _ principal: Principal) async throws -> Response {
        let limit = try requestContext.pageLimit()
        // The cursor is the name of the last scene on the previous page.
        let manifest = try await service.archives.manifest(
            behind: try requestContext.cursor { $0 }, limit: limit + 1, principal: principal)
        let heads = manifest.heads.prefix(limit)
        let next = manifest.heads.count > limit ? heads.last?.scene.name : nil
        let restoration: Wire.Manifest.Restoration =
            switch principal.app.settings.restoration {
            case .auto: .auto
            case .offer: .offer
            case .off: .off
            }
        var response = try json(
            Wire.Manifest(
                revision: manifest.revision.rawValue, restoration: restoration,
                allowsScreenshots: principal.app.settings.allowsScreenshots,
                scenes: heads.map { archive in
                    Wire.Manifest.Scene(
                        name: archive.scene.name, head: archive.revision.rawValue,
                        archive: archive.id.description, device: archive.device.description,
                        capturedAt: Time(archive.stateTime))
                }, next: next),
            for: requestContext)
        if let next { link("cursor", next, limit, requestContext, &response) }
        return response
    }
}

extension PlaceEntry.Position {
    /// The position as a cursor, which is opaque to the client.
    fileprivate var cursor: String { (isRestorable ? "1." : "0.") + archive.cursor }

    fileprivate init?(cursor: String) {
        let bytes = Array(cursor.utf8)
        guard bytes.count > 2, bytes[0] == 0x30 || bytes[0] == 0x31, bytes[1] == 0x2E,
            let archive = Archive.Position(cursor: bytes[2...])
        else { return nil }
        self.init(isRestorable: bytes[0] == 0x31, archive: archive)
    }
}
