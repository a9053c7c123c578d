package import PlacekeeperArchive

extension Place {
    /// The key for the values, in the parameters of the first step.
    fileprivate static let valuesKey = "placekeeper.values"

    /// Values that belong to the whole place instead of one screen, such as an unsaved note. Every layout restores
    /// them. They are stored as a parameter of the first step, so that step's limits apply, and a place without steps
    /// has none.
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
    /// A step's parameters without the values of the place.
    package var withoutPlaceValues: [String: StateValue] {
        var parameters = self
        parameters[Place.valuesKey] = nil
        return parameters
    }
}
