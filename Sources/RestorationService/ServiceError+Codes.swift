extension ServiceError.Code {
    // What was asked for is not there, or is not the caller's.
    package static let appUnknown = Self(rawValue: "app-unknown")
    package static let archiveNotFound = Self(rawValue: "archive-not-found")
    package static let deviceNotFound = Self(rawValue: "device-not-found")
    package static let archiveDeleted = Self(rawValue: "archive-deleted")

    // What was given is not valid.
    package static let bundleIdentifierInvalid = Self(rawValue: "bundle-identifier-invalid")
    package static let settingsInvalid = Self(rawValue: "settings-invalid")
    package static let deviceTextInvalid = Self(rawValue: "device-text-invalid")
    package static let sceneNameInvalid = Self(rawValue: "scene-name-invalid")
    package static let idiomRequired = Self(rawValue: "idiom-required")
    package static let contextInvalid = Self(rawValue: "context-invalid")
    /// The query and the archive say different things; `details` has both.
    package static let contextContradicted = Self(rawValue: "context-contradicted")
    package static let interactionAgeOutOfRange = Self(rawValue: "interaction-age-out-of-range")
    /// `details`: the `reason`'s code and the byte `offset`.
    package static let archiveUnreadable = Self(rawValue: "archive-unreadable")
    package static let archiveTooLarge = Self(rawValue: "archive-too-large")
    package static let snapshotTooLarge = Self(rawValue: "snapshot-too-large")
    package static let snapshotUnreadable = Self(rawValue: "snapshot-unreadable")
    /// Unknown, used or expired: which of these is not told.
    package static let linkCodeInvalid = Self(rawValue: "link-code-invalid")
    package static let tooManyDevices = Self(rawValue: "too-many-devices")
    package static let tooManyScenes = Self(rawValue: "too-many-scenes")

    // Of data sources and their items; `details` names the `member` of the delta.
    package static let dataSourceUnknown = Self(rawValue: "data-source-unknown")
    package static let dataSourceNameInvalid = Self(rawValue: "data-source-name-invalid")
    package static let dataSourceDiffers = Self(rawValue: "data-source-differs")
    package static let tooManyDataSources = Self(rawValue: "too-many-data-sources")
    package static let itemsNotRegistered = Self(rawValue: "items-not-registered")
    package static let identifierInvalid = Self(rawValue: "identifier-invalid")
    package static let aliasInvalid = Self(rawValue: "alias-invalid")
    package static let tooManyAliases = Self(rawValue: "too-many-aliases")
    package static let deltaTooLarge = Self(rawValue: "delta-too-large")
    package static let tooManyItems = Self(rawValue: "too-many-items")
    package static let itemContradicted = Self(rawValue: "item-contradicted")
    package static let redirectLoops = Self(rawValue: "redirect-loops")
    package static let redirectTargetUnknown = Self(rawValue: "redirect-target-unknown")
    /// `details`: `cursor` and `digest` of what is registered.
    package static let cursorStale = Self(rawValue: "cursor-stale")
    package static let linkInvalid = Self(rawValue: "link-invalid")
    package static let tooManyLinks = Self(rawValue: "too-many-links")
    /// Who asks was revoked, or moved to another user, meanwhile.
    package static let callerGone = Self(rawValue: "unauthorized")

    // What was asked for is not allowed, or not now.
    package static let appExists = Self(rawValue: "app-exists")
    package static let linkCodeRequired = Self(rawValue: "link-code-required")
    package static let snapshotsOff = Self(rawValue: "snapshots-off")
    package static let outcomeNotServed = Self(rawValue: "outcome-not-served")
    package static let throttled = Self(rawValue: "throttled")
    package static let tooManyFollowers = Self(rawValue: "too-many-followers")
    /// Too many requests that take long are waiting.
    package static let overloaded = Self(rawValue: "overloaded")

    // The store could not.
    package static let storeUnavailable = Self(rawValue: "store-unavailable")
    package static let storeFull = Self(rawValue: "store-full")
    package static let storeFailed = Self(rawValue: "store-failed")
}

extension ServiceError {
    /// The store's error as callers may see it.
    init(_ error: StoreError) {
        let cause = error.description
        switch error.code {
        case .unavailable:
            self.init(
                .storeUnavailable, "The store cannot be reached now.", retryAfter: .seconds(1), cause: cause)
        case .full: self.init(.storeFull, "The store has no room left.", cause: cause)
        default: self.init(.storeFailed, "The store failed.", cause: cause)
        }
    }
}
