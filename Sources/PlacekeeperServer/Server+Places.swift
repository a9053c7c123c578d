import HTTPCodec
import PlacekeeperAPI
import RestorationService

extension Server {
    /// `GET /v1/places`
    func listPlaces(_ exchange: Exchange, _ caller: Caller) async throws -> Response {
        let places = try await service.places(for: try exchange.context(of: caller), caller: caller)
        let items = places.map { place in
            Wire.Place(
                archive: Wire.Archive(place.archive),
                device: place.device.map { Wire.Device($0, asked: caller) },
                fidelity: Wire.Fidelity(place.fidelity), isHead: place.isHead)
        }
        return try json(Wire.Page(items: items), for: exchange)
    }

    /// `GET /v1/manifest`
    func readManifest(_ exchange: Exchange, _ caller: Caller) async throws -> Response {
        let manifest = try await service.manifest(for: caller)
        let restoration: Wire.Manifest.Restoration =
            switch caller.app.settings.restoration {
            case .auto: .auto
            case .offer: .offer
            case .off: .off
            }
        return try json(
            Wire.Manifest(
                revision: manifest.revision.rawValue, restoration: restoration,
                allowsSnapshots: caller.app.settings.allowsSnapshots,
                scenes: manifest.heads.map { archive in
                    Wire.Manifest.Scene(
                        name: archive.scene.name, head: archive.revision.rawValue,
                        archive: archive.id.description, device: archive.device.description,
                        capturedAt: Time(archive.capturedAt))
                }),
            for: exchange)
    }
}
