/// The stable `code` of a problem document (RFC 9457), with its status and title.
///
/// `openapi.yaml` lists the same codes under `x-problems`. A problem's `type` is a link to its entry in this list.
package enum ProblemCode: String, Sendable, Hashable, CaseIterable {
    // The request itself
    case malformedRequest = "malformed-request"
    case malformedPath = "malformed-path"
    case malformedField = "malformed-field"
    case malformedQuery = "malformed-query"
    case malformedJSON = "malformed-json"
    case malformedContentCoding = "malformed-content-coding"
    case unauthorized
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case requestTimeout = "request-timeout"
    case contentTooLarge = "content-too-large"
    case targetTooLong = "target-too-long"
    case unsupportedContentCoding = "unsupported-content-coding"
    case unsupportedMediaType = "unsupported-media-type"
    case expectationFailed = "expectation-failed"
    case invalidBody = "invalid-body"
    case fieldsTooLarge = "fields-too-large"
    case notImplemented = "not-implemented"
    case versionNotSupported = "version-not-supported"

    // Devices
    case appUnknown = "app-unknown"
    case deviceNotFound = "device-not-found"
    case deviceTextInvalid = "device-text-invalid"
    case linkCodeRequired = "link-code-required"
    case linkCodeInvalid = "link-code-invalid"
    case tooManyDevices = "too-many-devices"
    case installationInvalid = "installation-invalid"
    case installationCloned = "installation-cloned"
    case installationCopied = "installation-copied"
    case signInRequired = "sign-in-required"
    case signInTokenInvalid = "sign-in-token-invalid"
    case signedIn = "signed-in"
    case notSignedIn = "not-signed-in"
    case readOnly = "read-only"
    case throttled

    // Archives
    case sceneNameInvalid = "scene-name-invalid"
    case archiveNotFound = "archive-not-found"
    case archiveDiffers = "archive-differs"
    case archiveDeleted = "archive-deleted"
    case archiveUnreadable = "archive-unreadable"
    case archiveNotInspectable = "archive-not-inspectable"
    case archiveTooLarge = "archive-too-large"
    case placeUnavailable = "place-unavailable"
    case idiomRequired = "idiom-required"
    case contextInvalid = "context-invalid"
    case contextContradicted = "context-contradicted"
    case headMoved = "head-moved"
    case sceneForgotten = "scene-forgotten"
    case tooManyScenes = "too-many-scenes"
    case quotaExceeded = "quota-exceeded"
    case nothingStored = "nothing-stored"
    case nothingCompatible = "nothing-compatible"
    case outcomeInvalid = "outcome-invalid"
    case outcomeNotServed = "outcome-not-served"
    case screenshotNotFound = "screenshot-not-found"
    case screenshotsOff = "screenshots-off"
    case screenshotTooLarge = "screenshot-too-large"
    case screenshotUnreadable = "screenshot-unreadable"

    // Data sources
    case dataSourceNameInvalid = "data-source-name-invalid"
    case dataSourceUnknown = "data-source-unknown"
    case dataSourceDiffers = "data-source-differs"
    case tooManyDataSources = "too-many-data-sources"
    case itemsNotRegistered = "items-not-registered"
    case identifierInvalid = "identifier-invalid"
    case aliasInvalid = "alias-invalid"
    case tooManyAliases = "too-many-aliases"
    case deltaTooLarge = "delta-too-large"
    case tooManyItems = "too-many-items"
    case itemContradicted = "item-contradicted"
    case redirectLoops = "redirect-loops"
    case redirectTargetUnknown = "redirect-target-unknown"
    case cursorStale = "cursor-stale"

    // Changes
    case changesPruned = "changes-pruned"
    case tooManyFollowers = "too-many-followers"

    // Administrators
    case notLoggedIn = "not-logged-in"
    case logInRefused = "log-in-refused"
    case secondFactorRequired = "second-factor-required"
    case setUpRefused = "set-up-refused"
    case roleInsufficient = "role-insufficient"
    case csrfTokenInvalid = "csrf-token-invalid"
    case originNotAllowed = "origin-not-allowed"
    case sessionNotFound = "session-not-found"
    case administratorNotFound = "administrator-not-found"
    case administratorExists = "administrator-exists"
    case lastOwner = "last-owner"
    case tokenNotFound = "token-not-found"
    case appNotFound = "app-not-found"
    case appExists = "app-exists"
    case bundleIdentifierInvalid = "bundle-identifier-invalid"
    case settingsInvalid = "settings-invalid"
    case settingsChanged = "settings-changed"
    case preconditionRequired = "precondition-required"
    case userNotFound = "user-not-found"
    case contentsHidden = "contents-hidden"
    case itemNotFound = "item-not-found"
    case linkInvalid = "link-invalid"
    case tooManyLinks = "too-many-links"
    case decisionNotFound = "decision-not-found"
    case undoRefused = "undo-refused"

    // The service
    case internalError = "internal-error"
    case draining
    case overloaded
    case storeUnavailable = "store-unavailable"
    case storeFailed = "store-failed"
    case storeFull = "store-full"

    package var status: UInt16 { row.status }

    /// A short sentence about what failed, the same for every problem with this code.
    package var title: String { row.title }

    private var row: (status: UInt16, title: String) {
        switch self {
        case .malformedRequest: (400, "The message is not valid HTTP")
        case .malformedPath: (400, "A part of the path is malformed")
        case .malformedField: (400, "A header field is malformed")
        case .malformedQuery: (400, "A query parameter is malformed")
        case .malformedJSON: (400, "The body is not valid JSON")
        case .malformedContentCoding: (400, "The body does not match its content coding")
        case .unauthorized: (401, "A valid device token is required")
        case .notFound: (404, "The resource does not exist")
        case .methodNotAllowed: (405, "The path does not support this method")
        case .requestTimeout: (408, "The request was not complete in time")
        case .contentTooLarge: (413, "The body exceeds its size limit")
        case .targetTooLong: (414, "The request target is too long")
        case .unsupportedContentCoding: (415, "The content coding is not supported")
        case .unsupportedMediaType: (415, "The media type of the body is not supported")
        case .expectationFailed: (417, "The expectation is not supported")
        case .invalidBody: (422, "A member of the body is missing or invalid")
        case .fieldsTooLarge: (431, "The header section is too large")
        case .notImplemented: (501, "The method or the transfer coding is not implemented")
        case .versionNotSupported: (505, "The HTTP version is not supported")

        case .appUnknown: (422, "No app has this publishable key")
        case .deviceNotFound: (404, "The device does not exist")
        case .deviceTextInvalid: (422, "A text that describes the device is invalid")
        case .linkCodeRequired: (403, "Devices of this app need a link code to register")
        case .linkCodeInvalid: (422, "The link code is unknown, used or expired")
        case .tooManyDevices: (409, "The user has the maximum number of devices")
        case .installationInvalid: (422, "The installation's secret is invalid")
        case .installationCloned: (409, "The installation is registered with another secret")
        case .installationCopied: (401, "Another device uses the identity of the installation")
        case .signInRequired: (403, "Registering takes a sign-in token")
        case .signInTokenInvalid: (401, "The sign-in token is not valid")
        case .signedIn: (409, "The device is signed in to an account")
        case .notSignedIn: (409, "The device is not signed in to an account")
        case .readOnly: (403, "The token allows only reading")
        case .throttled: (429, "Too many attempts")

        case .sceneNameInvalid: (400, "The scene's name is invalid")
        case .archiveNotFound: (404, "The archive does not exist")
        case .archiveDiffers: (409, "A different archive is stored under this id")
        case .archiveDeleted: (410, "The archive was deleted")
        case .archiveUnreadable: (422, "The body is not a readable keyed archive")
        case .archiveNotInspectable: (422, "The archive's state cannot be shown")
        case .archiveTooLarge: (413, "The archive exceeds its size limit")
        case .placeUnavailable: (406, "The archive has no place that can be sent as JSON")
        case .idiomRequired: (422, "An idiom is required")
        case .contextInvalid: (422, "The context of the archive or of the request is invalid")
        case .contextContradicted: (422, "The query contradicts the archive")
        case .headMoved: (412, "The scene's head has changed")
        case .sceneForgotten: (410, "The scene was forgotten after the archive was captured")
        case .tooManyScenes: (409, "The user has the maximum number of scenes with archives")
        case .quotaExceeded: (409, "A quota of the app or of the user is used up")
        case .nothingStored: (404, "The scene has no archives")
        case .nothingCompatible: (406, "No stored archive may be restored here")
        case .outcomeInvalid: (422, "The launch id or a detail of the outcome is invalid")
        case .outcomeNotServed: (409, "The device was not served this archive")
        case .screenshotNotFound: (404, "The archive has no screenshot")
        case .screenshotsOff: (403, "Screenshots are turned off for this app")
        case .screenshotTooLarge: (413, "The screenshot exceeds its size limit")
        case .screenshotUnreadable: (422, "The body is neither PNG nor JPEG")

        case .dataSourceNameInvalid: (400, "The data source's name is invalid")
        case .dataSourceUnknown: (404, "The app has not declared this data source")
        case .dataSourceDiffers: (409, "The data source is declared differently")
        case .tooManyDataSources: (409, "The app has the maximum number of data sources")
        case .itemsNotRegistered: (409, "The data source accepts no items")
        case .identifierInvalid: (422, "An identifier is invalid")
        case .aliasInvalid: (422, "An alias is invalid")
        case .tooManyAliases: (422, "An item has too many aliases")
        case .deltaTooLarge: (422, "The request has too many items")
        case .tooManyItems: (409, "The device has the maximum number of items")
        case .itemContradicted: (422, "An item is named twice")
        case .redirectLoops: (422, "The redirects form a loop")
        case .redirectTargetUnknown: (422, "The target of a redirect is not registered")
        case .cursorStale: (409, "The cursor does not match the registration")

        case .changesPruned: (410, "Changes after this revision are not available")
        case .tooManyFollowers: (429, "The user or the app has the maximum number of event streams")

        case .notLoggedIn: (401, "A log-in or an API token is required")
        case .logInRefused: (401, "The log-in was refused")
        case .secondFactorRequired: (401, "A code of the second factor is required")
        case .setUpRefused: (403, "The set-up link is not valid")
        case .roleInsufficient: (403, "The role does not allow the request")
        case .csrfTokenInvalid: (403, "The CSRF token is missing or wrong")
        case .originNotAllowed: (403, "The request comes from another origin")
        case .sessionNotFound: (404, "The session does not exist")
        case .administratorNotFound: (404, "The administrator does not exist")
        case .administratorExists: (409, "An administrator has this name")
        case .lastOwner: (409, "The service needs an owner")
        case .tokenNotFound: (404, "The API token does not exist")
        case .appNotFound: (404, "The app does not exist")
        case .appExists: (409, "An app has this bundle identifier")
        case .bundleIdentifierInvalid: (422, "The bundle identifier is invalid")
        case .settingsInvalid: (422, "The settings are invalid")
        case .settingsChanged: (412, "The settings were changed")
        case .preconditionRequired: (428, "The request needs a precondition")
        case .userNotFound: (404, "The user does not exist")
        case .contentsHidden: (403, "The app hides the contents of archives")
        case .itemNotFound: (404, "The item does not exist")
        case .linkInvalid: (422, "The decision is invalid")
        case .tooManyLinks: (409, "The data source has the maximum number of decisions")
        case .decisionNotFound: (404, "The decision does not exist")
        case .undoRefused: (409, "The deletion can no longer be undone")

        case .internalError: (500, "The service failed because of an internal error")
        case .draining: (503, "The service is shutting down")
        case .overloaded: (503, "The service is overloaded")
        case .storeUnavailable: (503, "The store is unavailable")
        case .storeFailed: (503, "The store failed")
        case .storeFull: (507, "The store is full")
        }
    }
}
