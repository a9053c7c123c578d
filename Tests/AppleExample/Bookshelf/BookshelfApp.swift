import Foundation
import PlacekeeperClient
import PlacekeeperUI
import PlacekeeperRuntime
import SwiftUI

/// A list of books, and a screen for each book. The tests of the user interface choose the service, the device and the
/// person by the environment of the process.
@main
struct BookshelfApp: App {
    private let placekeeper: Placekeeper
    private let linkCode: String?
    @State private var shelf: Shelf
    @State private var path: [Route] = []
    @State private var isPrepared = false

    init() {
        let environment = ProcessInfo.processInfo.environment
        var options = Placekeeper.Options()
        // Each installation has files of its own, so one simulator is several devices.
        let installation = environment["BOOKSHELF_INSTALLATION"] ?? "default"
        let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        options.folder = support?.appendingPathComponent(installation)
        options.name = environment["BOOKSHELF_DEVICE"]
        // A simulator of a build server is slow.
        options.launchDeadline = 20
        let server = environment["BOOKSHELF_SERVER"].flatMap { URL(string: $0) }
        let local = URL(string: "http://127.0.0.1:8080")!
        placekeeper = Placekeeper(server ?? local, key: environment["BOOKSHELF_KEY"] ?? "pk_", options: options)
        linkCode = environment["BOOKSHELF_LINK_CODE"]
        _shelf = State(initialValue: Shelf(isReversed: environment["BOOKSHELF_ORDER"] == "reversed"))
    }

    var body: some Scene {
        WindowGroup {
            if isPrepared {
                NavigationStack(path: $path) { BookList(placekeeper: placekeeper, shelf: shelf) }
                    .continueOffer(placekeeper.scene())
                    .keepsPlace(
                        placekeeper.scene(), path: $path, lists: [shelf], title: "Books", dataVersion: shelf.books.count
                    )
                    .sendsInBackground(placekeeper)
            } else {
                ProgressView().task { await prepare() }
            }
        }
    }

    /// Joins the person of another device, and registers the books before the first launch of the scene.
    private func prepare() async {
        if let linkCode { try? await placekeeper.link(linkCode) }
        placekeeper.list(of: shelf).update(from: shelf)
        try? await placekeeper.flush()
        isPrepared = true
    }
}
