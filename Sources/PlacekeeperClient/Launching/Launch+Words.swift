import PlacekeeperModels

extension Placekeeper.Reason: CustomStringConvertible {
    /// A sentence for a log, with the two compared values. An unknown code appears as it is.
    public var description: String {
        let sentence = Self.sentences[code] ?? "The reason is \(code.rawValue)."
        let values = [archive.map { "of the state: \($0)" }, required.map { "of this device: \($0)" }].compactMap { $0 }
        return values.isEmpty ? sentence : "\(sentence) (\(values.joined(separator: ", ")))"
    }

    /// The sentences for all known codes: the client's own, and the service's reasons and errors.
    static let sentences: [Code: String] = [
        .ownState: "This device's own state is restored, and no newer place is known.",
        .freshInstallation: "The scene was never used on this device, so the state of another device is restored.",
        .otherDevice: "Another device's place is newer, so it is offered.",
        .alreadyOffered:
            "Another device's place is the latest, and it was restored, taken or dismissed on this device before.",
        .behind:
            "Another device's place is newer, but behind this device's place in the same item, so it is not offered.",
        .overtaken: "The user moved on before the state arrived, so it is only offered.",
        .superseded: "A newer state may not be restored on this device, so an older one is restored or offered.",
        .deadline: "The service did not answer before the deadline, so this device decides alone.",
        .offline: "The service cannot be reached, so this device decides alone.",
        .nothingStored: "Nothing is stored.",
        .crashed:
            "The app died soon after restoring the state, this version crashed often, or the user discarded the state.",
        .restorationOff: "The operator turned restoration off.",
        .restorationOffered: "The operator lets the app only offer states, and not restore them without asking.",
        .locked: "The device is locked, so nothing can be read.",
        .processIsExtension: "An extension cannot launch scenes.",
        .answerUnreadable: "The service's answer cannot be read.",
        .unreadable: "The state cannot be read.",
        .incompatible: "The state is not compatible with this device.",
        Code(rawValue: "busy"): "The service is busy, so this device decides alone.",
        Code(rawValue: "app-unknown"): "The service does not know the app's key.",
        Code(rawValue: "sign-in-required"): "The user must sign in first, so this device decides alone.",
        Code(rawValue: "not-registered"): "Nobody is signed in, so this device decides alone.",
        Code(rawValue: "device-unknown"): "The service at its new address does not know this device.",
        Code(rawValue: "scene-name-invalid"): "The scene's name is not valid.",
        Code(rawValue: "storage-failed"): "The client cannot read or write a file.",
        Code(rawValue: "idiom-not-accepted"): "Another kind of device saved the state.",
        Code(rawValue: "layout-differs"): "A device with another layout saved the state.",
        Code(rawValue: "platform-differs"): "A device of another platform saved the state.",
        Code(rawValue: "state-version-newer"): "The state's version is newer than this device accepts.",
        Code(rawValue: "state-version-differs"): "The state's version differs from this device's.",
        Code(rawValue: "bundle-version-newer"): "A newer version of the app saved the state.",
        Code(rawValue: "bundle-version-below-minimum"): "The version of the app that saved the state is too old.",
        Code(rawValue: "system-version-newer"): "A newer version of the system saved the state.",
        Code(rawValue: "too-old"): "The state is too old.",
        Code(rawValue: "no-place"): "Only the place may be restored here, but the state has no place.",
        Code(rawValue: "place-not-allowed"): "Only the place may be restored here, but the operator does not allow it.",
        Code(rawValue: "quarantined"):
            "A restore of the state failed or crashed on a device with this idiom and version.",
        .crashedElsewhere: "Restoring this state crashed the app on another device, so it is only offered.",
        Code(rawValue: "abandoned"): "The user discarded the state on this device.",
        Code(rawValue: "restores-stopped"): "The operator or the service stopped restores of this version.",
    ]
}

extension Served: CustomStringConvertible {
    /// A sentence for a log, without the content of the state.
    package var description: String {
        let part =
            switch fidelity {
            case .full: "The full state"
            case .place: "The place"
            case .none: "No part"
            }
        let device = isOwn ? "this device" : "another device"
        let stored = revision.map { "revision \($0)" } ?? "not sent yet"
        return "\(part) of the archive \(id) of \(device), in the scene \(scene) (\(stored))."
    }
}
