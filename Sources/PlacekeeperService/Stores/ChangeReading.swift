package import PlacekeeperCore

/// The part of a store that reads the change logs.
package protocol ChangeReading: Sendable {
    /// Returns a user's changes after a revision, oldest first. `revision` may be greater than the user's latest
    /// revision, for example after a backup was restored. See `ChangePage.isTruncated`.
    ///
    /// A store keeps at least the latest `Limits.changesBehind` changes of a user for `Retention.changes`, and fewer
    /// than twice this number. Readers can't request older changes.
    func changes(of owner: UserKey, after revision: Revision, limit: Int) async throws(StoreError) -> ChangePage
    /// Returns the changes of all users of an app after a position in the log of all changes, oldest first. Reads at
    /// most `Limits.changesAtOnce` changes of any app.
    func changes(of app: AppID, after position: Int64, isReplay: Bool) async throws(StoreError) -> AppChangePage
    /// Returns the latest changes of all users of an app, in order from old to new. Searches only the latest
    /// `Limits.appChangesBehind` changes of all apps.
    func newestChanges(of app: AppID, limit: Int) async throws(StoreError) -> AppChangePage
}

package struct ChangePage: Sendable, Hashable {
    package var changes: [Change]
    /// The user's latest revision.
    package var latest: Revision
    /// Whether the reader must start over from the manifest. This is the case if later changes were pruned, if more
    /// than `Limits.changesBehind` changes follow the requested revision, or if that revision is greater than the
    /// user's latest.
    package var isTruncated: Bool
    package init(changes: [Change], latest: Revision, isTruncated: Bool) {
        self.changes = changes
        self.latest = latest
        self.isTruncated = isTruncated
    }
}
