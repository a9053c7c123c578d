import PlacekeeperStandIns
package import PlacekeeperRuntime

/// The common behavior of the sample apps. Each app restores state from supported bundle versions, and can navigate to
/// each of its own screens.
@MainActor
package protocol SampleApp: ApplicationLifeCycleDelegate, PlaceNavigating {
    /// Creates the app with the items of a device.
    init(_ items: Catalog, layout: DeviceLayout)
    /// The app's restoration environment.
    var environment: RestorationEnvironment { get }
    /// The app's screens in this device's layout.
    var shell: Shell { get }
}

/// The current bundle version of the sample apps, and the oldest version whose state they restore.
package enum SampleVersion {
    package static let current = 5
    package static let oldest = 3
}

extension SampleApp {
    package var roots: [any RestorableViewController] { [shell.root] }
    package var placeNavigator: (any PlaceNavigating)? { self }
    /// Does nothing: the initializer creates the interface.
    package func loadInterface() {}

    package func shouldSaveApplicationState(_ coder: StateEncoder) -> Bool { true }

    package func shouldRestoreApplicationState(_ coder: StateDecoder) -> Bool {
        // A version that is absent, or that is not a number, is treated as version 0.
        let saved = coder.decodeString(forKey: ReservedKey.bundleVersion).flatMap { Int($0) } ?? 0
        return saved >= SampleVersion.oldest
    }

    package func applicationFinishedRestoringState() { shell.showListsIfNothingIsOpen() }
}
