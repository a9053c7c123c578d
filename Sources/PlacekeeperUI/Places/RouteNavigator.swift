import PlacekeeperArchive
public import PlacekeeperRuntime

/// A navigator over an array of routes, such as the path of a `NavigationStack`.
@MainActor
public final class RouteNavigator<Route: PlaceRoute>: PlaceNavigator {
    /// The name of the first step: the screen below the path.
    public static var rootScreen: String { "root" }

    /// The routes, from the root to the frontmost screen.
    public var path: [Route] = [] {
        didSet { if path != oldValue { didChange?() } }
    }
    /// The lists whose items the routes show. A route with an item of any other list is saved without the item's
    /// aliases, and isn't restored.
    public var lists: [any ModelAssociation]
    /// The title of the root screen.
    public var rootTitle: String?
    /// Called after the path has changed.
    public var didChange: (@MainActor () -> Void)?

    /// Creates a navigator with an empty path.
    public init(lists: [any ModelAssociation] = [], rootTitle: String? = nil) {
        self.lists = lists
        self.rootTitle = rootTitle
    }

    /// The root, and a step for each route.
    public var placeSteps: [RouteStep] {
        [RouteStep(Self.rootScreen, title: rootTitle)]
            + path.map { route in
                RouteStep(
                    route.placeName, title: route.placeTitle, elements: route.placeItems.map(reference),
                    parameters: route.placeParameters, progress: route.placeProgress)
            }
    }

    /// The manifest of the routes.
    public var placeManifest: RouteManifest { Route.placeManifest }

    /// Empties the path.
    public func goToFirstScreen() { path = [] }

    /// Appends the route of a step. Returns false if a list lacks an item of the step, or if the app doesn't know the
    /// route or one of its parameters. Never uses another item instead.
    public func go(to step: PlaceStep) async -> Bool { await reach(step) == nil }

    private func list(named name: String) -> (any ModelAssociation)? { lists.first { $0.dataSourceName == name } }

    private func reference(to item: PlaceItem) -> ModelReference {
        guard let list = list(named: item.list) else {
            return ModelReference(dataSource: item.list, element: .init(item.identifier), role: .selected)
        }
        return ModelReference(item.identifier, in: list, role: .selected)
    }
}

extension RouteNavigator: StepReaching {
    package func reach(_ step: PlaceStep) async -> PlaceRestoration.Reason? {
        if step.screen == Self.rootScreen { return path.isEmpty ? nil : .init(.declined) }
        let before = path
        var items: [PlaceItem] = []
        for element in step.elements {
            guard let list = list(named: element.dataSource),
                let found = await element.revealElement(in: list), found.step != .neighbor
            else { return .init(.declined) }
            items.append(PlaceItem(found.identifier, of: element.dataSource))
        }
        // The user may have navigated while the list loaded an item.
        guard path == before else { return .init(.declined) }
        guard let route = Route(placeName: step.screen, items: items, parameters: step.parameters) else {
            return declining(step)
        }
        // A parameter that the route doesn't save again is from another version of the app.
        let saved = route.placeParameters
        let declared = Route.placeManifest.route(named: step.screen)?.parameters ?? [:]
        if let unknown = step.firstParameter(where: { saved[$0] == nil && declared[$0] == nil }) {
            return .init(.unknownParameter, parameter: unknown)
        }
        path.append(route)
        return nil
    }
}
