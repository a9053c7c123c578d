package import PlacekeeperCore

/// The part of a store that reads the change logs.
package protocol ChangeReading: Sendable {
    /// Returns a user's changes after a revision, oldest first. `revision` may be greater than the user's latest
    /// revision, for example after a backup was restored. See `ChangePage.isTruncated`.
    ///
    /// A store keeps a user's latest `Limits.changesBehind` changes for `Retention.changes`. Readers can't request
    /// older changes, even if the store still has some. It keeps fewer than twice this number.
    func changes(of owner: UserKey, after revision: Revision, limit: Int) async throws(StoreError) -> ChangePage
    /// Returns the changes of all users of an app after a cursor, oldest first. Changes that were dropped since are left
    /// out.
    func changes(of app: AppID, after cursor: String) async throws(StoreError) -> AppChangePage
    /// Returns the latest changes of all users of an app, oldest first. Searches only the latest
    /// `Limits.appChangesBehind` changes of all apps together.
    func newestChanges(of app: AppID, limit: Int) async throws(StoreError) -> AppChangePage
}

package struct ChangePage: Sendable, Hashable {
    package var changes: [Change]
    /// The user's latest revision.
    package var latest: Revision
    /// Whether the reader must start over from the manifest. This is the case if changes after the requested revision
    /// were pruned, if more than `Limits.changesBehind` changes follow it, or if it is greater than the user's latest
    /// revision.
    package var isTruncated: Bool
    package init(changes: [Change], latest: Revision, isTruncated: Bool) {
        self.changes = changes
        self.latest = latest
        self.isTruncated = isTruncated
    }
}
