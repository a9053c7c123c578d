import Foundation
import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperRuntime

// The code blocks of docs/your-app.md, in order. `YourAppTests` runs this code, and compares the page with it.

@MainActor
final class NotesWindow {
    let placekeeper: Placekeeper
    let notes: Notes
    let device: RestorationContext
    private(set) var app: NotesApp
    private var life: RestorableApplication?

    init(_ placekeeper: Placekeeper, _ notes: Notes, on device: RestorationContext) {
        self.placekeeper = placekeeper
        self.notes = notes
        self.device = device
        app = NotesApp(notes)
    }

    var scene: KeptScene { placekeeper.scene() }

    /// Launches the window, and returns an offer for the person.
    func open() async -> Offer? {
        let launch = await scene.launch(device)
        await show(launch.restore)
        return launch.offer
    }

    /// Makes the screens anew, and restores a state.
    func show(_ state: Served?) async {
        app = NotesApp(notes)
        let storage = KeptSceneStorage(scene, restoring: state)
        let life = RestorableApplication(
            app, environment: app.environment, storage: storage,
            configuration: .init(device: device) { Date().timeIntervalSinceReferenceDate })
        await storage.launch(life)
        self.life = life
    }

    func save() throws { try life?.saveState() }

    /// Saves the state, and sends everything that waits.
    func enterBackground() async throws {
        try save()
        try await placekeeper.flush()
    }
}

@MainActor
final class Shelf: ModelAssociation {
    let dataSourceName = "books"
    var books: [Book] = []

    var listElements: [ListElement] { books.map { ListElement($0.id, aliases: ["isbn:\($0.isbn)"]) } }
}

struct Song {
    var id: String
    var title: String
    var artist = "The Band"
    var album: String
    var number: Int
}

@MainActor
final class SongList: ModelAssociation {
    let dataSourceName = "songs"
    var songs: [Song] = []

    var listElements: [ListElement] {
        songs.map { song in
            ListElement(
                song.id,
                aliases: MetadataAliases.track(
                    title: song.title, artist: song.artist, album: song.album, number: song.number))
        }
    }
}

@MainActor
struct Reading {
    var book: ShownElement?
    var note = ""

    func archive(on device: RestorationContext) -> StateArchive {
        var archive = StateArchive(
            bundleVersion: device.bundleVersion, idiom: device.idiom.rawValue, systemVersion: device.systemVersion,
            layout: device.layout)
        archive.references = [book?.reference].compactMap { $0 }
        archive.application = ["note": .string(note)]
        archive.place = Place([.init(screen: "book", title: "Books", references: Array(archive.references.indices))])
        return archive
    }

    init(_ archive: StateArchive? = nil, in shelf: Shelf) {
        guard let archive else { return }
        book = archive.references.first.flatMap { ShownElement($0, of: shelf, mayArrive: true) }
        if case .string(let text)? = archive.application["note"] { note = text }
    }
}

@MainActor
func register(_ notes: Notes, _ shelf: Shelf, with placekeeper: Placekeeper) async {
    placekeeper.list(of: shelf).update(from: shelf)
}

@MainActor
func followOffers(
    of window: NotesWindow, _ ask: @escaping @MainActor (Offer) async -> Bool
) async throws {
    for await offer in window.scene.offers {
        guard let offer else { continue }  // the earlier offer has ended
        if await ask(offer) {
            await window.show(try await window.scene.take(offer, on: window.device))
        } else {
            window.scene.dismiss(offer)
        }
    }
}

func question(_ offer: Offer) -> String {
    // Each device saves a step with its progress: `.init(screen: "book", references: [0], progress: 0.42)`.
    guard let progress = offer.progress, progress.isBehind else { return "Continue?" }
    let (there, here) = (Int((progress.offered * 100).rounded()), Int((progress.own * 100).rounded()))
    return "Continue further back, at \(there) %? You are at \(here) % here."
}

func link(_ pad: Placekeeper, to phone: Placekeeper) async throws {
    let code = try await phone.linkCode().code
    try await pad.link(code)
}

func signInAndOut(_ placekeeper: Placekeeper, _ backend: Backend) async throws {
    try await placekeeper.signIn { try await backend.token() }
    try await placekeeper.signOut(pending: .sendFirst(deadline: 5))
}

extension Placekeeper {
    static func ofExtension(_ server: URL, key: String, _ group: URL) -> Placekeeper {
        var options = Options()
        options.folder = group  // FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.…")
        options.process = .extension
        let placekeeper = Placekeeper(server, key: key, options: options)
        return placekeeper
    }
}
