/// The codes of the service's problem documents (RFC 9457) that the client treats specially.
enum ProblemCode: String, CaseIterable {
    case unauthorized
    case linkCodeRequired = "link-code-required"
    case installationCloned = "installation-cloned"
    case installationCopied = "installation-copied"
    case throttled
    case overloaded
    case draining
    case nothingStored = "nothing-stored"
    case tooManyScenes = "too-many-scenes"
    case quotaExceeded = "quota-exceeded"
    case screenshotsOff = "screenshots-off"
    case dataSourceUnknown = "data-source-unknown"
    case dataSourceDiffers = "data-source-differs"
    case itemsNotRegistered = "items-not-registered"
    case cursorStale = "cursor-stale"
}
