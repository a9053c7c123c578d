package import PlacekeeperHTTP

/// Fields that only this service uses, and HTTP fields that only this layer sends.
extension FieldName {
    package static let captureSequence = FieldName("Capture-Sequence")
    package static let headRevision = FieldName("Head-Revision")
    package static let ifHead = FieldName("If-Head")
    package static let interactionAge = FieldName("Interaction-Age")
    package static let launchID = FieldName("Launch-Id")
    package static let countedLaunch = FieldName("Counted-Launch")
    package static let restoredFrom = FieldName("Restored-From")
    /// The id of the served archive.
    package static let servedArchive = FieldName("Placekeeper-Archive")
    /// The id of the device that captured the served archive.
    package static let servedDevice = FieldName("Placekeeper-Device")
    /// The code of the reason why the app may only offer the served archive.
    package static let caution = FieldName("Placekeeper-Caution")
    package static let csrfToken = FieldName("X-CSRF-Token")
    package static let fidelity = FieldName("Placekeeper-Fidelity")
    /// The number of references per resolution step, such as `exact=2, alias=1`.
    package static let references = FieldName("Placekeeper-References")
    /// The operator's setting for restoring, if it is not `auto`.
    package static let restoration = FieldName("Placekeeper-Restoration")
    package static let revision = FieldName("Placekeeper-Revision")
    package static let superseded = FieldName("Placekeeper-Superseded")

    package static let contentSecurityPolicy = FieldName("Content-Security-Policy")
    package static let contentTypeOptions = FieldName("X-Content-Type-Options")
    package static let rateLimit = FieldName("RateLimit")
    package static let rateLimitPolicy = FieldName("RateLimit-Policy")
    package static let referrerPolicy = FieldName("Referrer-Policy")
    package static let strictTransportSecurity = FieldName("Strict-Transport-Security")
}
