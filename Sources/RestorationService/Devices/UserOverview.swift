/// A user in an operator's list.
package struct UserOverview: Sendable, Hashable {
    package var user: UserID
    package var deviceCount: Int
    /// The time at which one of the devices was last used, which is written once a minute. Nil if the user has no
    /// devices.
    package var lastSeenAt: Timestamp?

    package init(user: UserID, deviceCount: Int, lastSeenAt: Timestamp?) {
        self.user = user
        self.deviceCount = deviceCount
        self.lastSeenAt = lastSeenAt
    }
}
