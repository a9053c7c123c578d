/// Why a request was refused: the stable `code` of a problem document (RFC 9457), with its one status.
///
/// The table is the whole of it: `openapi.yaml` describes each code under `x-problems`, where `type` points.
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
    case throttled

    // Archives
    case sceneNameInvalid = "scene-name-invalid"
    case archiveNotFound = "archive-not-found"
    case archiveDiffers = "archive-differs"
    case archiveDeleted = "archive-deleted"
    case archiveUnreadable = "archive-unreadable"
    case archiveTooLarge = "archive-too-large"
    case idiomRequired = "idiom-required"
    case contextInvalid = "context-invalid"
    case contextContradicted = "context-contradicted"
    case interactionAgeOutOfRange = "interaction-age-out-of-range"
    case headMoved = "head-moved"
    case sceneForgotten = "scene-forgotten"
    case tooManyScenes = "too-many-scenes"
    case nothingStored = "nothing-stored"
    case nothingCompatible = "nothing-compatible"
    case outcomeNotServed = "outcome-not-served"
    case snapshotNotFound = "snapshot-not-found"
    case snapshotsOff = "snapshots-off"
    case snapshotTooLarge = "snapshot-too-large"
    case snapshotUnreadable = "snapshot-unreadable"

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

    // The service
    case internalError = "internal-error"
    case draining
    case overloaded
    case storeUnavailable = "store-unavailable"
    case storeFailed = "store-failed"
    case storeFull = "store-full"

    package var status: UInt16 { row.status }

    /// One short sentence, the same at every occurrence.
    package var title: String { row.title }

    private var row: (status: UInt16, title: String) {
        switch self {
        case .malformedRequest: (400, "The message is not sound HTTP")
        case .malformedPath: (400, "A part of the path is not in its form")
        case .malformedField: (400, "A field is not in its form")
        case .malformedQuery: (400, "A query parameter is not in its form")
        case .malformedJSON: (400, "The body is not JSON")
        case .malformedContentCoding: (400, "The body is not in its content coding")
        case .unauthorized: (401, "A valid device token is needed")
        case .notFound: (404, "There is no such thing")
        case .methodNotAllowed: (405, "The method is not for this path")
        case .requestTimeout: (408, "The request did not come whole in time")
        case .contentTooLarge: (413, "The body is over its limit")
        case .targetTooLong: (414, "The target is too long")
        case .unsupportedContentCoding: (415, "The content coding is unknown")
        case .expectationFailed: (417, "The expectation is unknown")
        case .invalidBody: (422, "A member of the body is missing or of the wrong type")
        case .fieldsTooLarge: (431, "The head is too large")
        case .notImplemented: (501, "The method or the transfer coding is not implemented")
        case .versionNotSupported: (505, "The version of HTTP is not supported")

        case .appUnknown: (422, "No app has this publishable key")
        case .deviceNotFound: (404, "There is no such device")
        case .deviceTextInvalid: (422, "A device's name or model is not in its form")
        case .linkCodeRequired: (403, "Devices of this app register with a link code")
        case .linkCodeInvalid: (422, "The link code is unknown, used or expired")
        case .tooManyDevices: (409, "The user has as many devices as a user may have")
        case .throttled: (429, "Too many attempts")

        case .sceneNameInvalid: (400, "The scene's name is not in its form")
        case .archiveNotFound: (404, "There is no such archive")
        case .archiveDiffers: (409, "Other bytes are stored under this id")
        case .archiveDeleted: (410, "The archive was deleted")
        case .archiveUnreadable: (422, "The body is no archive that can be read")
        case .archiveTooLarge: (413, "The archive is over its limit")
        case .idiomRequired: (422, "Neither archive nor query says what idiom it is of")
        case .contextInvalid: (422, "What it was made on, or is asked for, is not in its form")
        case .contextContradicted: (422, "The query contradicts the archive")
        case .interactionAgeOutOfRange: (422, "The interaction's age is out of range")
        case .headMoved: (412, "The scene has another head")
        case .sceneForgotten: (410, "The scene was forgotten after this was captured")
        case .tooManyScenes: (409, "Too many scenes of this user hold archives")
        case .nothingStored: (404, "Nothing is stored for this scene")
        case .nothingCompatible: (406, "Nothing that is stored may be restored here")
        case .outcomeNotServed: (409, "The device was not served this archive")
        case .snapshotNotFound: (404, "The archive has no snapshot")
        case .snapshotsOff: (403, "The app keeps no snapshots")
        case .snapshotTooLarge: (413, "The snapshot is over its limit")
        case .snapshotUnreadable: (422, "The body is neither PNG nor JPEG")

        case .dataSourceNameInvalid: (400, "The data source's name is not in its form")
        case .dataSourceUnknown: (404, "The app declared no such data source")
        case .dataSourceDiffers: (409, "The data source was declared otherwise")
        case .tooManyDataSources: (409, "The app has as many data sources as it may have")
        case .itemsNotRegistered: (409, "Nothing is registered of this data source")
        case .identifierInvalid: (422, "An identifier is not in its form")
        case .aliasInvalid: (422, "An alias is not in its form")
        case .tooManyAliases: (422, "An item has too many aliases")
        case .deltaTooLarge: (422, "Too many items at once")
        case .tooManyItems: (409, "The device registered as many items as it may")
        case .itemContradicted: (422, "An item is named twice")
        case .redirectLoops: (422, "A redirect leads back to itself")
        case .redirectTargetUnknown: (422, "A redirect leads to an item that is not registered")
        case .cursorStale: (409, "The registration is at another cursor")

        case .changesPruned: (410, "Changes after this revision are no longer kept")
        case .tooManyFollowers: (429, "Too many follow this user's changes")

        case .internalError: (500, "The service failed")
        case .draining: (503, "The service is about to stop")
        case .overloaded: (503, "The service has all that it can hold")
        case .storeUnavailable: (503, "The store cannot be reached")
        case .storeFailed: (503, "The store failed")
        case .storeFull: (507, "No room is left to store it")
        }
    }
}
