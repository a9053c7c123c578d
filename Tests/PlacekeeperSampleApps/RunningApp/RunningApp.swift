import PlacekeeperStandIns
package import PlacekeeperRuntime

/// An app for runners with five tabs. Each tab has its own stack. The app has no storyboard.
@MainActor
package final class RunningApp: SampleApp {
    package let environment = RestorationEnvironment(restorationClasses: [HelpPage.self, RunScreen.self])
    package let shell: Shell
    package let progress: ProgressScreen
    package let about = ListScreen(
        "About", of: Catalog("help", titles: ["Health", "Shoes", "Stretching", "Weather"]))
    private let runs: Catalog
    private let progressStack: NavigationController
    private let aboutStack: NavigationController

    package init(_ items: Catalog, layout: DeviceLayout) {
        runs = items
        progress = ProgressScreen("Progress", of: runs)
        progressStack = NavigationController("ProgressNC", progress)
        aboutStack = NavigationController("AboutNC", about)
        // These screens exist at every launch, so they need only restoration identifiers.
        func stack(_ name: String) -> NavigationController {
            let screen = ViewController()
            (screen.restorationIdentifier, screen.title) = (name + "VC", name)
            return NavigationController(name + "NC", screen)
        }
        shell = Shell(
            [stack("Overview"), progressStack, stack("Music"), aboutStack, stack("Settings")], layout: layout)
        environment.registerObject(runs, restorationIdentifier: "Runs")
    }

    /// Opens a page of help in the help tab.
    package func openHelp(_ pageFileName: String) {
        shell.select(aboutStack)
        if let topic = about.items.items.first(where: { $0.title.lowercased() == pageFileName }) {
            about.select(topic.id)
        }
        aboutStack.push(HelpPage(pageFileName))
    }

    /// Shows the list of runs.
    package func openProgress() { shell.select(progressStack) }

    /// Opens a run.
    package func open(run id: String) {
        progress.select(id)
        shell.open(RunScreen(ShownElement(id, of: runs), of: runs))
    }

    package func go(to step: PlaceStep) async -> Bool {
        switch step.screen {
        case "Progress":
            openProgress()
            progress.show(step)
            progress.showNotes(of: step)
        case "Run":
            guard let run = runs.shownItem(in: step) else { return false }
            progress.show(run)
            shell.open(RunScreen(run, of: runs))
        case "About": shell.select(aboutStack)
        case "Help": openHelp(step.parameters.decodeString(forKey: HelpPage.pageFileNameKey) ?? "")
        default: return false
        }
        return true
    }
}
