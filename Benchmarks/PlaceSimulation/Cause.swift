/// The reason why a launch with known work leads elsewhere, or nowhere. docs/right-place.md explains each cause.
enum Cause: String, Sendable, CaseIterable {
    /// After the work, a notification opened another place while the app stayed in the foreground.
    case viewOnlyCaptureAfterWork = "a view-only capture after work, without leaving the app"
    /// Two phones use one registration, because one was restored from a backup with the client's files.
    case sharedRegistration = "two devices with one registration"
    /// A device on which nothing was restored saved a state without an interaction, after the work.
    case nothingRestored = "a state without work on a device that restored nothing"
    /// The process died repeatedly within 30 seconds of restoring the work, so the client does not restore it again.
    case diedRepeatedly = "processes that died soon after the launch"
    /// None of the above.
    case unexplained = "unexplained"
}

/// A launch with known work at which Placekeeper leads elsewhere, or nowhere.
struct Case: Sendable {
    var cause: Cause
    var user: Int
    var day: Int
    var device: Int
    var text: String
}

/// The last work of a person: the place to which a launch should lead.
struct Work: Sendable {
    var saved: Saved
    var device: Int
    var at: Double
    /// Whether the device has had a connection since.
    var isSent = false
    /// The devices on which the person dismissed the offer of this work.
    var dismissedOn: Set<Int> = []
    /// What has happened since that can lead a launch elsewhere.
    var followers: Set<Cause> = []

    var spot: Spot? { saved.screen.spot }

    /// The cause of a wrong launch.
    /// - Parameter shares: whether the device of the launch, or of the work, shares its registration.
    func cause(shares: Bool) -> Cause {
        if followers.contains(.viewOnlyCaptureAfterWork) { return .viewOnlyCaptureAfterWork }
        if shares { return .sharedRegistration }
        if followers.contains(.diedRepeatedly) { return .diedRepeatedly }
        return followers.contains(.nothingRestored) ? .nothingRestored : .unexplained
    }
}
