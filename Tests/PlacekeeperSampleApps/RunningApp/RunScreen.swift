import PlacekeeperArchive
package import PlacekeeperStandIns
package import PlacekeeperRuntime

/// A screen that shows a run.
@MainActor
package final class RunScreen: ViewController, ViewControllerRestoration, PlaceProviding, ItemShowing {
    private var run: ShownElement
    private let runs: Catalog

    package init(_ run: ShownElement, of runs: Catalog) {
        self.run = run
        self.runs = runs
        super.init()
        restorationIdentifier = "RunVC"
        restorationClass = RunScreen.self
        updateTitle()
    }

    private func updateTitle() { title = run.identifier.flatMap { runs[$0]?.title } }

    package func itemsArrived() {
        if run.lookAgain() { updateTitle() }
    }

    package static func viewController(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any RestorableViewController)? {
        guard let runs: Catalog = coder.decodeObject(forKey: "runs"),
            let run = runs.shownItem(from: coder, forKey: "run")
        else { return nil }
        return RunScreen(run, of: runs)
    }

    package override func encodeRestorableState(with coder: StateEncoder) {
        coder.encode(runs, forKey: "runs")
        coder.encode(run, forKey: "run")
        super.encodeRestorableState(with: coder)
    }

    package func encodePlace(with coder: PlaceEncoder) {
        coder.addStep(screen: "Run", title: title, elements: [run.reference].compactMap { $0 })
    }
}
