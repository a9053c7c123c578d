import Foundation
import PlacekeeperKit
import SwiftUIStub

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

struct Album: Identifiable, PlaceItem {
    let id: UUID
    let title: String
    var placeAliases: [ItemAlias] { [.unique("album", title), ItemAlias("title", title)] }
    var placeTitle: String? { title }
}

enum Route: Codable, Hashable {
    case album(Album.Reference)
    case search(text: String)
}

extension Route: PlaceScreen {
    var placeTitle: String? { if case .search(let text) = self { "Search for \(text)" } else { nil } }
}

@MainActor
final class AlbumModel {
    private static let placekeeper = Placekeeper(URL(fileURLWithPath: "/"), key: "pk_example")
    private let scene = AlbumModel.placekeeper.scene([Route].self)
    private let albums = [Album(id: UUID(), title: "Lisbon")]
    private(set) var offer: Placekeeper.Offer?
    private(set) var problem: PlacekeeperError.Code?
    var path: [Route] = [] { didSet { save() } }

    var title: String {
        guard case .album(let album)? = path.last else { return "" }
        return albums[album]?.title ?? ""
    }

    private func save() { scene.save(path, items: albums, title: "Albums") }

    func show(_ album: Album) { path.append(.album(album.reference)) }

    func launch() async {
        if let path = await scene.restore(items: albums).value { self.path = path }
    }

    func followOffers() async {
        for await offer in scene.offers { self.offer = offer }
    }

    func leave() async {
        do { try await Self.placekeeper.flush() } catch { problem = (error as? PlacekeeperError)?.code }
    }
}
