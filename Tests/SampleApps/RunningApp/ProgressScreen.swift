package import StateRestoration
import KeyedArchive

/// All runs, some with their notes shown. Which ones is saved by reference: rows move.
@MainActor
package final class ProgressScreen: ListScreen {
    private static let notesKey = "runsWithShownNotes"

    package private(set) var runsWithShownNotes: Set<String> = []

    /// Shows or hides the notes of a run.
    package func toggleNotes(of run: String) {
        if runsWithShownNotes.remove(run) == nil { runsWithShownNotes.insert(run) }
    }

    package override func encodeRestorableState(with coder: StateEncoder) {
        coder.encode(elementsAt: rowsWithShownNotes, of: items, in: list, forKey: Self.notesKey)
        super.encodeRestorableState(with: coder)
    }

    package override func decodeRestorableState(with coder: StateDecoder) throws {
        runsWithShownNotes = Set(coder.decodeElements(of: items, in: list, forKey: Self.notesKey).map(\.identifier))
        try super.decodeRestorableState(with: coder)
    }

    private var rowsWithShownNotes: [ElementIndexPath] {
        runsWithShownNotes.compactMap { items.indexPathForElement(withModelIdentifier: $0, in: list) }.sorted()
    }

    package override func encodePlace(with coder: PlaceEncoder) {
        let first = [list.listAnchor?.indexPath].compactMap { $0 }
        let elements =
            first.compactMap { ModelReference(elementAt: $0, of: items, in: list, role: .firstVisible) }
            + rowsWithShownNotes.compactMap { ModelReference(elementAt: $0, of: items, in: list, role: .other) }
        coder.addStep(screen: "Progress", title: title, elements: elements)
    }

    func showNotes(of step: PlaceStep) {
        let runs = step.elements.filter { $0.role == .other }.compactMap { $0.resolve(in: items, view: list) }
        runsWithShownNotes = Set(runs.map(\.identifier))
    }
}
