import KeyedArchive
package import StateRestoration

/// One run.
@MainActor
package final class RunScreen: ViewController, ViewControllerRestoration, PlaceProviding {
    private let run: String
    private let runs: Catalogue

    package init(_ run: String, of runs: Catalogue) {
        self.run = run
        self.runs = runs
        super.init()
        restorationIdentifier = "RunVC"
        restorationClass = RunScreen.self
        title = runs[run]?.title
    }

    package static func viewController(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any RestorableViewController)? {
        guard let runs: Catalogue = coder.decodeObject(forKey: "runs"),
            let run = coder.decodeElement(of: runs, forKey: "run")
        else { return nil }
        return RunScreen(run.identifier, of: runs)
    }

    package override func encodeRestorableState(with coder: StateEncoder) {
        coder.encode(runs, forKey: "runs")
        coder.encode(elementWithModelIdentifier: run, of: runs, forKey: "run")
        super.encodeRestorableState(with: coder)
    }

    package func encodePlace(with coder: PlaceEncoder) {
        coder.addStep(screen: "Run", title: title, elements: [ModelReference(run, of: runs, role: .selected)])
    }
}
