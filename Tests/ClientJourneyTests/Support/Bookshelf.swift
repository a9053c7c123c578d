import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperSampleApps
import PlacekeeperRuntime

/// A list without index paths, as SwiftUI has: it knows its elements by their identifiers alone.
@MainActor
final class Bookshelf: ModelAssociation {
    let dataSourceName = "books"
    /// The books: their identifiers on this device, and their aliases.
    let books: Catalog

    init(_ books: Catalog) { self.books = books }

    var listElements: [ListElement] { books.listElements }
}

/// A screen whose list is selected and scrolled by identifiers, such as `List(selection:)` with `scrollPosition(id:)`.
@MainActor
final class BookshelfScreen: ViewController, PlaceProviding {
    private let shelf: Bookshelf
    /// The selected book.
    var selection: ShownElement?
    /// The book at the top of the list.
    var scrollPosition: ShownElement?

    init(_ shelf: Bookshelf) {
        self.shelf = shelf
        super.init()
        restorationIdentifier = "Bookshelf"
    }

    override func encodeRestorableState(with coder: StateEncoder) {
        super.encodeRestorableState(with: coder)
        if let selection { coder.encode(selection, forKey: "selection") }
        if let scrollPosition { coder.encode(scrollPosition, forKey: "scrollPosition") }
    }

    override func decodeRestorableState(with coder: StateDecoder) throws {
        try super.decodeRestorableState(with: coder)
        selection = coder.decodeShownElement(of: shelf, mayArrive: true, forKey: "selection")
        scrollPosition = coder.decodeShownElement(of: shelf, mayArrive: true, forKey: "scrollPosition")
    }

    func encodePlace(with coder: PlaceEncoder) {
        coder.addStep(
            screen: "Bookshelf", elements: [selection?.reference, scrollPosition?.reference].compactMap { $0 })
    }

    func show(_ step: PlaceStep) {
        let shown = step.elements.map { ShownElement($0, of: shelf, mayArrive: true) }
        selection = shown.first ?? nil
        scrollPosition = shown.dropFirst().first ?? nil
    }

    /// Looks for the books again, after data has arrived.
    func booksArrived() {
        _ = selection?.lookAgain()
        _ = scrollPosition?.lookAgain()
    }
}

/// An app with one list without index paths.
@MainActor
final class BookshelfApp: ApplicationLifeCycleDelegate, PlaceNavigating {
    let screen: BookshelfScreen
    let environment = RestorationEnvironment()

    init(_ shelf: Bookshelf) { screen = BookshelfScreen(shelf) }

    var roots: [any RestorableViewController] { [screen] }
    var placeNavigator: (any PlaceNavigating)? { self }
    func loadInterface() {}
    func shouldSaveApplicationState(_ coder: StateEncoder) -> Bool { true }
    func shouldRestoreApplicationState(_ coder: StateDecoder) -> Bool { true }

    func go(to step: PlaceStep) async -> Bool {
        screen.show(step)
        return true
    }
}
