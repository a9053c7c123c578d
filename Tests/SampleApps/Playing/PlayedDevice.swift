import KeyedArchive
import RestorationInterface
package import StateRestoration

/// A device with an app's items and its stored state.
@MainActor
package final class PlayedDevice {
    package let sample: Sample
    package let layout: DeviceLayout
    package let items: Catalogue
    package let storage = InMemoryArchiveStorage()
    private let bundleVersion: Int

    /// The row of the item that the test opens.
    package static let openRow = 12

    /// Returns the title of the item at the top of the scrolled list.
    package static func topTitle(_ sample: Sample) -> String { "\(sample.app.itemName) 11" }

    package init(
        _ sample: Sample, _ layout: DeviceLayout, numbers: String = "here",
        bundleVersion: Int = SampleVersion.current
    ) {
        self.bundleVersion = bundleVersion
        self.sample = sample
        self.layout = layout
        items = Catalogue("items", device: numbers, titles: (1...30).map { "\(sample.app.itemName) \($0)" })
    }

    /// Returns a device with the current items on which the app was never used.
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
        // A launch that never completes has the same effect as a crash.
        if crashing { app.environment.extendStateRestoration() }
        let result = life.launch()
        return (app, life, result)
    }

    /// Starts the app, uses it, and saves its state in the background. The process ends there.
    /// - Returns: The screens before the process ended.
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

    /// Starts the app in a process that ends while it restores a place. The storage keeps its content from that
    /// moment.
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
