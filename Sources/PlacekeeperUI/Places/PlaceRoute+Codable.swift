public import PlacekeeperArchive
public import PlacekeeperRuntime

/// An app's routes are often the cases of an enum. If the enum is `Codable`, the compiler knows the names of the cases
/// and of their associated values, and the app only has to write the manifest.
extension PlaceRoute where Self: Codable {
    /// The name of the enum's case, from `CodingKeys`. Empty if the coded form is not the case of an enum.
    public var placeName: String { PlaceRouteForm(self)?.name ?? "" }

    /// The associated values that the manifest lists as items. A value that isn't coded as a string or a whole number
    /// is not an item.
    public var placeItems: [PlaceItem] {
        guard let form = PlaceRouteForm(self), let route = Self.route(named: form.name) else { return [] }
        return zip(route.itemLabels, route.items).compactMap { label, list in
            form.values[label].flatMap { ModelIdentifier.text(of: $0) }.map { PlaceItem($0, of: list) }
        }
    }

    /// The other associated values by label, without nil values and values whose type a place can't save.
    public var placeParameters: [String: StateValue] {
        guard let form = PlaceRouteForm(self) else { return [:] }
        let labels = Self.route(named: form.name)?.itemLabels ?? []
        return form.values.filter { !labels.contains($0.key) }
    }

    /// Creates the case of the enum from the saved values. Nil if there is no such case, or if a value is missing or
    /// has another type.
    @MainActor
    public init?(placeName: String, items: [PlaceItem], parameters: StateDecoder) {
        let route = Self.route(named: placeName)
        guard items.map(\.list) == route?.items ?? [] else { return nil }
        var values: [String: PlaceRouteDecoder.Form] = [:]
        for key in parameters.keys { values[key] = parameters.value(forKey: key).map { .value($0) } }
        for (label, item) in zip(route?.itemLabels ?? [], items) { values[label] = .item(item.identifier) }
        let decoder = PlaceRouteDecoder(form: .members([placeName: .members(values)]))
        if let route = try? Self(from: decoder) {
            self = route
        } else if values.isEmpty, let route = try? Self(from: PlaceRouteDecoder(form: .value(.string(placeName)))) {
            // An enum with raw values is coded as its raw value.
            self = route
        } else {
            return nil
        }
    }

    private static func route(named name: String) -> RouteManifest.Route? {
        placeManifest.routes.first { $0.name == name }
    }
}

extension PlaceRoute {
    /// The labels of the associated values that a place can't save. Empty if the app names its routes without
    /// `Codable`.
    var refusedLabels: [String] { (self as? any Encodable).flatMap { PlaceRouteForm($0)?.refused } ?? [] }
}
