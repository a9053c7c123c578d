package import PlacekeeperCore

/// A change of any user of an app.
package struct AppChange: Sendable, Hashable {
    /// The change's position in the log of all changes. A later change of any user has a greater position.
    package var position: Int64
    package var user: UserID
    package var change: Change
    /// The outcome that was reported. Nil if the change is no outcome, and if the archive was deleted since.
    package var outcome: Outcome?

    package init(position: Int64, user: UserID, change: Change) {
        self.position = position
        self.user = user
        self.change = change
    }
}

package struct AppChangePage: Sendable, Hashable {
    package var changes: [AppChange]
    /// The position up to which the log was read. The next page begins after this position.
    package var position: Int64
    /// Whether later changes of any app may exist.
    package var hasMore: Bool
    /// Whether the store can no longer give all changes after the requested position: a change was dropped, more than
    /// `Limits.appChangesBehind` changes of all apps follow in a replay, or the position is greater than the newest one.
    /// `position` is then the newest position.
    package var isTruncated: Bool

    package init(changes: [AppChange] = [], position: Int64, hasMore: Bool = false, isTruncated: Bool = false) {
        self.changes = changes
        self.position = position
        self.hasMore = hasMore
        self.isTruncated = isTruncated
    }
}
