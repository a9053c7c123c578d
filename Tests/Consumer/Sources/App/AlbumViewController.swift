import Foundation
import PlacekeeperKit
import UIKitStub

/// A view controller that keeps its place, as an app with UIKit writes it.
@MainActor
final class AlbumViewController: UIViewController {
    struct Reading: Codable {
        var album: Album.Reference?
        var page = 1
    }

    private let placekeeper: Placekeeper
    private let scene: Placekeeper.Scene<Reading>
    private let albums = RemoteAlbums()
    private var listeners: [Task<Void, Never>] = []
    private(set) var offered: Placekeeper.Offer?
    private(set) var problem: (any Error)?
    private(set) var account = Placekeeper.Status.Account.unregistered
    private(set) var titles: [String] = []
    var reading = Reading()

    init(_ server: URL) {
        var configuration = Placekeeper.Configuration()
        configuration.launchDeadline = .seconds(0.5)
        configuration.deviceName = "Ann's phone"
        placekeeper = Placekeeper(server, key: "pk_example", configuration: configuration)
        scene = placekeeper.scene(Reading.self, "albums")
        super.init()
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        let offers = scene.offers
        let statuses = placekeeper.statuses
        listeners = [
            Task { [weak self] in for await offer in offers { self?.offered = offer } },
            Task { [weak self] in for await status in statuses { self?.show(status) } },
        ]
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        for listener in listeners { listener.cancel() }
        save()
    }

    func save() { scene.save(reading, items: albums, title: "Albums", interaction: .ago(.seconds(1))) }

    func launch() async {
        let restoration: Placekeeper.Scene<Reading>.Restoration = await scene.restore(items: albums)
        offered = restoration.offer
        if let value = restoration.value { reading = value }
    }

    func takeOffer() async {
        guard let offered else { return }
        do { try await restore(offered.place) } catch { problem = error }
    }

    func dismissOffer() { if let offered { scene.dismiss(offered) } }

    private func restore(_ place: Placekeeper.Place) async throws {
        if let value = try await scene.restore(place, items: albums) { reading = value }
    }

    private func show(_ status: Placekeeper.Status) {
        account = status.account
        problem = status.problem
    }

    func signIn(_ backend: Backend) async throws {
        try await placekeeper.signIn { try await backend.token() }
        let entries: [Placekeeper.Place] = try await scene.history()
        let places: [Placekeeper.Place] = try await placekeeper.places()
        titles = entries.first?.titles ?? places.first?.titles ?? []
    }

    func signOut() async throws { try await placekeeper.signOut(unsent: .send(within: .seconds(5))) }

    func showCode() async throws -> Placekeeper.LinkCode { try await placekeeper.linkCode() }
}

/// The albums of a server.
@MainActor
final class RemoteAlbums: ItemSource {
    private(set) var placeItems: [Album] = []

    func item(withPlaceID id: String) async -> Album? {
        guard let id = UUID(uuidString: id) else { return nil }
        let album = Album(id: id, title: "Lisbon")
        placeItems.append(album)
        return album
    }
}

/// The app's backend.
actor Backend {
    func token() async throws -> String { "token" }
}
