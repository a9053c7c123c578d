import PlacekeeperArchive
import PlacekeeperRuntime

extension PlaceRoute {
    /// Compares the manifest with the code of the routes, in a test of the app. Pass an example of each route, and
    /// expect no findings: each example must be in the manifest, have the listed items and parameters, and survive
    /// saving without loss.
    ///
    /// ```swift
    /// #expect(await Route.findings(in: [.book(id: "1"), .search(text: "sea")]) == [])
    /// ```
    /// - Parameters:
    ///   - examples: At least one example for each route of the manifest.
    ///   - denyList: The names of values that are never saved.
    /// - Returns: A sentence for each difference.
    @MainActor
    public static func findings(in examples: [Self], denyList: DenyList = .standard) async -> [String] {
        var findings = placeManifest.routes.filter { route in !examples.contains { $0.placeName == route.name } }
            .map { "The manifest lists the route \"\($0.name)\", but no example has this name. Add an example." }
        for route in placeManifest.routes {
            for key in route.parameters.keys.sorted() where denyList.denies(key, isDeclared: true) {
                findings.append(
                    "The parameter \"\(key)\" of the route \"\(route.name)\" is never saved: the deny-list denies its name. "
                        + "Remove it from the place, or rename it if it is no secret.")
            }
        }
        for example in examples {
            let name = example.placeName
            guard !name.isEmpty else {
                findings.append("A route has no name. The coded form of a route is the case of an enum.")
                continue
            }
            guard let route = placeManifest.routes.first(where: { $0.name == name }) else {
                findings.append("The manifest does not list the route \"\(name)\". Add it to `placeManifest`.")
                continue
            }
            if example.placeItems.map(\.list) != route.items {
                findings.append(
                    "The items of the route \"\(name)\" belong to other lists than the manifest gives for it.")
            }
            for (key, type) in route.parameters.sorted(by: { $0.key < $1.key }) {
                let value = example.placeParameters[key]
                if value.map({ !type.includes($0) }) ?? (type != type.optional) {
                    findings.append(
                        "The parameter \"\(key)\" of the route \"\(name)\" is not of type \(type.rawValue).")
                }
            }
            for key in example.placeParameters.keys.sorted() where route.parameters[key] == nil {
                findings.append(
                    "The manifest does not list the parameter \"\(key)\" of the route \"\(name)\". Add it. If the value "
                        + "identifies an item, list it as an item: parameters are not translated."
                        + (denyList.denies(key) ? " Until then, the deny-list leaves it out." : ""))
            }
            findings += example.limitFindings
            if await ExampleNavigator.route(of: example) != example {
                let labels = example.refusedLabels.joined(separator: ", ")
                findings.append(
                    "The route \"\(name)\" does not come back from its saved form. "
                        + (labels.isEmpty ? "Check its initializer." : "A place cannot save the type of: \(labels)."))
            }
        }
        return findings
    }
}

extension PlaceRoute {
    /// The values that a saved step of the route leaves out.
    @MainActor
    fileprivate var limitFindings: [String] {
        let step = Place.Step(
            screen: placeName, title: placeTitle, references: Array(placeItems.indices), parameters: placeParameters,
            progress: placeProgress)
        let fitted = FittedStep(step, referenceCount: placeItems.count)
        let lost = fitted.omissions.map { omission in
            "The place leaves out \"\(omission.name)\" of the route \"\(placeName)\": "
                + (omission.reason == .unwritable
                    ? "an archive cannot hold it." : "a step has at most \(Place.maximumStepSize) bytes.")
        }
        guard fitted.step == nil else { return lost }
        return lost + [
            "The place ends before the route \"\(placeName)\": its name and its items have more than "
                + "\(Place.maximumStepSize) bytes."
        ]
    }
}

/// Creates a route from a route's saved form, without lists.
@MainActor
private final class ExampleNavigator<Route: PlaceRoute>: PlaceNavigating {
    private let items: [PlaceItem]
    private var route: Route?

    private init(_ items: [PlaceItem]) { self.items = items }

    static func route(of example: Route) async -> Route? {
        let step = Place.Step(screen: example.placeName, parameters: example.placeParameters)
        let navigator = ExampleNavigator(example.placeItems)
        _ = await StateArchive(place: Place([step])).restorePlace(through: navigator)
        return navigator.route
    }

    func go(to step: PlaceStep) async -> Bool {
        route = Route(placeName: step.screen, items: items, parameters: step.parameters)
        return route != nil
    }
}

extension RouteManifest.ParameterType {
    /// Returns whether a value has this type.
    fileprivate func includes(_ value: StateValue) -> Bool {
        let type: RouteManifest.ParameterType? =
            switch value {
            case .boolean: .boolean
            case .integer, .unsigned: .integer
            case .real: .number
            case .string: .string
            case .data: .data
            case .date: .date
            case .array: .array
            case .dictionary: .dictionary
            case .null, .object, .reference, .instance: nil
            }
        return type?.optional == optional
    }
}
