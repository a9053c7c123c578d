import PlacekeeperStandIns
package import PlacekeeperRuntime
import PlacekeeperArchive

/// The screen with the list of all runs. It saves references to the runs with visible notes, and not the rows of these
/// runs, because rows may move.
@MainActor
package final class ProgressScreen: ListScreen {
    private static let notesKey = "runsWithShownNotes"

    package private(set) var runsWithShownNotes: Set<String> = []
    /// The runs that have not arrived yet, and whose notes were visible.
    private var awaited: [ShownElement] = []

    /// Shows or hides the notes of a run.
    package func toggleNotes(of run: String) {
        if runsWithShownNotes.remove(run) == nil { runsWithShownNotes.insert(run) }
    }

    package override func encodeRestorableState(with coder: StateEncoder) {
        coder.encode(.array(notes.map { .reference(coder.index(of: $0)) }), forKey: Self.notesKey)
        super.encodeRestorableState(with: coder)
    }

    package override func decodeRestorableState(with coder: StateDecoder) throws {
        showNotes(of: coder.decodeReferences(forKey: Self.notesKey))
        try super.decodeRestorableState(with: coder)
    }

    private var notes: [ModelReference] {
        runsWithShownNotes.compactMap { items.indexPathForElement(withModelIdentifier: $0, in: list) }.sorted()
            .compactMap { ModelReference(elementAt: $0, of: items, in: list, role: .other) }
            + awaited.compactMap(\.reference)
    }

    package override func encodePlace(with coder: PlaceEncoder) {
        let first = [list.listAnchor?.indexPath].compactMap { $0 }
        let elements =
            first.compactMap { ModelReference(elementAt: $0, of: items, in: list, role: .firstVisible) }
            + notes
        coder.addStep(screen: "Progress", title: title, elements: elements)
    }

    func showNotes(of step: PlaceStep) {
        showNotes(of: step.elements.filter { $0.role == .other })
    }

    private func showNotes(of runs: [ModelReference]) {
        let runs = runs.compactMap { ShownElement($0, of: items, mayArrive: !items.isLoaded) }
        runsWithShownNotes = Set(runs.compactMap(\.identifier))
        awaited = runs.filter { $0.identifier == nil }
    }

    package override func itemsArrived() {
        super.itemsArrived()
        for index in awaited.indices where awaited[index].lookAgain() {
            if let run = awaited[index].identifier { runsWithShownNotes.insert(run) }
        }
        awaited.removeAll { $0.identifier != nil }
    }
}
