/// A user as operators see one in a list.
package struct UserOverview: Sendable, Hashable {
    package var user: UserID
    package var deviceCount: Int
    /// When one of the devices was last used; nil without devices. It is written once a minute.
    package var lastSeenAt: Timestamp?

    package init(user: UserID, deviceCount: Int, lastSeenAt: Timestamp?) {
        self.user = user
        self.deviceCount = deviceCount
        self.lastSeenAt = lastSeenAt
    }
}
