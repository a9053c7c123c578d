package import PlacekeeperCore

/// An administrator's browser session. A cookie holds the secret; the store keeps only its digest.
package struct AdminSession: Sendable, Hashable {
    /// The SHA-256 of the secret.
    package var id: Digest
    package var administrator: AdministratorID
    package var createdAt: Timestamp
    /// The time of last use, accurate to `precision`.
    package var lastUsedAt: Timestamp

    package init(id: Digest, administrator: AdministratorID, createdAt: Timestamp, lastUsedAt: Timestamp) {
        self.id = id
        self.administrator = administrator
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
    }

    /// How long a session lasts without use (docs/decisions/0075-administrators.md).
    package static let idleTime = Duration.seconds(2 * 3600)
    /// How long a session lasts after log-in, even if it is used.
    package static let lifetime = Duration.seconds(12 * 3600)
    /// The minimum time between two writes of the time of last use.
    package static let precision = Duration.seconds(60)

    /// The session's identifier in answers. It doesn't reveal the secret.
    package var publicID: AdminSessionID { AdminSessionID(high: id.words.0, low: id.words.1) }

    package var expiresAt: Timestamp { createdAt + Self.lifetime }
    package var idleExpiresAt: Timestamp { min(lastUsedAt + Self.idleTime, expiresAt) }

    /// Rejects a session that began while the clock was far ahead, because it would last too long.
    package func isValid(at now: Timestamp) -> Bool { now < idleExpiresAt && !createdAt.isAhead(of: now) }
}

package typealias AdminSessionID = ID<AdminSession>

/// A bearer token for programs that use the admin API. The store keeps only its digest.
package struct APIToken: Sendable, Hashable {
    package var id: APITokenID
    /// The token's purpose, for display.
    package var label: String
    package var role: Role
    /// The administrator who created the token, or nil if a command did. The token is removed together with the
    /// administrator, and its role never exceeds the administrator's.
    package var creator: AdministratorID?
    package var createdAt: Timestamp
    /// When the token expires. Nil if it doesn't expire.
    package var expiresAt: Timestamp?
    /// The time of last use, accurate to `AdminSession.precision`.
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
