public import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperRuntime

extension KeptPlace {
    /// The state of the window: its place, and the values that may be saved.
    public func archive() -> StateArchive { archiveAndOmissions().archive }

    /// The state to save. The log and the client's status report what it leaves out.
    func archiveToSave() -> StateArchive {
        let (archive, omissions) = archiveAndOmissions()
        note(omissions)
        return archive
    }

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

    private func archiveAndOmissions() -> (archive: StateArchive, omissions: Set<Placekeeper.Omission>) {
        var archive = StateArchive(
            bundleVersion: device.bundleVersion, idiom: device.idiom.rawValue, systemVersion: device.systemVersion,
            stateVersion: device.stateVersion, layout: device.layout)
        var omissions: Set<Placekeeper.Omission> = []
        var indices: [ModelReference: Int] = [:]
        var values = content.values
        if let navigator { add(navigator, to: &archive, &indices, &omissions) }
        for (key, value) in addPlaceValues(to: &archive, &omissions) { values[key] = value }
        for (key, value) in values {
            if denyList.denies(key) {
                omissions.insert(omission(key, .denied))
            } else if StateArchive(application: [key: value]).isWritable {
                archive.application[key] = value
            } else {
                omissions.insert(omission(key, .unwritable))
            }
        }
        for (key, elements) in content.elements.sorted(by: { $0.key < $1.key }) {
            let elements = elements.map(\.withoutResolution)
            guard StateArchive(application: [key: .null], references: elements).isWritable else {
                // Saving only some of the selected items would be a different selection.
                omissions.insert(omission(key, .unwritable))
                continue
            }
            archive.application[key] = .array(elements.map { .reference(archive.index(of: $0, &indices)) })
        }
        return (archive, omissions)
    }

    /// Adds the values for every layout to the place, starting with the one that changed last.
    /// - Returns: The values that don't fit into the place.
    private func addPlaceValues(
        to archive: inout StateArchive, _ omissions: inout Set<Placekeeper.Omission>
    ) -> [String: StateValue] {
        var rest: [String: StateValue] = [:]
        for key in placeKeys where denyList.denies(key) { omissions.insert(omission(key, .denied)) }
        let keys = placeKeys.filter { !denyList.denies($0) }
        // A window without a navigator has one screen.
        if navigator == nil, !keys.isEmpty { archive.place = Place([.init(screen: "root")]) }
        for key in keys.reversed() {
            guard let value = content.placeValues[key] else { continue }
            var first = Place(archive.place?.steps.first.map { [$0] } ?? [])
            first.values[key] = value
            if let step = first.steps.first, step.size <= Place.maximumStepSize,
                StateArchive(references: archive.references, place: first).isWritable
            {
                archive.place?.steps[0] = step
            } else {
                omissions.insert(omission(key, .tooLarge))
                rest[key] = value
            }
        }
        return rest
    }

    private func add(
        _ navigator: any PlaceNavigator, to archive: inout StateArchive, _ indices: inout [ModelReference: Int],
        _ omissions: inout Set<Placekeeper.Omission>
    ) {
        // While an item of the restored place hasn't arrived, the complete place is saved again.
        let steps = waiting?.steps(ifShowing: navigator.placeSteps) ?? navigator.placeSteps
        let manifest = navigator.placeManifest
        if steps.count > Place.maximumStepCount { omissions.insert(omission("steps", .tooLarge)) }
        var place = Place([])
        for step in steps.prefix(Place.maximumStepCount) {
            let declared = manifest.route(named: step.screen)?.parameters ?? [:]
            var parameters = step.parameters
            for name in step.parameters.keys where denyList.denies(name, isDeclared: declared[name] != nil) {
                parameters[name] = nil
                omissions.insert(omission(name, of: step.screen, .denied))
            }
            let (references, known) = (archive.references, indices)
            let elements = step.elements.map(\.withoutUnwritableNames)
            let fitted = FittedStep(
                Place.Step(
                    screen: step.screen, title: step.title,
                    references: elements.map { archive.index(of: $0, &indices) }, parameters: parameters,
                    progress: step.progress),
                referenceCount: archive.references.count)
            for left in fitted.omissions {
                omissions.insert(
                    omission(left.name, of: step.screen, left.reason == .unwritable ? .unwritable : .tooLarge))
            }
            guard let saved = fitted.step,
                StateArchive(references: archive.references, place: Place([saved])).isWritable
            else {
                // Without this step, a later step would lead to a different screen.
                (archive.references, indices) = (references, known)
                omissions.insert(omission("steps", of: step.screen, fitted.step == nil ? .tooLarge : .unwritable))
                break
            }
            place.steps.append(saved)
        }
        if let address = navigator.placeWebAddress {
            if Place.isWebAddress(address) {
                place.webAddress = address
            } else {
                omissions.insert(omission("webAddress", .unwritable))
            }
        }
        if !place.steps.isEmpty { archive.place = place }
    }
}

extension StateArchive {
    /// Whether the archive can be written. Otherwise, a single value that can't be written, such as a text with too
    /// many combining marks, would prevent the whole state from being saved.
    var isWritable: Bool { (try? encoded()) != nil }

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
        let elements = archive.elements(of: place.steps[result.reached.count])
        let isGone = elements.contains { [.unresolved, .neighbor].contains($0.resolution?.step) }
        guard !elements.isEmpty, !isGone else { return nil }
        self.archive = archive
        self.shown = shown
        reached = (earlier?.reached ?? []) + place.steps.prefix(result.reached.count).map(archive.step)
        self.archive.place?.steps.removeFirst(result.reached.count)
    }

    /// The archive with the remaining steps. Nil if the user has navigated since.
    func rest(_ steps: [RouteStep]) -> StateArchive? { steps == shown ? archive : nil }

    /// The complete place. Nil if the user has navigated since.
    func steps(ifShowing steps: [RouteStep]) -> [RouteStep]? {
        guard steps == shown else { return nil }
        return reached + (archive.place?.steps ?? []).map(archive.step)
    }
}

extension StateArchive {
    fileprivate func elements(of step: Place.Step) -> [ModelReference] {
        step.references.compactMap { references.indices.contains($0) ? references[$0] : nil }
    }

    fileprivate func step(_ step: Place.Step) -> RouteStep {
        RouteStep(
            step.screen, title: step.title, elements: elements(of: step).map(\.withoutResolution),
            parameters: step.parameters.withoutPlaceValues, progress: step.progress)
    }
}
