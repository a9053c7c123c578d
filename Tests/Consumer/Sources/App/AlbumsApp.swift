import Foundation
import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperRuntime
import SwiftUI

/// An app that keeps its place, as an app with SwiftUI writes it.
struct AlbumsApp: App {
    @Environment(\.scenePhase) private var phase
    @State private var model = AlbumModel()

    var body: some Scene {
        WindowGroup { AlbumView(model: model) }
            .onChange(of: phase) { _, phase in
                if phase == .background { Task { await model.leave() } }
            }
    }
}

struct AlbumView: View {
    let model: AlbumModel

    var body: some View {
        Text(model.title)
            .task { await model.launch() }
            .task { await model.followOffers() }
    }
}

@MainActor
final class AlbumModel {
    private static let placekeeper = Placekeeper(URL(fileURLWithPath: "/"), key: "pk_example")
    private let scene = AlbumModel.placekeeper.scene()
    private(set) var offer: Offer?
    private(set) var problem: PlacekeeperError.Code?
    var title = "" { didSet { save() } }

    private func save() { scene.save(StateArchive(bundleVersion: "1", idiom: 0)) }

    func launch() async {
        let launch = await scene.launch(RestorationContext(idiom: .phone, bundleVersion: "1"))
        guard let served = launch.restore else { return }
        title = served.archive.place?.steps.last?.title ?? ""
        scene.report(.restored, of: served)
    }

    func followOffers() async {
        for await offer in scene.offers { self.offer = offer }
    }

    func leave() async {
        do { try await Self.placekeeper.flush() } catch { problem = error.code }
    }
}
