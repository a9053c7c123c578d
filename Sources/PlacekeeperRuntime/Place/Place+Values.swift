package import PlacekeeperArchive

extension Place {
    /// The key of the values in the parameters of the first step.
    fileprivate static let valuesKey = "placekeeper.values"

    /// The app's values that belong to the place and to no screen, such as an unsaved note. Every layout restores them.
    /// They are parameters of the first step, so they have its limits. A place without a step has none.
    package var values: [String: StateValue] {
        get {
            guard case .dictionary(let values)? = steps.first?.parameters[Self.valuesKey] else { return [:] }
            return values
        }
        set {
            guard !steps.isEmpty else { return }
            steps[0].parameters[Self.valuesKey] = newValue.isEmpty ? nil : .dictionary(newValue)
        }
    }
}

extension [String: StateValue] {
    /// The parameters of a step without the values of the place.
    package var withoutPlaceValues: [String: StateValue] {
        var parameters = self
        parameters[Place.valuesKey] = nil
        return parameters
    }
}
