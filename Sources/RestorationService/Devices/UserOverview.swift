/// A user in an operator's list.
package struct UserOverview: Sendable, Hashable {
    package var user: UserID
    package var deviceCount: Int
    /// The last time at which any of the user's devices was used. The service writes this time about once a minute.
    /// Nil if the user has no devices.
    package var lastSeenAt: Timestamp?

    package init(user: UserID, deviceCount: Int, lastSeenAt: Timestamp?) {
        self.user = user
        self.deviceCount = deviceCount
        self.lastSeenAt = lastSeenAt
    }
}
