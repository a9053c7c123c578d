extension TableReader {
    /// Reads the place. `nil` if the archive has neither steps nor a web address.
    mutating func place() throws(ArchiveError) -> Place? {
        let address = try webAddress()
        guard let steps = try Self.elements(ArchiveKey.place, .place, in: view) else {
            return address.map { Place([], webAddress: $0) }
        }
        guard steps.count <= Place.maximumStepCount else { throw ArchiveError(.place, at: steps.start) }
        var room = Place.maximumSize
        return Place(
            try rows(steps, .place) { (reader, record) throws(ArchiveError) in
                let step = try reader.step(record)
                room -= step.size
                guard room >= 0 else { throw reader.error(.placeSize, record.object) }
                return step
            }, webAddress: address)
    }

    private mutating func webAddress() throws(ArchiveError) -> String? {
        guard let object = view.top(ArchiveKey.webAddress) else { return nil }
        let address = string(try textObject(object, .place))
        guard Place.isWebAddress(address) else { throw error(.place, object) }
        return address
    }

    private mutating func step(_ record: Record) throws(ArchiveError) -> Place.Step {
        var step = Place.Step(
            screen: try text(ArchiveKey.screen, of: record), title: try optionalText(ArchiveKey.title, of: record),
            references: try optionalIntegers(ArchiveKey.stepReferences, of: record) ?? [])
        guard step.references.allSatisfy({ $0 >= 0 && $0 < referenceCount }) else {
            throw error(.place, record.object)
        }
        if let parameters = view.value(for: ArchiveKey.parameters, in: record.entries) {
            // Keys that exceed this budget would make the place too large anyway, so no valid place is rejected.
            let otherKeys = keys
            keys = KeyBudget(bytesOfText: Place.maximumSize)
            step.parameters = try state(parameters)
            keys = otherKeys
        }
        if let progress = view.value(for: ArchiveKey.progress, in: record.entries) {
            guard let value = view.real(progress), Place.Step.isProgress(value) else {
                throw error(.place, record.object)
            }
            step.progress = value
        }
        guard step.parameters.values.allSatisfy(\.isFreeOfLayout) else { throw error(.place, record.object) }
        return step
    }
}

extension StateValue {
    /// Whether the value contains neither restorable objects nor instances.
    fileprivate var isFreeOfLayout: Bool {
        switch self {
        case .object, .instance: false
        case .array(let elements): elements.allSatisfy(\.isFreeOfLayout)
        case .dictionary(let entries): entries.values.allSatisfy(\.isFreeOfLayout)
        default: true
        }
    }
}
