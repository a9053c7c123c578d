extension Reason {
    /// The reason as a clause about the archive, such as "its layout differs". For display only: the wording may
    /// change, so programs should use the code. Values come from devices, so escape them where you show them.
    package var text: String {
        let (saved, own) = (archive ?? "none", required ?? "none")
        return switch Code(rawValue: code) {
        case .idiomNotAccepted:
            // The accepted idioms are separated by ", ".
            "it is from a \(saved), not from a \(own.split(separator: ",").joined(separator: " or"))"
        case .layoutDiffers: "its layout differs"
        case .platformDiffers: "it is from another platform (\(saved)) and has no state version to compare"
        case .stateVersionNewer: "its state version \(saved) is newer than \(own)"
        case .stateVersionDiffers: "its state version is \(saved), not \(own)"
        case .bundleVersionNewer: "its bundle version \(saved) is newer than \(own)"
        case .bundleVersionBelowMinimum:
            "its bundle version \(saved) is below the minimum" + (required.map { " \($0)" } ?? "")
        case .systemVersionNewer: "its system version \(saved) is newer than \(own)"
        case .tooOld:
            if let age = Self.age(archive), let maximum = Self.age(required) {
                "it is \(age) old, and at most \(maximum) is allowed"
            } else {
                "it is too old"
            }
        case .noPlace: "it has no place"
        case .placeNotAllowed: "the app's policy allows no place"
        case .quarantined: "it is quarantined, since a restore of it \(failure)"
        case .crashedElsewhere: "a restore of it crashed on another device with this idiom and version"
        case .abandoned: "the user discarded it on this device"
        case .restoresStopped: "restores from version \(saved) to \(own) are stopped"
        default: code
        }
    }

    /// How the restore ended that quarantined the archive. `began` means that its end was never reported.
    private var failure: String {
        switch archive {
        case "crashed": "crashed"
        case "failed": "failed"
        case "began": "never finished"
        default: "failed or crashed"
        }
    }

    private static func age(_ seconds: String?) -> String? {
        seconds.flatMap { Int64($0) }.map { Duration.seconds($0).inLargestUnit }
    }

    /// A reason as the restore log recorded it. The log keeps only the code, so the values are taken from the two
    /// contexts.
    package init(logged code: String, of archive: Context, for device: Context) {
        let values: (String?, String?) =
            switch Code(rawValue: code) {
            case .idiomNotAccepted, .platformDiffers: (archive.idiom.name, device.idiom.name)
            case .stateVersionNewer, .stateVersionDiffers:
                (archive.stateVersion.map { "\($0)" }, device.stateVersion.map { "\($0)" })
            case .bundleVersionNewer, .restoresStopped: (archive.bundleVersion, device.bundleVersion)
            case .bundleVersionBelowMinimum: (archive.bundleVersion, nil)
            case .systemVersionNewer: (archive.systemVersion, device.systemVersion)
            default: (nil, nil)
            }
        self.init(code: code, archive: values.0, required: values.1, blocks: .place)
    }
}

extension Duration {
    /// The duration in its largest unit, rounded down, such as `3 min`.
    package var inLargestUnit: String {
        let seconds = max(components.seconds, 0)
        let units: [(Int64, String)] = [(86_400, "days"), (3600, "h"), (60, "min")]
        return units.first { seconds >= 2 * $0.0 || ($0.0 < 86_400 && seconds >= $0.0) }
            .map { "\(seconds / $0.0) \($0.1)" } ?? "\(seconds) s"
    }
}
