import RestorationInterface
package import StateRestoration

/// What the sample apps have in common: they want their state back unless another version saved it that they do not
/// understand, and they know the way to each of their screens.
@MainActor
package protocol SampleApp: ApplicationLifeCycleDelegate, PlaceNavigating {
    /// The app on a device whose data it shows.
    init(_ items: Catalogue, layout: DeviceLayout)
    /// What the runtime has to know of the app.
    var environment: RestorationEnvironment { get }
    /// The app's screens, as they are laid out on this device.
    var shell: Shell { get }
}

/// The sample apps' bundle versions: what they are, and the oldest whose state they understand.
package enum SampleVersion {
    package static let current = 5
    package static let oldest = 3
}

extension SampleApp {
    package var roots: [any RestorableViewController] { [shell.root] }
    package var placeNavigator: (any PlaceNavigating)? { self }
    /// Nothing: the interface is made with the app.
    package func loadInterface() {}

    package func shouldSaveApplicationState(_ coder: StateEncoder) -> Bool { true }

    package func shouldRestoreApplicationState(_ coder: StateDecoder) -> Bool {
        // A missing version counts as 0.
        let saved = coder.decodeString(forKey: ReservedKey.bundleVersion).flatMap { Int($0) } ?? 0
        return (SampleVersion.oldest...SampleVersion.current).contains(saved)
    }

    package func applicationFinishedRestoringState() { shell.showListsIfNothingIsOpen() }
}
