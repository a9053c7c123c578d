extension Reason {
    /// The code of a reason. Codes are stable, because apps and people rely on them.
    package struct Code: RawRepresentable, Sendable, Hashable {
        package var rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The policy doesn't accept full states of the archive's idiom. `required` lists the idioms it accepts.
        package static let idiomNotAccepted = Code(rawValue: "idiom-not-accepted")
        package static let layoutDiffers = Code(rawValue: "layout-differs")
        /// The archive is from another platform, and it or the requesting device has no state version.
        package static let platformDiffers = Code(rawValue: "platform-differs")
        package static let stateVersionDiffers = Code(rawValue: "state-version-differs")
        package static let stateVersionNewer = Code(rawValue: "state-version-newer")
        package static let bundleVersionNewer = Code(rawValue: "bundle-version-newer")
        package static let bundleVersionBelowMinimum = Code(rawValue: "bundle-version-below-minimum")
        package static let systemVersionNewer = Code(rawValue: "system-version-newer")
        /// The archive is older than the policy's maximum age. `archive` and `required` are in seconds.
        package static let tooOld = Code(rawValue: "too-old")
        package static let noPlace = Code(rawValue: "no-place")
        package static let placeNotAllowed = Code(rawValue: "place-not-allowed")
        /// A restore of the archive failed. `archive` is the result in the outcome of that restore.
        package static let quarantined = Code(rawValue: "quarantined")
        /// A restore of the archive crashed on another device. The requesting device made the archive and has shown its
        /// state. `archive` is the result in the other device's outcome.
        package static let crashedElsewhere = Code(rawValue: "crashed-elsewhere")
        /// The user discarded the state on the requesting device.
        package static let abandoned = Code(rawValue: "abandoned")
        /// The app's settings stop restores of archives with this bundle version on the requesting device's bundle
        /// version and idiom.
        package static let restoresStopped = Code(rawValue: "restores-stopped")

        package static let all: [Code] = [
            idiomNotAccepted, layoutDiffers, platformDiffers, stateVersionDiffers, stateVersionNewer,
            bundleVersionNewer, bundleVersionBelowMinimum, systemVersionNewer, tooOld, noPlace, placeNotAllowed,
            quarantined, crashedElsewhere, abandoned, restoresStopped,
        ]
    }

    init(
        _ code: Code, archive: String? = nil, required: String? = nil, blocks: Block,
        details: Outcome.Details = Outcome.Details()
    ) {
        self.init(code: code.rawValue, archive: archive, required: required, blocks: blocks, details: details)
    }
}
