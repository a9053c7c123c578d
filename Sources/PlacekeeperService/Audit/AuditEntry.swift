package import PlacekeeperCore

/// An audit log entry: who did what to which user's data. It contains no text chosen by a user or a device, so an
/// erasure doesn't need to change it.
package struct AuditEntry: Sendable, Hashable {
    /// The number assigned by the store, which increases with each entry. 0 before the entry is stored.
    package var number: Int64
    /// The app whose log contains the entry. Nil for an action on the whole service, such as an administrator's log-in.
    package var app: AppID?
    package var at: Timestamp
    package var actor: Auditor
    package var action: AuditAction
    /// The keyed hash of the user's subject, or of the user's ID if the user is anonymous. Nil if the action isn't
    /// about a single user.
    package var subject: Digest?
    /// Details of the action, such as the names of changed settings.
    package var detail: String

    package init(
        number: Int64 = 0, app: AppID?, at: Timestamp, actor: Auditor, action: AuditAction, subject: Digest?,
        detail: String = ""
    ) {
        self.number = number
        self.app = app
        self.at = at
        self.actor = actor
        self.action = action
        self.subject = subject
        self.detail = detail
    }

    /// The sign-in of one of the user's devices has expired (`RowChange.auditExpiry`).
    package static func expiry(of user: UserState, at time: Timestamp) -> AuditEntry {
        AuditEntry(app: user.key.app, at: time, actor: .user, action: .tokenExpired, subject: user.subject)
    }
}

/// Who performed an audited action.
package enum Auditor: Sendable, Hashable {
    /// The user, on one of their devices.
    case user
    /// An operator who ran a command, by the name of their account on the server.
    case command(String)
    /// An administrator in a browser, by name.
    case administrator(String)
    /// A program with an API token, by the token's label.
    case token(String)
    /// The service itself, because restores failed (`RestoreBreaker`).
    case breaker
    /// Somebody who did not say who they are, such as with an unknown name.
    case unknown

    package var text: String {
        switch self {
        case .user: "user"
        case .command(let name): "command " + name
        case .administrator(let name): "administrator " + name
        case .token(let label): "token " + label
        case .breaker: "breaker"
        case .unknown: "unknown"
        }
    }

    /// Parses the text form of an actor. Nil for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.count == 2 ? String(parts[1]) : nil
        switch (parts.first, name) {
        case ("user", nil): self = .user
        case ("breaker", nil): self = .breaker
        case ("unknown", nil): self = .unknown
        case ("command", let name?): self = .command(name)
        case ("administrator", let name?): self = .administrator(name)
        case ("token", let name?): self = .token(name)
        default: return nil
        }
    }
}

