public import PlacekeeperArchive
import PlacekeeperClient
public import PlacekeeperRuntime

extension KeptPlace {
    /// The content of a window.
    struct Content: Equatable {
        var steps: [RouteStep]?
        /// The values for this layout.
        var values: [String: StateValue] = [:]
        /// The values for every layout.
        var placeValues: [String: StateValue] = [:]
        var elements: [String: [ModelReference]] = [:]

        subscript(key: String) -> StateValue? { placeValues[key] ?? values[key] }

        /// Replaces the values for every layout with those of an archive. If the full state may be restored, replaces
        /// the other values and the elements too.
        mutating func read(_ archive: StateArchive, _ fidelity: RestorationFidelity) {
            placeValues = archive.place?.values ?? [:]
            guard fidelity == .full else { return }
            (values, elements) = ([:], [:])
            for (key, value) in archive.application {
                if let references = archive.references(in: value) {
                    elements[key] = references
                } else {
                    values[key] = value
                }
            }
        }
    }

    /// Returns the value of a key. Nil if there is none, or if it has another type.
    public func value<Value: StateConvertible>(_ type: Value.Type = Value.self, forKey key: String) -> Value? {
        content[key].flatMap { Value(stateValue: $0) }
    }

    /// Sets a value, and saves the window's state soon. A value that an archive can't hold, or whose key is on the
    /// deny-list, is kept only in this process, as reported by `omissions`, the log and the client's status.
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The value's name in the window.
    ///   - inEveryLayout: Whether the value belongs to every layout, such as an unsaved note. It is then a part of the
    ///     place, which every device may restore. The first step of the place, including all such values, is limited to
    ///     2,048 bytes: the values that changed last are in the place, and the others belong to this layout only
    ///     (`omittedKeys`).
    public func setValue(_ value: some StateConvertible, forKey key: String, inEveryLayout: Bool = false) {
        setValue(value, forKey: key, inEveryLayout: inEveryLayout, isInteraction: nil)
    }

    func setValue(
        _ value: some StateConvertible, forKey key: String, inEveryLayout: Bool, isInteraction: Bool?
    ) {
        let value = value.stateValue
        let kept = inEveryLayout ? content.placeValues[key] : content.values[key]
        guard kept != value || (content.placeValues[key] != nil) != inEveryLayout else { return }
        placeKeys.removeAll { $0 == key }
        if inEveryLayout {
            placeKeys.append(key)
            content.placeValues[key] = value
            content.values[key] = nil
        } else {
            content.values[key] = value
            content.placeValues[key] = nil
        }
        if denyList.denies(key) { return note(omissions.union([omission(key, .denied)])) }
        setNeedsSave(isInteraction: isInteraction)
    }

    /// Returns the identifiers of the items of a key that the list contains. A neighbor may replace an item that is
    /// gone if the role is `firstVisible` or the list selects neighbors. With the role `firstVisible`, a neighbor may
    /// also stand in for an item that hasn't arrived: call this method again when data has arrived.
    public func identifiers(forKey key: String, in list: any ModelAssociation) -> [String] {
        let index = ListIndex(list, in: nil)
        return (content.elements[key] ?? []).compactMap { $0.find(by: index)?.identifier }
    }

    /// Sets items, and saves the window's state soon.
    /// - Parameters:
    ///   - identifiers: The items' model identifiers on this device, in any order. If an archive can't hold all of
    ///     them, none is saved, and `omissions` contains the key. A state above 1 MiB remains on this device, and only
    ///     its place is sent to the service; some thousands of items fit.
    ///   - list: The list.
    ///   - role: `selected` or `firstVisible`. A first visible item is a view-only capture.
    ///   - key: The name in the window.
    public func setIdentifiers(
        _ identifiers: [String], of list: any ModelAssociation, role: ModelReference.Role = .selected,
        forKey key: String
    ) {
        // Keep the restored references, because some of their items may not have arrived.
        let kept = self.identifiers(forKey: key, in: list).map(ByteText.init)
        guard Set(identifiers.map(ByteText.init)) != Set(kept) else { return }
        let index = ListIndex(list, in: nil)
        let references = identifiers.map { ModelReference($0, by: index, role: role) }
        content.elements[key] = references.isEmpty ? nil : references
        setNeedsSave(isInteraction: role == .firstVisible ? false : nil)
    }
}

extension KeptPlace {
    /// Returns the items of a key by their ids. Leaves out identifiers that are not ids of this type.
    func ids<ID: StateConvertible>(forKey key: String, in list: any ModelAssociation) -> [ID] {
        identifiers(forKey: key, in: list).compactMap { ModelIdentifier.id(from: $0) }
    }

    /// Sets items by their ids.
    func setIDs(
        _ ids: [some StateConvertible], of list: any ModelAssociation, role: ModelReference.Role, forKey key: String
    ) {
        setIdentifiers(ids.compactMap { ModelIdentifier.text(of: $0) }, of: list, role: role, forKey: key)
    }
}
