package import PlacekeeperCore

/// A change by any user of an app.
package struct AppChange: Sendable, Hashable {
    /// The cursor for a reader that got this change. The reader misses no later change, and may get some changes again.
    package var cursor: String
    package var user: UserID
    package var change: Change
    /// The reported outcome. Nil if the change reports no outcome, or if the archive has since been deleted.
    package var outcome: Outcome?

    package init(cursor: String, user: UserID, change: Change) {
        self.cursor = cursor
        self.user = user
        self.change = change
    }
}

package struct AppChangePage: Sendable, Hashable {
    package var changes: [AppChange]
    /// The cursor for the next read: a text without line breaks, which only the store can read.
    package var cursor: String
    /// Whether the reader must start over, because the cursor isn't this store's, or more than
    /// `Limits.appChangesBehind` changes of all apps follow it. If true, `cursor` is that of the newest change.
    package var isTruncated: Bool

    package init(changes: [AppChange] = [], cursor: String, isTruncated: Bool = false) {
        self.changes = changes
        self.cursor = cursor
        self.isTruncated = isTruncated
    }
}
