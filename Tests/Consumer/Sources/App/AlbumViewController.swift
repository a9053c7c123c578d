import Foundation
import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperRuntime
import UIKit

/// A view controller that keeps its place, as an app with UIKit writes it.
@MainActor
final class AlbumViewController: UIViewController {
    private let placekeeper: Placekeeper
    private let scene: KeptScene
    private var listeners: [Task<Void, Never>] = []
    private(set) var offered: Offer?
    private(set) var problem: PlacekeeperError?
    private(set) var account = Placekeeper.Status.Account.unregistered
    var title = "Lisbon"

    init(_ server: URL) {
        var options = Placekeeper.Options()
        options.launchDeadline = 0.5
        options.name = "Ann's phone"
        placekeeper = Placekeeper(server, key: "pk_example", options: options)
        scene = placekeeper.scene("albums")
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

    func save() {
        var archive = StateArchive(bundleVersion: "1", idiom: 0)
        archive.place = Place([.init(screen: "album", title: title)])
        scene.save(archive, interaction: .ago(seconds: 1))
    }

    func launch() async {
        let launch: Launch = await scene.launch()
        offered = launch.offer
        if let served = launch.restore { restore(served) }
    }

    func takeOffer() async {
        guard let offered else { return }
        do throws(PlacekeeperError) { restore(try await scene.take(offered)) } catch { problem = error }
    }

    func dismissOffer() { if let offered { scene.dismiss(offered) } }

    private func restore(_ served: Served) {
        guard let title = served.archive.place?.steps.last?.title else {
            return scene.report(Outcome(.failed, step: 0), of: served)
        }
        self.title = title
        scene.report(.restored, of: served)
    }

    private func show(_ status: Placekeeper.Status) {
        account = status.account
        problem = status.problem
    }

    func signIn(_ backend: Backend) async throws {
        try await placekeeper.signIn { try await backend.token() }
        let entries: [KeptScene.Entry] = try await scene.history()
        let places: [ResumePoint] = try await placekeeper.places()
        title = (entries.first?.titles ?? places.first?.titles)?.last ?? title
    }

    func signOut() async throws(PlacekeeperError) { try await placekeeper.signOut(pending: .sendFirst(deadline: 5)) }

    func showCode() async throws -> Placekeeper.LinkCode { try await placekeeper.linkCode() }
}

/// The app's backend.
actor Backend {
    func token() async throws -> String { "token" }
}
