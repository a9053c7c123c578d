import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperSampleApps
import PlacekeeperRuntime
import Testing
import PlacekeeperSceneStorage

/// An app whose list has no index paths, on a phone and on a pad, each with a client of the service.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct BookshelfTests {
    @Test(arguments: ItemNames.allCases, ServiceInUse.Network.allCases)
    func restoresTheSameBooksThereAndOffersThemBack(
        _ names: ItemNames, _ network: ServiceInUse.Network
    ) async throws {
        for there in [DeviceLayout.tabs, .split] {
            for isLate in [false, true] {
                let comment: Comment = "\(there), late: \(isLate)"
                try await ServiceInUse.run(network) { service in
                    let phone = BookDevice(.tabs, names, .here, service)
                    let pad = BookDevice(there, names, .there, service)
                    phone.register()
                    await phone.launch()
                    try await phone.read(3, below: 2)
                    try await pad.placekeeper.link(try await phone.placekeeper.linkCode().code)
                    let books = pad.books.items
                    if isLate {
                        pad.books.items = []
                    } else {
                        pad.register()
                        try await pad.placekeeper.flush()
                    }
                    let launch = await pad.launch()
                    if isLate {
                        #expect(pad.titles == [nil, nil], comment)
                        pad.books.items = books
                        pad.register()
                        pad.app.screen.booksArrived()
                    } else {
                        // The service itself finds the registered books.
                        let references = try #require(launch.restore?.archive.references, comment)
                        #expect(references.map(\.resolution?.step) == [.alias, .alias], comment)
                    }
                    #expect(pad.titles == ["Book 4", "Book 3"], comment)

                    service.wait(60)
                    try await pad.read(8, below: 7)
                    let offer = try #require(await phone.offer(), comment)
                    await phone.show(try await phone.placekeeper.scene().take(offer))
                    #expect(phone.titles == ["Book 9", "Book 8"], comment)
                }
            }
        }
    }

    /// A book was removed on the pad. The list has no other evidence of the book than the removal.
    @Test(arguments: ItemNames.allCases)
    func selectsNoOtherBookInPlaceOfARemovedOne(_ names: ItemNames) async throws {
        try await ServiceInUse.run(.memory) { service in
            let phone = BookDevice(.tabs, names, .here, service)
            let pad = BookDevice(.split, names, .there, service)
            phone.register()
            await phone.launch()
            try await phone.read(3, below: 2)
            try await pad.placekeeper.link(try await phone.placekeeper.linkCode().code)
            pad.register()
            try await pad.placekeeper.flush()
            pad.books.items.remove(at: 3)
            pad.register()
            try await pad.placekeeper.flush()
            await pad.launch()
            #expect(pad.titles == [nil, "Book 3"])
        }
    }
}

/// A device with the app.
@MainActor
private final class BookDevice {
    let layout: DeviceLayout
    let books: Catalog
    let shelf: Bookshelf
    let placekeeper: Placekeeper
    private(set) var app: BookshelfApp
    private var life: RestorableApplication?

    init(_ layout: DeviceLayout, _ names: ItemNames, _ side: ItemNames.Side, _ service: ServiceInUse) {
        self.layout = layout
        books = Catalog("books", titles: (1...30).map { "Book \($0)" })
        names.name(books, on: side)
        shelf = Bookshelf(books)
        app = BookshelfApp(shelf)
        placekeeper = service.placekeeper(layout.context(bundleVersion: "5"), files: service.newFiles())
    }

    func register() { placekeeper.list(of: shelf).update(from: shelf) }

    @discardableResult
    func launch() async -> Launch {
        let launch = await placekeeper.scene().launch()
        await show(launch.restore)
        return launch
    }

    func show(_ served: Served?) async {
        app = BookshelfApp(shelf)
        let storage = KeptSceneStorage(placekeeper.scene(), restoring: served)
        let life = RestorableApplication(
            app, environment: app.environment, storage: storage,
            configuration: .init(device: layout.context(bundleVersion: "5")) { 800_000_000 })
        await storage.launch(life)
        self.life = life
    }

    /// Selects a book, scrolls to another book, and leaves the app.
    func read(_ row: Int, below top: Int) async throws {
        app.screen.selection = ShownElement(books.items[row].id, of: shelf)
        app.screen.scrollPosition = ShownElement(books.items[top].id, of: shelf)
        try life?.saveState()
        try await placekeeper.flush()
    }

    func offer() async -> Placekeeper.Offer? {
        for await offer in placekeeper.scene().offers {
            if let offer { return offer }
        }
        return nil
    }

    /// The titles of the selected book and of the book at the top.
    var titles: [String?] {
        [app.screen.selection, app.screen.scrollPosition].map { $0?.identifier.flatMap { books[$0]?.title } }
    }
}
