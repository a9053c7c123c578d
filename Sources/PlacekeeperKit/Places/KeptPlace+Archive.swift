import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperModels

extension KeptPlace {
    /// The state of the window: its place, and the values that may be saved.
    func archive() -> StateArchive { encodedArchive().archive }

    /// The state to save, and its bytes if they are known. The log and the client's status report what it leaves out.
    func archiveToSave() -> (archive: StateArchive, encoded: [UInt8]?) {
        forgetWaitingIfElsewhere()
        let (archive, encoded, omissions) = encodedArchive()
        note(omissions)
        return (archive, encoded)
    }

    /// A user who has been elsewhere and comes back doesn't wait any more.
    func forgetWaitingIfElsewhere() {
        if let navigator, waiting?.steps(ifShowing: navigator.placeSteps) == nil { waiting = nil }
    }

    /// Checks each part only if the whole can't be written: a single value that can't be written, such as a text with too
    /// many combining marks, would otherwise prevent the whole state from being saved.
    private func encodedArchive() -> (
        archive: StateArchive, encoded: [UInt8]?, omissions: Set<Placekeeper.Omission>
    ) {
        let (archive, omissions) = archiveAndOmissions { _ in true }
        if let encoded = try? archive.encoded() { return (archive, encoded, omissions) }
        let checked = archiveAndOmissions { (try? $0.encoded()) != nil }
        return (checked.archive, nil, checked.omissions)
    }

    /// The key of the values of all steps, in a state whose place can't hold them.
    nonisolated static let stepsKey = "placekeeper.steps"
    /// The key of the values that don't fit into the place.
    nonisolated static let valuesKey = "placekeeper.values"

    /// Records what the newest state leaves out.
    func note(_ omissions: Set<Placekeeper.Omission>) {
        guard omissions != self.omissions else { return }
        self.omissions = omissions
        scene.note(omissions)
    }

    func omission(
        _ name: String, of screen: String? = nil, _ reason: Placekeeper.Omission.Reason
    ) -> Placekeeper.Omission {
        .init(scene: scene.name, screen: screen, name: name, reason: reason)
    }

    private func archiveAndOmissions(
        _ isWritable: (StateArchive) -> Bool
    ) -> (archive: StateArchive, omissions: Set<Placekeeper.Omission>) {
        var archive = StateArchive(
            bundleVersion: device.bundleVersion, idiom: device.idiom.rawValue, systemVersion: device.systemVersion,
            stateVersion: device.stateVersion, layout: device.layout)
        var omissions: Set<Placekeeper.Omission> = []
        var indices: [ModelReference: Int] = [:]
        if let navigator { add(navigator, to: &archive, &indices, &omissions, isWritable) }
        var values: [String: StateValue] = [:]
        let overflowing = addPlaceValues(to: &archive, &indices, &omissions, isWritable)
        for (key, kept) in content.values.merging(overflowing, uniquingKeysWith: { $1 }) {
            if DenyList.standard.deniesKey(key) {
                omissions.insert(omission(key, .denied))
            } else if let value = archive.adding(
                kept, &indices,
                isWritable: {
                    isWritable(StateArchive(application: [key: $1], references: $0.references))
                })
            {
                values[key] = value
            } else {
                omissions.insert(omission(key, .unwritable))
            }
        }
        if !values.isEmpty { archive.application[Self.valuesKey] = .dictionary(values) }
        for (key, elements) in content.elements.sorted(by: { $0.key < $1.key }) {
            let elements = elements.map(\.withoutResolution)
            guard isWritable(StateArchive(application: [key: .null], references: elements)) else {
                // Saving only some of the selected items would be a different selection.
                omissions.insert(omission(key, .unwritable))
                continue
            }
            archive.application[key] = .array(elements.map { .reference(archive.index(of: $0, &indices)) })
        }
        return (archive, omissions)
    }

