import PlacekeeperArchive
import PlacekeeperModels

/// A screen of the app: a step of a place before it is saved.
struct RouteStep: Sendable, Hashable {
    /// The screen's name, the same on every device and in every version of the app.
    var screen: String
    /// The title that the user sees.
    var title: String?
    /// The items that the screen shows.
    var elements: [ModelReference] = []
    /// The screen's values. A reference is an index in `elements`.
    var parameters: [String: StateValue] = [:]
    /// How far the user has got in the items, from 0 to 1.
    var progress: Double?
    /// The names of the values whose types a place can't save.
    var refused: [String] = []
    /// The names of secrets that were left out.
    var denied: Set<String> = []

    init(
        _ screen: String, title: String? = nil, elements: [ModelReference] = [], parameters: [String: StateValue] = [:],
        progress: Double? = nil
    ) {
        (self.screen, self.title, self.elements) = (screen, title, elements)
        (self.parameters, self.progress) = (parameters, progress)
    }
}

/// A window's navigation, which describes its place and can go to another.
@MainActor
protocol PlaceNavigator: StepReaching {
    /// The screens, from the first to the frontmost.
    var placeSteps: [RouteStep] { get }
    /// The lists whose items the app's state names.
    var lists: [any ModelAssociation] { get }
    /// Returns an item by a saved reference. It waits if the lists don't have it.
    func item(_ saved: ModelReference) -> ItemUse
    /// Returns to the app's first screen. The steps of a place follow, each with a call of `reach(_:)`.
    func goToFirstScreen() async
    /// Looks again for items that hadn't arrived. Returns whether the state changed.
    func lookAgain() async -> Bool
}
