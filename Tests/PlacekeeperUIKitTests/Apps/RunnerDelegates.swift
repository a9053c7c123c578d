import UIKit

/// The app delegate of the running app: five tabs, each with its own stack, and no storyboard.
final class RunnerAppDelegate: UIResponder, UIApplicationDelegate {
    /// The runs on this device.
    let runs: RunStore

    init(runs: RunStore) {
        self.runs = runs
        super.init()
    }

    override convenience init() { self.init(runs: RunStore()) }

    func application(_ application: UIApplication, shouldSaveSecureApplicationState coder: NSCoder) -> Bool { true }

    func application(_ application: UIApplication, shouldRestoreSecureApplicationState coder: NSCoder) -> Bool {
        let version = coder.decodeObject(of: NSString.self, forKey: UIApplication.stateRestorationBundleVersionKey)
        return (version?.integerValue ?? 0) >= 3
    }
}

/// Builds the window of the running app.
final class RunnerSceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    /// Restores the window.
    var restore: ((UIWindow, UIScene.ConnectionOptions) -> AnyObject)?
    private var restoration: AnyObject?
    private let runs: RunStore
    let tabs = UITabBarController()
    let runList: RunListViewController
    let topics = HelpTopicsViewController(style: .plain)

    init(_ app: RunnerAppDelegate) {
        runs = app.runs
        runList = RunListViewController(runs: app.runs)
        super.init()
    }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let scene = scene as? UIWindowScene else { return }
        tabs.restorationIdentifier = "Tabs"
        tabs.viewControllers = [
            stack("Overview", UIViewController()), stack("Runs", runList), stack("Music", UIViewController()),
            stack("Help", topics), stack("Settings", RunnerSettingsViewController(style: .grouped)),
        ]
        let window = UIWindow(windowScene: scene)
        window.rootViewController = tabs
        window.makeKeyAndVisible()
        self.window = window
        // The line of the restoration.
        restoration = restore?(window, connectionOptions)
    }

    /// These screens exist at every launch, so they need only an identifier.
    private func stack(_ name: String, _ screen: UIViewController) -> UINavigationController {
        screen.title = name
        screen.restorationIdentifier = name
        let stack = UINavigationController(rootViewController: screen)
        stack.restorationIdentifier = name + "Stack"
        return stack
    }

    // MARK: - What a person does

    func selectTab(_ name: String) {
        tabs.selectedViewController = tabs.viewControllers?.first { $0.restorationIdentifier == name + "Stack" }
    }

    /// Opens a run from the list.
    func openRun(_ identifier: String) {
        selectTab("Runs")
        guard let indexPath = runs.indexPath(of: identifier) else { return }
        runList.tableView.selectRow(at: indexPath, animated: false, scrollPosition: .none)
        runList.tableView(runList.tableView, didSelectRowAt: indexPath)
    }

    /// Scrolls the list of runs, in points from the top of the first row.
    func scrollRuns(to offset: Double) {
        selectTab("Runs")
        runList.tableView.setContentOffset(CGPoint(x: 0, y: offset), animated: false)
    }

    /// Taps the button that shows or hides the notes of a run.
    func toggleNotes(of identifier: String) { runList.toggleNotes(of: identifier) }

    /// Opens a page of help.
    func openHelp(_ topic: String) {
        selectTab("Help")
        guard let row = topics.pages.firstIndex(of: topic) else { return }
        topics.tableView(topics.tableView, didSelectRowAt: IndexPath(row: row, section: 0))
    }

    /// What is on the screen.
    var seen: [String] { Screen(window).lines }
}