    /// Adds the values to the place, starting with the one that changed last.
    /// - Returns: The values that don't fit into the place.
    private func addPlaceValues(
        to archive: inout StateArchive, _ indices: inout [ModelReference: Int],
        _ omissions: inout Set<Placekeeper.Omission>, _ isWritable: (StateArchive) -> Bool
    ) -> [String: KeptValue] {
        var rest: [String: KeptValue] = [:]
        for key in placeKeys where DenyList.standard.deniesKey(key) { omissions.insert(omission(key, .denied)) }
        let keys = placeKeys.filter { !DenyList.standard.deniesKey($0) }
        // A window without a navigator has one screen.
        if navigator == nil, !keys.isEmpty { archive.place = Place([.init(screen: ValueSteps.root)]) }
        var room = Place.maximumSize - (archive.place?.steps.reduce(0) { $0 + $1.size } ?? 0)
        for key in keys.reversed() {
            guard var kept = content.placeValues[key] else { continue }
            for name in DenyList.standard.names(in: kept.value) { omissions.insert(omission(name, .denied)) }
            kept.value = DenyList.standard.removingNames(from: kept.value)
            var fitting: Place.Step?
            _ = archive.adding(kept, &indices) { archive, value in
                var first = Place(archive.place?.steps.first.map { [$0] } ?? [])
                first.values[key] = value
                guard let step = first.steps.first, step.size <= room + (archive.place?.steps.first?.size ?? 0),
                    isWritable(StateArchive(references: archive.references, place: first))
                else { return false }
                fitting = step
                return true
            }
            if let fitting {
                room -= fitting.size - (archive.place?.steps[0].size ?? 0)
                archive.place?.steps[0] = fitting
            } else {
                omissions.insert(omission(key, .tooLarge))
                rest[key] = kept
            }
        }
        return rest
    }

    private func add(
        _ navigator: any PlaceNavigator, to archive: inout StateArchive, _ indices: inout [ModelReference: Int],
        _ omissions: inout Set<Placekeeper.Omission>, _ isWritable: (StateArchive) -> Bool
    ) {
        // While an item of the restored place hasn't arrived, the complete place is saved again.
        let steps = waiting?.steps(ifShowing: navigator.placeSteps) ?? navigator.placeSteps
        if steps.count > Place.maximumStepCount { omissions.insert(omission("steps", .tooLarge)) }
        var place = Place([])
        var room = Place.maximumSize
        var whole: [StateValue] = []
        for step in steps.prefix(Place.maximumStepCount) {
            let (references, known) = (archive.references, indices)
            let elements = step.elements.map { archive.index(of: $0.withoutUnwritableNames, &indices) }
            let denied = DenyList.standard.names(in: .dictionary(step.parameters))
            for name in denied.union(step.denied) { omissions.insert(omission(name, of: step.screen, .denied)) }
            let parameters = DenyList.standard.removingNames(from: step.parameters).compactMapValues { value in
                value.movingReferences { elements.indices.contains($0) ? elements[$0] : nil }
            }
            for name in step.refused { omissions.insert(omission(name, of: step.screen, .unwritable)) }
            let fitted = FittedStep(
                Place.Step(
                    // Without a title, the service and other devices would show the screen's name.
                    screen: step.screen, title: step.title ?? "", references: elements, parameters: parameters,
                    progress: step.progress),
                referenceCount: archive.references.count, room: room)
            for left in fitted.omissions {
                omissions.insert(
                    omission(left.name, of: step.screen, left.reason == .unwritable ? .unwritable : .tooLarge))
            }
            guard let saved = fitted.step,
                isWritable(StateArchive(references: archive.references, place: Place([saved])))
            else {
                // Without this step, a later step would lead to a different screen.
                (archive.references, indices) = (references, known)
                omissions.insert(omission("steps", of: step.screen, fitted.step == nil ? .tooLarge : .unwritable))
                break
            }
            place.steps.append(saved)
            whole.append(.dictionary(parameters))
            room -= saved.size
        }
        // A device with this layout restores what doesn't fit into the place.
        let isLarge = omissions.contains { $0.reason == .tooLarge && $0.screen != nil }
        if isLarge,
            isWritable(StateArchive(application: [Self.stepsKey: .array(whole)], references: archive.references))
        {
            archive.application[Self.stepsKey] = .array(whole)
        }
        if !place.steps.isEmpty { archive.place = place }
    }
}

