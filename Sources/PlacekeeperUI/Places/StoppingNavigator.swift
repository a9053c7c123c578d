import PlacekeeperRuntime

/// The navigator for a restore. It goes no further once the user has navigated.
@MainActor
final class StoppingNavigator: StepReaching {
    private let navigator: any PlaceNavigator
    private let isStopped: @MainActor () -> Bool

    init(_ navigator: any PlaceNavigator, isStopped: @escaping @MainActor () -> Bool) {
        self.navigator = navigator
        self.isStopped = isStopped
    }

    var placeManifest: RouteManifest { navigator.placeManifest }

    func go(to step: PlaceStep) async -> Bool { await reach(step) == nil }

    func reach(_ step: PlaceStep) async -> PlaceRestoration.Reason? {
        isStopped() ? .init(.declined) : await navigator.reason(against: step)
    }
}
