package import PlacekeeperCore

/// A change by any user of an app.
package struct AppChange: Sendable, Hashable {
    /// The change's position in the log of all changes. Later changes have greater positions, across all users.
    package var position: Int64
    package var user: UserID
    package var change: Change
    /// The reported outcome. Nil if the change reports no outcome, or if the archive has since been deleted.
    package var outcome: Outcome?

    package init(position: Int64, user: UserID, change: Change) {
        self.position = position
        self.user = user
        self.change = change
    }
}

package struct AppChangePage: Sendable, Hashable {
    package var changes: [AppChange]
    /// The position up to which the log was read. The next page starts after it.
    package var position: Int64
    /// Whether the log may contain later changes of any app.
    package var hasMore: Bool
    /// Whether some changes after the requested position may be missing. This is the case if changes were dropped, if
    /// the requested position is greater than the newest position, or if it is too old for a replay: more than
    /// `Limits.appChangesBehind` changes of all apps follow it. If true, `position` is the newest position.
    package var isTruncated: Bool

    package init(changes: [AppChange] = [], position: Int64, hasMore: Bool = false, isTruncated: Bool = false) {
        self.changes = changes
        self.position = position
        self.hasMore = hasMore
        self.isTruncated = isTruncated
    }
}