extension StateArchive {
    /// The references in an array of references. Nil for any other value.
    func references(in value: StateValue) -> [ModelReference]? {
        guard case .array(let values) = value, !values.isEmpty else { return nil }
        var found: [ModelReference] = []
        for value in values {
            guard case .reference(let index) = value, references.indices.contains(index) else { return nil }
            found.append(references[index])
        }
        return found
    }

    /// Adds the items of a value, and returns the value with their indices. Returns nil and adds nothing if the result
    /// isn't writable.
    fileprivate mutating func adding(
        _ kept: KeptPlace.KeptValue, _ indices: inout [ModelReference: Int],
        isWritable: (StateArchive, StateValue) -> Bool
    ) -> StateValue? {
        let (references, known) = (self.references, indices)
        let items = kept.items.map { index(of: $0.withoutResolution.withoutUnwritableNames, &indices) }
        let value = kept.value.movingReferences { items.indices.contains($0) ? items[$0] : nil }
        if let value, isWritable(self, value) { return value }
        (self.references, indices) = (references, known)
        return nil
    }

    fileprivate mutating func index(of reference: ModelReference, _ indices: inout [ModelReference: Int]) -> Int {
        if let index = indices[reference] { return index }
        references.append(reference)
        indices[reference] = references.count - 1
        return references.count - 1
    }
}

/// A restored place that stopped at an item that hasn't arrived.
struct WaitingPlace {
    /// The archive, whose place contains only the steps that weren't reached.
    private var archive: StateArchive
    /// The steps that were reached, for saving.
    private let reached: [RouteStep]
    /// The navigator's steps when the restore stopped.
    private let shown: [RouteStep]

    /// Nil if the place was reached, or if it stopped at a screen that can't come back.
    init?(
        _ archive: StateArchive, _ result: PlaceRestoration?, _ shown: [RouteStep], after earlier: WaitingPlace? = nil
    ) {
        guard let result, result.stopped != nil, let place = archive.place, result.reached.count < place.steps.count
        else { return nil }
        let elements = archive.elementsAndValues(of: place.steps[result.reached.count]).0
        let isGone = elements.contains { [.unresolved, .neighbor].contains($0.resolution?.step) }
        guard !elements.isEmpty, !isGone else { return nil }
        self.archive = archive
        self.shown = shown
        reached = (earlier?.reached ?? []) + place.steps.prefix(result.reached.count).map(archive.step)
        self.archive.place?.steps.removeFirst(result.reached.count)
    }

    /// The archive with the remaining steps. Nil if the user has navigated since.
    func rest(_ steps: [RouteStep]) -> StateArchive? { isShown(steps) ? archive : nil }

    /// The complete place. Nil if the user has navigated since.
    func steps(ifShowing steps: [RouteStep]) -> [RouteStep]? {
        guard isShown(steps) else { return nil }
        return reached + (archive.place?.steps ?? []).map(archive.step)
    }

    /// Whether the steps show the same items. Their neighbors and titles may have arrived since.
    private func isShown(_ steps: [RouteStep]) -> Bool {
        steps.count == shown.count
            && zip(steps, shown).allSatisfy { one, other in
                one.screen == other.screen && one.parameters == other.parameters
                    && one.elements.count == other.elements.count
                    && zip(one.elements, other.elements).allSatisfy {
                        $0.dataSource == $1.dataSource
                            && $0.element.identifier.map { ByteText($0) } == $1.element.identifier.map { ByteText($0) }
                    }
            }
    }
}

extension StateArchive {
    fileprivate func step(_ step: Place.Step) -> RouteStep {
        let (elements, values) = elementsAndValues(of: step)
        return RouteStep(
            step.screen, title: step.title, elements: elements.map(\.withoutResolution), parameters: values,
            progress: step.progress)
    }
}

extension StateArchive {
    /// The archive with the values that its place can't hold.
    var withWholeSteps: StateArchive {
        guard case .array(let steps)? = application[KeptPlace.stepsKey] else { return self }
        var archive = self
        for (index, step) in steps.enumerated() where place?.steps.indices.contains(index) == true {
            guard case .dictionary(let values) = step else { continue }
            archive.place?.steps[index].parameters.merge(values) { _, whole in whole }
        }
        return archive
    }
}
