package import PlacekeeperCore

/// A session of an administrator in a browser. The session's secret is in a cookie. The store has only its digest.
package struct AdminSession: Sendable, Hashable {
    /// The SHA-256 of the secret.
    package var id: Digest
    package var administrator: AdministratorID
    package var createdAt: Timestamp
    /// The last use, precise to `precision`.
    package var lastUsedAt: Timestamp

    package init(id: Digest, administrator: AdministratorID, createdAt: Timestamp, lastUsedAt: Timestamp) {
        self.id = id
        self.administrator = administrator
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
    }

    /// The time after the last use at which a session ends (docs/decisions/0075-administrators.md).
    package static let idleTime = Duration.seconds(2 * 3600)
    /// The time after the log-in at which a session ends, used or not.
    package static let lifetime = Duration.seconds(12 * 3600)
    /// The time between two writes of a time of last use.
    package static let precision = Duration.seconds(60)

    package var expiresAt: Timestamp { createdAt + Self.lifetime }
    package var idleExpiresAt: Timestamp { min(lastUsedAt + Self.idleTime, expiresAt) }

    /// A session that began while the clock was far ahead is over, because it would last too long.
    package func isValid(at now: Timestamp) -> Bool { now < idleExpiresAt && !createdAt.isAhead(of: now) }
}

/// A bearer token of the admin API, for programs. The store has only its digest.
package struct APIToken: Sendable, Hashable {
    package var id: APITokenID
    /// The purpose of the token, for people.
    package var label: String
    package var role: Role
    /// The administrator who made the token. The token ends with the administrator, and its role is never greater than
    /// the administrator's role. Nil if a command made the token.
    package var creator: AdministratorID?
    package var createdAt: Timestamp
    /// The time from which the token is invalid. Nil if the token has no such time.
    package var expiresAt: Timestamp?
    /// The last use, precise to `AdminSession.precision`.
    package var lastUsedAt: Timestamp?

    package init(
        id: APITokenID, label: String, role: Role, creator: AdministratorID? = nil, createdAt: Timestamp,
        expiresAt: Timestamp? = nil, lastUsedAt: Timestamp? = nil
    ) {
        self.id = id
        self.label = label
        self.role = role
        self.creator = creator
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
    }
}

package typealias APITokenID = ID<APIToken>