/// An audited action.
package struct AuditAction: RawRepresentable, Sendable, Hashable {
    package var rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let signedIn = AuditAction(rawValue: "signed-in")
    /// A device was not used for `App.Settings.tokenLifetime`, so its user must sign in again.
    package static let tokenExpired = AuditAction(rawValue: "token-expired")
    package static let signedOut = AuditAction(rawValue: "signed-out")
    package static let exported = AuditAction(rawValue: "exported")
    package static let imported = AuditAction(rawValue: "imported")
    package static let erased = AuditAction(rawValue: "erased")
    /// An operator read a user's data.
    package static let shown = AuditAction(rawValue: "shown")
    /// An operator decided whether two items are the same, or removed such a decision.
    package static let decided = AuditAction(rawValue: "decided")
    /// An administrator searched for a user, a device or an archive.
    package static let searched = AuditAction(rawValue: "searched")
    /// An administrator made an archive the head of its scene.
    package static let headMade = AuditAction(rawValue: "head-made")
    package static let archiveDeleted = AuditAction(rawValue: "archive-deleted")
    /// An administrator undid the deletion of an archive.
    package static let archiveUndeleted = AuditAction(rawValue: "archive-undeleted")
    /// An administrator started to follow the changes of all users of an app.
    package static let eventsFollowed = AuditAction(rawValue: "events-followed")
    package static let usersListed = AuditAction(rawValue: "users-listed")
    /// An administrator read the summary of an app's restores.
    package static let restoresSummarized = AuditAction(rawValue: "restores-summarized")
    /// An administrator ran a dry run of settings against recorded requests.
    package static let settingsTried = AuditAction(rawValue: "settings-tried")
    package static let appCreated = AuditAction(rawValue: "app-created")
    /// The detail contains the bundle identifier.
    package static let appDeleted = AuditAction(rawValue: "app-deleted")
    /// An administrator revoked a device of a user.
    package static let deviceRevoked = AuditAction(rawValue: "device-revoked")
    package static let settingsChanged = AuditAction(rawValue: "settings-changed")
    /// Somebody, or the breaker, stopped restores. The detail says which (`StoppedRestore.text`).
    package static let restoresStopped = AuditAction(rawValue: "restores-stopped")
    /// A stop was removed, or it ended.
    package static let restoresAllowed = AuditAction(rawValue: "restores-allowed")
    /// Restores failed for many users. The detail contains the archives' bundle version, the restoring devices' bundle
    /// version, and the idiom.
    package static let restoresFailing = AuditAction(rawValue: "restores-failing")
    package static let keysChanged = AuditAction(rawValue: "keys-changed")
    package static let dataSourcesChanged = AuditAction(rawValue: "data-sources-changed")
    package static let backedUp = AuditAction(rawValue: "backed-up")
    /// A command started a transfer of all data to another database. The detail contains the kind of database.
    package static let transferred = AuditAction(rawValue: "transferred")
    package static let loggedIn = AuditAction(rawValue: "logged-in")
    /// Log-ins failed. The detail contains their number (`FailedLogIns`).
    package static let logInFailed = AuditAction(rawValue: "log-in-failed")
    package static let loggedOut = AuditAction(rawValue: "logged-out")
    package static let passwordChanged = AuditAction(rawValue: "password-changed")
    package static let secondFactorAdded = AuditAction(rawValue: "second-factor-added")
    /// The detail contains the administrator's name if somebody else did it.
    package static let secondFactorRemoved = AuditAction(rawValue: "second-factor-removed")
    /// An administrator ended a session. The detail contains the name of its administrator.
    package static let sessionEnded = AuditAction(rawValue: "session-ended")
    /// An administrator got a link to set a password. The detail contains the name.
    package static let administratorInvited = AuditAction(rawValue: "administrator-invited")
    /// The detail contains the administrator's name and role.
    package static let administratorCreated = AuditAction(rawValue: "administrator-created")
    package static let administratorChanged = AuditAction(rawValue: "administrator-changed")
    package static let administratorRemoved = AuditAction(rawValue: "administrator-removed")
    /// The detail contains the API token's label and role.
    package static let tokenCreated = AuditAction(rawValue: "token-created")
    package static let tokenRevoked = AuditAction(rawValue: "token-revoked")
    /// An operator replaced the database with a backup. The detail contains the number of users who were erased again.
    package static let restored = AuditAction(rawValue: "restored")
}

extension AuditAction {
    /// All actions, for options that name one.
    package static let all: [AuditAction] = [
        .signedIn, .tokenExpired, .signedOut, .exported, .imported, .erased, .shown, .decided, .searched, .headMade,
        .archiveDeleted, .archiveUndeleted, .eventsFollowed, .usersListed, .restoresSummarized, .settingsTried,
        .appCreated, .appDeleted, .deviceRevoked, .settingsChanged, .restoresStopped, .restoresAllowed,
        .restoresFailing, .keysChanged, .dataSourcesChanged, .backedUp, .transferred, .loggedIn, .logInFailed,
        .loggedOut, .passwordChanged, .secondFactorAdded, .secondFactorRemoved, .sessionEnded,
        .administratorInvited, .administratorCreated, .administratorChanged, .administratorRemoved, .tokenCreated,
        .tokenRevoked, .restored,
    ]

    package enum Kind: String, Sendable, CaseIterable {
        case reads, changes
        /// Users and administrators logged in or out, or failed to.
        case logIns = "log-ins"
    }

    package var kind: Kind {
        switch self {
        case .shown, .searched, .usersListed, .eventsFollowed, .restoresSummarized, .settingsTried: .reads
        case .loggedIn, .loggedOut, .logInFailed, .signedIn, .signedOut, .tokenExpired: .logIns
        default: .changes
        }
    }
}
