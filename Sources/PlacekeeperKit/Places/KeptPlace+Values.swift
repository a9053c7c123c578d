import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperModels

extension KeptPlace {
    /// The content of a window.
    struct Content: Equatable {
        var steps: [RouteStep]?
        /// The values that did not fit into the place, for devices with this layout only.
        var values: [String: KeptValue] = [:]
        /// The values of the place, which every device may restore.
        var placeValues: [String: KeptValue] = [:]
        var elements: [String: [ModelReference]] = [:]

        subscript(key: String) -> KeptValue? { placeValues[key] ?? values[key] }

        /// Replaces the values of the place with those of an archive. If the full state may be restored, replaces the
        /// other values and the elements too.
        mutating func read(_ archive: StateArchive, _ fidelity: RestorationFidelity) {
            placeValues = archive.place?.values.mapValues { KeptValue($0, of: archive) } ?? [:]
            guard fidelity == .full else { return }
            (values, elements) = ([:], [:])
            for (key, value) in archive.application where key != KeptPlace.stepsKey {
                if key == KeptPlace.valuesKey, case .dictionary(let kept) = value {
                    for (key, value) in kept { values[key] = KeptValue(value, of: archive) }
                } else if let references = archive.references(in: value) {
                    elements[key] = references
                } else {
                    values[key] = KeptValue(value, of: archive)
                }
            }
        }
    }

    /// A value of the window, and the items that it refers to.
    struct KeptValue: Equatable {
        /// The value. A reference is an index in `items`.
        var value: StateValue
        var items: [ModelReference] = []

        fileprivate init(_ value: StateValue, of archive: StateArchive) {
            var items: [ModelReference] = []
            let moved = value.movingReferences { index in
                guard archive.references.indices.contains(index) else { return nil }
                items.append(archive.references[index])
                return items.count - 1
            }
            (self.value, self.items) = (moved ?? .null, items)
        }

        fileprivate init(_ value: StateValue, _ items: [ModelReference]) { (self.value, self.items) = (value, items) }
    }

    /// Returns the value of a key. Nil if there is none, or if it has another type.
    func value<Value: Decodable>(_ type: Value.Type = Value.self, forKey key: String) -> Value? {
        guard let kept = content[key] else { return nil }
        let items = kept.items.map { navigator?.item($0) ?? ItemUse(saved: $0) }
        return ValueSteps.value(type, of: kept.value, items: items)
    }

    /// Sets a value, and saves the window's state soon. A value that an archive can't hold, or whose key is on the
    /// deny-list, is kept only in this process, as reported by `omissions`, the log and the client's status.
    ///
    /// The value is a part of the place, which every device may restore. If the place has no room for all values, those
    /// that changed first come back only on devices with this layout (`omittedKeys`).
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The value's name in the window.
    ///   - isInteraction: Whether the user set the value. Nil to let the place decide.
    func setValue(_ value: some Encodable, forKey key: String, isInteraction: Bool? = nil) {
        let form = PlaceValueForm(value)
        guard let coded = form.value else { return note(omissions.union([omission(key, .unwritable)])) }
        let lists = ItemLists(navigator?.lists ?? [])
        let kept = KeptValue(coded, form.items.map { lists.reference(to: $0) })
        guard content.placeValues[key] != kept else { return }
        placeKeys.removeAll { $0 == key }
        placeKeys.append(key)
        content.placeValues[key] = kept
        content.values[key] = nil
        if DenyList.standard.deniesKey(key) { return note(omissions.union([omission(key, .denied)])) }
        setNeedsSave(isInteraction: isInteraction)
    }

    /// Returns the identifiers of the items of a key that the list contains. A neighbor may replace an item that is
    /// gone if the role is `firstVisible` or the list selects neighbors. With the role `firstVisible`, a neighbor may
    /// also stand in for an item that hasn't arrived: call this method again when data has arrived.
    func identifiers(forKey key: String, in list: any ModelAssociation) -> [String] {
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
    func setIdentifiers(
        _ identifiers: [String], of list: any ModelAssociation, role: ModelReference.Role = .selected,
        forKey key: String
    ) {
        // Keep the restored references, because some of their items may not have arrived.
        let kept = self.identifiers(forKey: key, in: list).map(ByteText.init)
        guard Set(identifiers.map(ByteText.init)) != Set(kept) else { return }
        let index = ListIndex(list, in: nil)
        let savesNeighbors = identifiers.count <= ModelReference.maximumCountWithNeighbors
        let references = identifiers.map { identifier in
            role == .selected
                ? ModelReference(selected: identifier, by: index, savesNeighbors: savesNeighbors)
                : ModelReference(identifier, by: index, role: role)
        }
        content.elements[key] = references.isEmpty ? nil : references
        setNeedsSave(isInteraction: role == .firstVisible ? false : nil)
    }
}
