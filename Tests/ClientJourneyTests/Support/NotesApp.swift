import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperSampleApps
import PlacekeeperRuntime

typealias Notes = Catalog

/// An app with one list of notes, for the code of docs/your-app.md.
@MainActor
final class NotesApp: ApplicationLifeCycleDelegate, PlaceNavigating {
    let list: ListScreen
    let environment = RestorationEnvironment()

    init(_ notes: Notes) { list = ListScreen("Notes", of: notes) }

    var roots: [any RestorableViewController] { [list] }
    var placeNavigator: (any PlaceNavigating)? { self }
    func loadInterface() {}
    func shouldSaveApplicationState(_ coder: StateEncoder) -> Bool { true }
    func shouldRestoreApplicationState(_ coder: StateDecoder) -> Bool { true }

    func go(to step: PlaceStep) async -> Bool {
        list.show(step)
        return true
    }

    /// The titles of the selected notes.
    var selected: [String] { list.list.listSelection.map { list.items.items[$0.item].title } }
}

struct Book {
    var id: String
    var isbn: String
}

/// The backend of an app with accounts.
struct Backend {
    func token() async throws -> String { "subject anna" }
}
