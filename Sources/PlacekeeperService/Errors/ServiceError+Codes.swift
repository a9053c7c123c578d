package import PlacekeeperCore

extension ServiceError.Code {
    // The resource doesn't exist or belongs to another user.
    package static let appUnknown = Self(rawValue: "app-unknown")
    package static let archiveNotFound = Self(rawValue: "archive-not-found")
    package static let deviceNotFound = Self(rawValue: "device-not-found")
    package static let archiveDeleted = Self(rawValue: "archive-deleted")

    // The request is not valid.
    package static let bundleIdentifierInvalid = Self(rawValue: "bundle-identifier-invalid")
    package static let settingsInvalid = Self(rawValue: "settings-invalid")
    package static let deviceTextInvalid = Self(rawValue: "device-text-invalid")
    package static let sceneNameInvalid = Self(rawValue: "scene-name-invalid")
    package static let idiomRequired = Self(rawValue: "idiom-required")
    package static let contextInvalid = Self(rawValue: "context-invalid")
    /// The values in the query and in the archive differ. `details` contains both.
    package static let contextContradicted = Self(rawValue: "context-contradicted")
    /// `details` contains the code of the `reason` and the byte `offset` in the archive.
    package static let archiveUnreadable = Self(rawValue: "archive-unreadable")
    /// The archive was accepted, but its state can't be displayed. `details` as for `archiveUnreadable`.
    package static let archiveNotInspectable = Self(rawValue: "archive-not-inspectable")
    package static let archiveTooLarge = Self(rawValue: "archive-too-large")
    package static let screenshotTooLarge = Self(rawValue: "screenshot-too-large")
    package static let screenshotUnreadable = Self(rawValue: "screenshot-unreadable")
    /// The link code is unknown, expired, or used by another device. The error doesn't reveal which.
    package static let linkCodeInvalid = Self(rawValue: "link-code-invalid")
    package static let installationInvalid = Self(rawValue: "installation-invalid")
    /// The installation was registered with a different secret.
    package static let installationCloned = Self(rawValue: "installation-cloned")
    /// Another device uses the identity of the installation.
    package static let installationCopied = Self(rawValue: "installation-copied")
    /// The error doesn't reveal why the token is invalid.
    package static let signInTokenInvalid = Self(rawValue: "sign-in-token-invalid")
    package static let tooManyDevices = Self(rawValue: "too-many-devices")
    package static let tooManyScenes = Self(rawValue: "too-many-scenes")
    /// `details` contains the name of the `quota`, its `limit`, and the amount `used`.
    package static let quotaExceeded = Self(rawValue: "quota-exceeded")

    // Data sources and their items. The error's `member` is the path to the invalid member of the delta.
    package static let dataSourceUnknown = Self(rawValue: "data-source-unknown")
    package static let dataSourceNameInvalid = Self(rawValue: "data-source-name-invalid")
    /// A member of the declaration is invalid.
    package static let declarationInvalid = Self(rawValue: "invalid-body")
    package static let dataSourceDiffers = Self(rawValue: "data-source-differs")
    package static let tooManyDataSources = Self(rawValue: "too-many-data-sources")
    /// `details` contains the data source's name as `dataSource`.
    package static let itemsNotRegistered = Self(rawValue: "items-not-registered")
    package static let identifierInvalid = Self(rawValue: "identifier-invalid")
    package static let aliasInvalid = Self(rawValue: "alias-invalid")
    package static let tooManyAliases = Self(rawValue: "too-many-aliases")
    package static let deltaTooLarge = Self(rawValue: "delta-too-large")
    package static let tooManyItems = Self(rawValue: "too-many-items")
    package static let itemContradicted = Self(rawValue: "item-contradicted")
    package static let redirectLoops = Self(rawValue: "redirect-loops")
    package static let redirectTargetUnknown = Self(rawValue: "redirect-target-unknown")
    /// `details` contains the registration's `cursor` and the `digest` of the registered items.
    package static let cursorStale = Self(rawValue: "cursor-stale")
    package static let linkInvalid = Self(rawValue: "link-invalid")
    package static let tooManyLinks = Self(rawValue: "too-many-links")
    /// During the request, the device was revoked or moved to another user, or its user was erased.
    package static let callerGone = Self(rawValue: "unauthorized")

