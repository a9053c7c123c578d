package import PlacekeeperCore

/// A person who may use the admin API.
package struct Administrator: Sendable, Hashable {
    package var id: AdministratorID
    /// The name used to log in. It is unique among administrators and case-sensitive.
    package var name: String
    package var role: Role
    package var createdAt: Timestamp
    /// When any of the administrator's sessions was last used, accurate to `AdminSession.precision`. Nil if the
    /// administrator never logged in.
    package var lastSeenAt: Timestamp?
    /// Whether a log-in needs a code.
    package var hasSecondFactor: Bool

    package init(
        id: AdministratorID, name: String, role: Role, createdAt: Timestamp, lastSeenAt: Timestamp? = nil,
        hasSecondFactor: Bool = false
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.createdAt = createdAt
        self.lastSeenAt = lastSeenAt
        self.hasSecondFactor = hasSecondFactor
    }
}

/// An administrator with the secrets of a log-in.
package struct StoredAdministrator: Sendable, Hashable {
    package var administrator: Administrator
    package var password: PasswordHash
    package var secondFactor: SecondFactor?

    package init(_ administrator: Administrator, _ password: PasswordHash, secondFactor: SecondFactor? = nil) {
        self.administrator = administrator
        self.password = password
        self.secondFactor = secondFactor
        self.administrator.hasSecondFactor = secondFactor != nil
    }
}

package typealias AdministratorID = ID<Administrator>

package enum AdministratorSelector: Sendable, Hashable {
    case id(AdministratorID)
    case name(String)
}

/// The permissions of an administrator or API token. Each role includes the permissions of the lesser roles.
package enum Role: String, Sendable, Hashable, Comparable, CaseIterable {
    /// Can read, but the contents of archives are redacted.
    case viewer
    /// Can also change users' data and read its contents.
    case `operator`
    /// Can also manage administrators, API tokens, apps and their settings.
    case owner

    package static func < (left: Role, right: Role) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .viewer: 0
        case .operator: 1
        case .owner: 2
        }
    }
}

/// The result of changing an administrator.
package enum AdministratorChange: Sendable, Hashable {
    case done
    /// The administrator doesn't exist.
    case unknown
    /// The change would leave no owner.
    case lastOwner
}
