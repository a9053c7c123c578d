import PlacekeeperArchive
import PlacekeeperStandIns
package import PlacekeeperRuntime

/// A simulated device with one sample app: the app's items and the app's stored state.
@MainActor
package final class PlayedDevice {
    package let sample: Sample
    package let layout: DeviceLayout
    package let items: Catalog
    package let storage = InMemoryArchiveStorage()
    private let bundleVersion: Int

    /// The row of the item that `use` opens.
    package static let openRow = 12

    /// Returns the title of the item at the top of the list after `browse` has scrolled the list.
    package static func topTitle(_ sample: Sample) -> String { "\(sample.app.itemName) 11" }

    package init(
        _ sample: Sample, _ layout: DeviceLayout, numbers: String = "here",
        bundleVersion: Int = SampleVersion.current
    ) {
        self.bundleVersion = bundleVersion
        self.sample = sample
        self.layout = layout
        items = Catalog("items", device: numbers, titles: (1...30).map { "\(sample.app.itemName) \($0)" })
    }

    /// Returns another device with the same current items, on which the app was never used.
    package func fresh() -> PlayedDevice {
        let device = PlayedDevice(sample, layout)
        device.items.items = items.items
        return device
    }

    /// Starts the app in a new process.
    package func launch(
        crashing: Bool = false
    ) -> (app: any PlayedApp, life: RestorableApplication, result: LaunchResult) {
        let app = sample.app.init(items, layout: layout)
        let device = layout.context(bundleVersion: "\(bundleVersion)")
        let life = RestorableApplication(
            app, environment: app.environment, storage: storage,
            configuration: .init(device: device) { 800_000_000 })
        // A launch that extends restoration and never completes it has the same effect as a crash.
        if crashing { app.environment.extendStateRestoration() }
        let result = life.launch()
        return (app, life, result)
    }

    /// Starts the app, uses it, and saves its state, as when the app goes to the background and its process then ends.
    /// - Returns: The app's screens when the state was saved.
    @discardableResult
    package func use(opening: Bool = true) throws -> Appearance {
        let (app, life, _) = launch()
        app.browse(items)
        if opening { app.open(items.items[Self.openRow].id) }
        try life.saveState()
        return Appearance(app.shell)
    }

    /// Starts the app and returns its screens.
    package func launched() -> Appearance { Appearance(launch().app.shell) }

    /// Starts the app in a process that ends while the app restores a place. Afterwards, the storage has the content
    /// that it had when the process ended.
    package func launchEndingOnTheWay() async throws {
        let app = EndingApp(sample.app.init(items, layout: layout), storage)
        let life = RestorableApplication(
            app, environment: app.app.environment, storage: storage,
            configuration: .init(device: layout.context(bundleVersion: "\(bundleVersion)")) { 800_000_000 })
        life.launch()
        _ = await life.restorePlace()
        if let archive = app.archive { try storage.writeArchive(archive) }
        try storage.writeAttempts(app.attempts)
    }
}

/// An app whose process ends at the first step of a place.
@MainActor
private final class EndingApp: ApplicationLifeCycleDelegate, PlaceNavigating {
    let app: any PlayedApp
    private(set) var archive: [UInt8]?
    private(set) var attempts = 0
    private let storage: InMemoryArchiveStorage

    init(_ app: any PlayedApp, _ storage: InMemoryArchiveStorage) {
        self.app = app
        self.storage = storage
    }

    var roots: [any RestorableViewController] { app.roots }
    var placeNavigator: (any PlaceNavigating)? { self }
    func loadInterface() {}

    func go(to step: PlaceStep) async -> Bool {
        archive = storage.archive
        attempts = (try? storage.readAttempts()) ?? 0
        return false
    }
}
