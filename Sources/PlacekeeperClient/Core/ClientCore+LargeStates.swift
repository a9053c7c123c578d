import PlacekeeperArchive
import PlacekeeperModels

// States above the service's limit: this device keeps the whole state, and the service gets only the place and the
// references.
extension ClientCore {
    /// Returns the part of a state that this device keeps, and records whether the service gets less. Returns `nil` if
    /// not even the place can be sent.
    func fitted(
        _ archive: StateArchive, _ bytes: [UInt8], in scene: String
    ) -> (archive: StateArchive, bytes: [UInt8])? {
        var kept = (archive: archive, bytes: bytes)
        let isLarge = bytes.count > SceneFolder.sentStateLimit
        if isLarge {
            guard let place = archive.placeOnly(within: SceneFolder.sentStateLimit, mayDropValues: true) else {
                loseState(
                    of: scene, .init(.stateRefused, "The place has more than \(SceneFolder.sentStateLimit) bytes."))
                return nil
            }
            if bytes.count > SceneFolder.keptStateLimit { kept = place }
        }
        note(isLarge && !kept.archive.isPlaceOnly, "state", .notSent, in: scene)
        note(isLarge && kept.archive.isPlaceOnly, "state", .tooLarge, in: scene)
        return kept
    }

    /// Returns a state whose place is within the limits of the format, and records the omissions. A step that is too
    /// large keeps its screen and its items, but loses its largest values.
    /// - Returns: The state, and whether nothing was left out.
    func fittingSteps(of archive: StateArchive, in scene: String) -> (StateArchive, isWhole: Bool) {
        var (fitted, omissions): (StateArchive, Set<Placekeeper.Omission>) = (archive, [])
        var room = Place.maximumSize
        for (index, step) in (archive.place?.steps ?? []).enumerated() {
            let part = FittedStep(step, referenceCount: archive.references.count, room: room)
            for left in part.omissions {
                omissions.insert(
                    .init(
                        scene: scene, screen: step.screen, name: left.name,
                        reason: left.reason == .unwritable ? .unwritable : .tooLarge))
            }
            guard let kept = part.step, index < Place.maximumStepCount else {
                // Without this step, a later step would lead to another screen.
                fitted.place?.steps.removeSubrange(index...)
                if index == 0 { fitted.place = nil }
                omissions.insert(.init(scene: scene, screen: step.screen, name: "steps", reason: .tooLarge))
                break
            }
            fitted.place?.steps[index] = kept
            room -= kept.size
        }
        noteSteps(omissions, in: scene)
        return (fitted, omissions.isEmpty)
    }

    /// Returns the bytes to send for a stored state. Sending a state again sends the same bytes.
    static func sentBytes(of bytes: [UInt8]) -> [UInt8] {
        guard bytes.count > SceneFolder.sentStateLimit else { return bytes }
        // The service rejects an empty state.
        return StateArchive(kept: bytes)?.placeOnly(within: SceneFolder.sentStateLimit, mayDropValues: true)?.bytes
            ?? []
    }

    /// If the service has only the place of a state, uses the whole state that this device keeps, if it keeps one.
    func completeLargeState(_ served: inout Served) {
        if let kept = try? scenes[served.scene].flatMap({ try newest(in: $0.folder) }),
            kept.capture.archive == served.id, let whole = StateArchive(kept: kept.bytes)
        {
            (served.archive, served.bytes) = (whole, kept.bytes)
        }
        served.fidelity = served.context.fidelity(for: served.archive, served: served.fidelity)
    }
}

extension StateArchive {
    /// Reads a state that this device kept or the service served. Returns `nil` if it is damaged or too large.
    init?(kept bytes: [UInt8]) {
        try? self.init(reading: bytes, limits: .init(maximumByteCount: SceneFolder.keptStateLimit))
    }
}

extension RestorationContext {
    /// Returns the part of a kept state that may be restored without the service, or why no part may be restored.
    /// - Parameter served: The fidelity that the service allowed for another device's state. Ignored if this device has
    ///   since returned to an older version of the app or the system.
    func keptFidelity(
        for archive: StateArchive, served: String?
    ) -> (fidelity: RestorationFidelity, fault: Placekeeper.Reason?) {
        if let conflict = versionConflict(with: archive) {
            let part = conflict.blocksPlace ? RestorationFidelity.none : fidelity(for: archive, served: .place)
            return (part, part == .none ? Placekeeper.Reason(conflict) : nil)
        }
        let part = fidelity(for: archive, served: served.flatMap(RestorationFidelity.init(rawValue:)))
        guard part == .none else { return (part, nil) }
        return (part, archive.isPlaceOnly ? Placekeeper.Reason.noPlace : Placekeeper.Reason(.incompatible))
    }
}

extension Placekeeper.Reason {
    fileprivate init(_ conflict: VersionConflict) {
        self.init(.init(rawValue: conflict.code), archive: conflict.archive, required: conflict.required)
    }

    /// Only the place of the state may be restored, but it has none.
    static let noPlace = Self(.init(rawValue: "no-place"))
}
