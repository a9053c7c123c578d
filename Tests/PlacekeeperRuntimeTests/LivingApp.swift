import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// An app with a list in a navigation controller. Instances with the same storage act like successive processes of the
/// app.
@MainActor
final class LivingApp: ApplicationLifeCycleDelegate {
    let environment = RestorationEnvironment(restorationClasses: [LookUpTests.Made.self])
    let journal = Journal()
    private(set) var application: RestorableApplication!
    private(set) var navigation = NavigationController()
    var shouldSave = true
    var encodes: (StateEncoder) -> Void = { _ in }
    var shouldRestore: (StateDecoder) -> Bool = { _ in true }
    var decodes: () -> Void = {}
    var finishes: () -> Void = {}
    var placeNavigator: (any PlaceNavigating)?
    var root: () -> NavigationController = { NavigationController(root: Screen("List")).named("Root") }

    init(
        _ storage: any ArchiveStorage, idiom: UserInterfaceIdiom = .phone, bundleVersion: String? = "1",
        systemVersion: String? = "17.4",
        now: Double = 800_000_000, set: (inout RestorableApplication.Configuration) -> Void = { _ in }
    ) {
        let device = RestorationContext(idiom: idiom, bundleVersion: bundleVersion, systemVersion: systemVersion)
        var configuration = RestorableApplication.Configuration(device: device) { now }
        set(&configuration)
        environment.log = journal
        application = RestorableApplication(
            self, environment: environment, storage: storage, configuration: configuration)
    }

    func shouldSaveApplicationState(_ coder: StateEncoder) -> Bool {
        journal.calls.append("shouldSave")
        encodes(coder)
        return shouldSave
    }
    func willEncodeRestorableState(with coder: StateEncoder) { journal.calls.append("willEncode") }
    func shouldRestoreApplicationState(_ coder: StateDecoder) -> Bool {
        journal.calls.append("shouldRestore")
        return shouldRestore(coder)
    }
    func didDecodeRestorableState(with coder: StateDecoder) { decodes() }

    var roots: [any RestorableViewController] { [navigation] }
    func loadInterface() {
        journal.calls.append("load")
        navigation = root()
    }
    func willFinishLaunching() { journal.calls.append("willFinishLaunching") }
    func didFinishLaunching(_ result: LaunchResult) {
        journal.calls.append("didFinishLaunching")
        finishes()
    }

    var stack: [String?] { navigation.viewControllers.map(\.restorationIdentifier) }
}
