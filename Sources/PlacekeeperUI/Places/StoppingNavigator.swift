import PlacekeeperRuntime

/// The navigator of a restore, which goes to no further screen after the person has navigated.
@MainActor
final class StoppingNavigator: PlaceNavigating {
    private let navigator: any PlaceNavigator
    private let isStopped: @MainActor () -> Bool

    init(_ navigator: any PlaceNavigator, isStopped: @escaping @MainActor () -> Bool) {
        self.navigator = navigator
        self.isStopped = isStopped
    }

    var placeManifest: RouteManifest { navigator.placeManifest }

    func go(to step: PlaceStep) async -> Bool { isStopped() ? false : await navigator.go(to: step) }
}
