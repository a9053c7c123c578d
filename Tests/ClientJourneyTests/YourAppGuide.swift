import Foundation
import PlacekeeperKit

// The code blocks of docs/your-app.md, in order. `YourAppTests` runs this code, and compares the page with it.

struct Book: Identifiable, PlaceItem {
    let id: String
    let isbn: String
    var title = "Moby-Dick"
    var placeAliases: [ItemAlias] { [.unique("isbn", isbn)] }
    var placeTitle: String? { title }
}

struct Reading: Codable {
    var book: Book.Reference?
    var page = 1
    var note = ""
}

struct Song: Identifiable {
    var id: String
    var title: String
    var artist = "The Band"
    var album: String
    var number: Int
}

extension Song: PlaceItem {
    var placeAliases: [ItemAlias] { ItemAlias.track(title: title, artist: artist, album: album, number: number) }
}

func makeClient(_ server: URL, key: String) -> Placekeeper {
    let placekeeper = Placekeeper(server, key: key)
    return placekeeper
}

@MainActor
func followOffers(
    of scene: Placekeeper.Scene<Reading>, in books: [Book],
    _ ask: @escaping @MainActor (Placekeeper.Offer) async -> Bool, _ show: @MainActor (Reading) -> Void
) async throws {
    for await offer in scene.offers {
        guard let offer else { continue }  // the earlier offer has ended
        if await ask(offer) {
            if let other = try await scene.restore(offer.place, items: books) { show(other) }
        } else {
            scene.dismiss(offer)
        }
    }
}

@MainActor
func register(_ books: [Book], with placekeeper: Placekeeper) {
    placekeeper.register(books)
}

func link(_ pad: Placekeeper, to phone: Placekeeper) async throws {
    let code = try await phone.linkCode().code
    try await pad.link(code)
}

/// The backend of an app with accounts.
struct Backend {
    func token() async throws -> String { "subject anna" }
}

func signIn(_ placekeeper: Placekeeper, _ backend: Backend) async throws {
    try await placekeeper.signIn { try await backend.token() }
}

func signOut(_ placekeeper: Placekeeper) async throws {
    try await placekeeper.signOut()
}
