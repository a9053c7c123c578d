import Foundation
import PlacekeeperKit
import SwiftUI

/// A list of books, and a screen for each book. The tests of the user interface choose the service, the device and the
/// user by the environment of the process.
@main
struct BookshelfApp: App {
    private let placekeeper: Placekeeper
    private let linkCode: String?
    @State private var shelf: Shelf
    @State private var path: [Route] = []
    @State private var isPrepared = false

    init() {
        let environment = ProcessInfo.processInfo.environment
        var configuration = Placekeeper.Configuration()
        // Each installation has files of its own, so one simulator is several devices.
        let installation = environment["BOOKSHELF_INSTALLATION"] ?? "default"
        let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        configuration.folder = support?.appendingPathComponent(installation)
        configuration.deviceName = environment["BOOKSHELF_DEVICE"]
        // A simulator of a build server is slow.
        configuration.launchDeadline = .seconds(20)
        let server = environment["BOOKSHELF_SERVER"].flatMap { URL(string: $0) }
        let local = URL(string: "http://127.0.0.1:8080")!
        let key = environment["BOOKSHELF_KEY"] ?? "pk_"
        placekeeper = Placekeeper(server ?? local, key: key, configuration: configuration)
        linkCode = environment["BOOKSHELF_LINK_CODE"]
        _shelf = State(initialValue: Shelf(isReversed: environment["BOOKSHELF_ORDER"] == "reversed"))
    }

    var body: some Scene {
        WindowGroup {
            if isPrepared {
                NavigationStack(path: $path) { BookList(placekeeper: placekeeper, shelf: shelf) }
                    .keepsPlace($path, in: placekeeper, items: shelf.books, title: "Books")
            } else {
                ProgressView().task { await prepare() }
            }
        }
    }

    /// Joins the user of another device before the first launch of the scene.
    private func prepare() async {
        if let linkCode { try? await placekeeper.link(linkCode) }
        isPrepared = true
    }
}
