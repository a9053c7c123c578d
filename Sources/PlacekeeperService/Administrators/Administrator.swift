package import PlacekeeperCore

/// A person who may use the admin API.
package struct Administrator: Sendable, Hashable {
    package var id: AdministratorID
    /// The name to log in with. It is unique among administrators, and case matters.
    package var name: String
    package var role: Role
    package var createdAt: Timestamp
    /// The last use of one of the administrator's sessions, precise to `AdminSession.precision`. Nil if the administrator
    /// never logged in.
    package var lastSeenAt: Timestamp?

    package init(
        id: AdministratorID, name: String, role: Role, createdAt: Timestamp, lastSeenAt: Timestamp? = nil
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.createdAt = createdAt
        self.lastSeenAt = lastSeenAt
    }
}

package typealias AdministratorID = ID<Administrator>

package enum AdministratorSelector: Sendable, Hashable {
    case id(AdministratorID)
    case name(String)
}

/// What an administrator or an API token may do. A role may do everything that a lesser role may do.
package enum Role: String, Sendable, Hashable, Comparable, CaseIterable {
    /// Reads. The contents of archives are redacted.
    case viewer
    /// Also changes the data of users, and reads their contents.
    case `operator`
    /// Also manages administrators, API tokens, apps and their settings.
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

/// The result of a change of an administrator.
package enum AdministratorChange: Sendable, Hashable {
    case done
    /// There is no such administrator.
    case unknown
    /// The change would leave no owner.
    case lastOwner
}
