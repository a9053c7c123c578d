// The UIKit app of docs/your-app.md.
import Foundation
import PlacekeeperKit
import UIKit

/// The state of a window.
struct Reading: Codable, Hashable {
    var book: Book.Reference?
    var progress = 0.0
}

extension Reading: PlaceScreen {
    var placeProgress: Double? { progress }
}

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    static let shelf = Shelf()
    var window: UIWindow?
    private var reader: ReaderController?

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
        guard let scene = scene as? UIWindowScene else { return }
        let reader = ReaderController(placekeeper.scene(Reading.self, of: session), Self.shelf)
        window = UIWindow(windowScene: scene)
        window?.rootViewController = reader
        window?.makeKeyAndVisible()
        self.reader = reader
        Task { await reader.open() }
    }

    func sceneDidEnterBackground(_ scene: UIScene) { placekeeper.flushInBackground() }
}

final class ReaderController: UIViewController {
    private let scene: Placekeeper.Scene<Reading>
    private let shelf: Shelf
    private var reading = Reading()

    init(_ scene: Placekeeper.Scene<Reading>, _ shelf: Shelf) {
        (self.scene, self.shelf) = (scene, shelf)
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { fatalError("init(coder:) is not used") }

    func open() async {
        let restored = await scene.restore(items: shelf.books)
        if let value = restored.value { show(value) }
        for await offer in scene.offers { ask(about: offer) }
    }

    func userDidRead(to progress: Double) {
        reading.progress = progress
        scene.save(reading, items: shelf.books)
    }

    private func show(_ value: Reading) {
        reading = value
        title = value.book.flatMap { shelf.books[$0]?.title }
    }

    /// Shows or removes a card with the titles of the place.
    private func ask(about offer: Placekeeper.Offer?) { title = offer.map(question) }

    func question(about offer: Placekeeper.Offer) -> String {
        guard let progress = offer.progress, progress.offered < progress.own else { return "Continue?" }
        let (there, here) = (Int((progress.offered * 100).rounded()), Int((progress.own * 100).rounded()))
        return "Continue further back, at \(there) %? You are at \(here) % here."
    }

    func userDidAgree(to offer: Placekeeper.Offer) async throws {
        if let value = try await scene.restore(offer.place, items: shelf.books) { show(value) }
    }

    func userDidRefuse(_ offer: Placekeeper.Offer) { scene.dismiss(offer) }
}