    // Administrators
    /// A name, password, label or time of an administrator or API token is invalid. `member` names it.
    package static let administratorInvalid = Self(rawValue: "invalid-body")
    /// The error doesn't reveal whether the name or the password is wrong.
    package static let logInRefused = Self(rawValue: "log-in-refused")
    package static let secondFactorRequired = Self(rawValue: "second-factor-required")
    package static let notLoggedIn = Self(rawValue: "not-logged-in")
    package static let setUpRefused = Self(rawValue: "set-up-refused")
    package static let sessionNotFound = Self(rawValue: "session-not-found")
    package static let administratorNotFound = Self(rawValue: "administrator-not-found")
    package static let administratorExists = Self(rawValue: "administrator-exists")
    package static let lastOwner = Self(rawValue: "last-owner")
    package static let appNotFound = Self(rawValue: "app-not-found")
    package static let userNotFound = Self(rawValue: "user-not-found")
    package static let itemNotFound = Self(rawValue: "item-not-found")
    package static let undoRefused = Self(rawValue: "undo-refused")
    package static let decisionNotFound = Self(rawValue: "decision-not-found")
    package static let tokenNotFound = Self(rawValue: "token-not-found")

    // Imports. These codes are never sent over HTTP.
    /// The file is not an export, is incomplete, or contains data that the service doesn't accept.
    package static let importInvalid = Self(rawValue: "import-invalid")
    /// The user or account in the file already exists, or a device in the file belongs to another user.
    package static let importRefused = Self(rawValue: "import-refused")

    // The request is not allowed, or not allowed now.
    package static let appExists = Self(rawValue: "app-exists")
    package static let linkCodeRequired = Self(rawValue: "link-code-required")
    package static let signInRequired = Self(rawValue: "sign-in-required")
    package static let signedIn = Self(rawValue: "signed-in")
    package static let notSignedIn = Self(rawValue: "not-signed-in")
    package static let screenshotsOff = Self(rawValue: "screenshots-off")
    package static let outcomeInvalid = Self(rawValue: "outcome-invalid")
    package static let outcomeNotServed = Self(rawValue: "outcome-not-served")
    package static let throttled = Self(rawValue: "throttled")
    package static let tooManyFollowers = Self(rawValue: "too-many-followers")
    /// Too many slow requests are waiting, or this request was canceled while waiting.
    package static let overloaded = Self(rawValue: "overloaded")

    // The store failed.
    package static let storeUnavailable = Self(rawValue: "store-unavailable")
    package static let storeFull = Self(rawValue: "store-full")
    package static let storeFailed = Self(rawValue: "store-failed")
}

extension ServiceError {
    /// Translates a store error. The store's message becomes the cause, which appears only in logs.
    init(_ error: StoreError) {
        let cause = error.description
        switch error.code {
        case .unavailable:
            self.init(
                .storeUnavailable, "The store is temporarily unavailable.", retryAfter: .seconds(1), cause: cause)
        case .userGone: self.init(.callerGone, "The user does not exist.")
        case .full: self.init(.storeFull, "The store has no free space.", cause: cause)
        default: self.init(.storeFailed, "The store failed.", cause: cause)
        }
    }
}

extension ServiceError {
    package static func tooManyScenes(_ quotas: App.Settings.Quotas) -> ServiceError {
        ServiceError(
            .tooManyScenes,
            """
            A user of this app can have at most \(quotas.scenes) scenes with archives, and \(quotas.knownScenes) scenes \
            including those that were forgotten in the last 30 days. Forget scenes that are no longer needed, or ask an \
            operator to raise the app's quota userScenes, to at most \(Limits.scenes).
            """, details: ["quota": "userScenes", "limit": "\(quotas.scenes)"])
    }

    package init(_ excess: QuotaExcess) {
        let noun =
            switch excess.quota {
            case .userBytes, .anonymousBytes, .appBytes: "bytes"
            case .userArchives: "archives"
            case .appUsers: "users"
            case .appDevices: "devices"
            }
        let owner =
            switch excess.quota {
            case .userBytes, .userArchives: "A user of this app"
            case .anonymousBytes: "A user without an account of this app"
            case .appBytes, .appUsers, .appDevices: "This app"
            }
        self.init(
            .quotaExceeded, "\(owner) can store at most \(excess.limit) \(noun), and \(excess.used) are in use.",
            details: ["quota": excess.quota.rawValue, "limit": "\(excess.limit)", "used": "\(excess.used)"])
    }
}
