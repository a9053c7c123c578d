import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperStandIns
import PlacekeeperSampleApps
import PlacekeeperRuntime
import PlacekeeperSceneStorage

/// A device with one sample app, whose scene a client keeps.
@MainActor
final class ClientDevice {
    let sample: Sample
    let layout: DeviceLayout
    let items: Catalog
    private let service: ServiceInUse
    private let files: DeviceFiles
    private(set) var placekeeper: Placekeeper
    private(set) var app: any PlayedApp
    private var life: RestorableApplication?

    init(
        _ sample: Sample, _ layout: DeviceLayout, _ names: ItemNames, _ side: ItemNames.Side, _ service: ServiceInUse
    ) {
        self.sample = sample
        self.layout = layout
        self.service = service
        files = service.newFiles()
        items = PlayedDevice(sample, layout).items
        names.name(items, on: side)
        app = sample.app.init(items, layout: layout)
        placekeeper = service.placekeeper(Self.context(layout), files: files)
    }

    private static func context(_ layout: DeviceLayout) -> RestorationContext {
        layout.context(bundleVersion: "\(SampleVersion.current)")
    }

    var scene: KeptScene { placekeeper.scene() }

    /// Ends the process of the app. The files stay.
    func endProcess() { placekeeper = service.placekeeper(Self.context(layout), files: files) }

    /// Launches the scene. An offer is not taken.
    /// - Parameter isExtended: Whether the app extends restoration, and does not complete it.
    @discardableResult
    func launch(isExtended: Bool = false) async -> Launch {
        let launch = await scene.launch()
        await show(KeptSceneStorage(scene, launch), isExtended: isExtended)
        return launch
    }

    /// Makes the interface of the scene anew, with a state.
    private func show(_ storage: KeptSceneStorage, isExtended: Bool = false) async {
        app = sample.app.init(items, layout: layout)
        if isExtended { app.environment.extendStateRestoration() }
        let life = RestorableApplication(
            app, environment: app.environment, storage: storage,
            configuration: .init(device: Self.context(layout)) { 800_000_000 })
        await storage.launch(life)
        self.life = life
    }

    /// Waits for the place of another device.
    func offer() async -> Placekeeper.Offer? {
        for await offer in scene.offers {
            if let offer { return offer }
        }
        return nil
    }

    /// Restores the place of another device in the running app.
    func take(_ offer: Placekeeper.Offer) async throws {
        await show(KeptSceneStorage(scene, restoring: try await scene.take(offer)))
    }

    /// The image of the last launch.
    var launchImage: LaunchAppearance.Image? { life?.appearance.image }

    /// Uses the app, and opens the item of a row.
    func use(opening row: Int) {
        app.browse(items)
        app.open(items.items[row].id)
    }

    /// Goes back to the list, and opens the item of another row.
    func goOn(opening row: Int) {
        app.shell.goBack()
        app.open(items.items[row].id)
    }

    /// Leaves the app: the state is saved, and everything that waits is sent.
    func leave() async throws {
        try life?.saveState()
        try await placekeeper.flush()
    }

    /// Ends the app as a person does who cannot use it.
    func forceQuit() async throws {
        life?.forceQuit()
        // The client notes it.
        try await placekeeper.flush()
        endProcess()
    }

    /// Registers all items, as an app does when its data has loaded.
    func registerItems() async { placekeeper.list(of: items).update(from: items) }

    /// Removes all items, as if the app's data has not loaded yet.
    /// - Returns: The items.
    func unloadItems() -> [Catalog.Item] {
        defer { (items.items, items.isLoaded) = ([], false) }
        return items.items
    }

    /// Loads items, shows them and registers them.
    func load(_ loaded: [Catalog.Item]) async {
        (items.items, items.isLoaded) = (loaded, true)
        app.shell.itemsArrived()
        await registerItems()
    }

    var seen: Seen { Seen(app.shell, items) }
    var appearance: Appearance { Appearance(app.shell) }
    /// The list of the items.
    var list: ListView? { app.shell.list(of: items) }
}

extension Shell {
    fileprivate func list(of items: Catalog) -> ListView? {
        screens.lazy.compactMap { $0 as? ListScreen }.first { $0.items === items }?.list
    }
}

/// The items that a person sees, in words that are the same in every layout.
struct Seen: Hashable {
    /// The title of the item at the top of the list. Nil if the list is empty.
    var top: String?
    /// The titles of the selected items.
    var selected: [String]
    /// The visible screens of the open item.
    var screens: [String]
}

extension Seen {
    @MainActor
    init(_ shell: Shell, _ items: Catalog) {
        let list = shell.list(of: items)
        top = list?.listAnchor.map { items.items[$0.indexPath.item].title }
        selected = list?.listSelection.map { items.items[$0.item].title } ?? []
        screens = Appearance(shell).screensOfItem
    }
}
