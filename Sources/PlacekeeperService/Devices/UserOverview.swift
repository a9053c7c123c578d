package import PlacekeeperCore

/// A user in an operator's list.
package struct UserOverview: Sendable, Hashable {
    package var user: UserID
    package var isSignedIn: Bool
    /// Nil if the user was created by a version that didn't record the time.
    package var createdAt: Timestamp?
    package var archiveCount: Int
    /// The bytes, counted as in `Usage.bytes`.
    package var bytes: Int
    package var deviceCount: Int
    /// When any of the user's devices was last used. Written about once a minute. Nil if the user has no devices.
    package var lastSeenAt: Timestamp?

    package init(
        user: UserID, isSignedIn: Bool = false, createdAt: Timestamp? = nil, archiveCount: Int = 0, bytes: Int = 0,
        deviceCount: Int, lastSeenAt: Timestamp?
    ) {
        self.user = user
        self.isSignedIn = isSignedIn
        self.createdAt = createdAt
        self.archiveCount = archiveCount
        self.bytes = bytes
        self.deviceCount = deviceCount
        self.lastSeenAt = lastSeenAt
    }
}
