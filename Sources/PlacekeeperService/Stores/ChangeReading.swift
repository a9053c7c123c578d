package import PlacekeeperCore

/// The part of a store that reads the change logs.
package protocol ChangeReading: Sendable {
    /// Returns a user's changes after a revision, the oldest first. `ChangePage.isTruncated` lists the cases in which
    /// the page is truncated. `revision` may be greater than the user's latest revision, for example after a backup was
    /// restored.
    ///
    /// A store keeps at least the newest `Limits.changesBehind` changes of a user for `Retention.changes`, and less than
    /// twice this number. No reader can ask for older changes.
    func changes(of owner: UserKey, after revision: Revision, limit: Int) async throws(StoreError) -> ChangePage
    /// Returns the changes of all users of an app after a position of the log of all changes, the oldest first. Reads at
    /// most `Limits.changesAtOnce` changes of any app.
    func changes(of app: AppID, after position: Int64, isReplay: Bool) async throws(StoreError) -> AppChangePage
    /// Returns the newest changes of all users of an app, the oldest of them first. Searches only the newest
    /// `Limits.appChangesBehind` changes of all apps.
    func newestChanges(of app: AppID, limit: Int) async throws(StoreError) -> AppChangePage
}

package struct ChangePage: Sendable, Hashable {
    package var changes: [Change]
    /// The user's latest revision.
    package var latest: Revision
    /// Whether the reader must start again from the manifest. This is the case if changes after the requested revision
    /// were pruned, if more than `Limits.changesBehind` changes follow the requested revision, or if the requested
    /// revision is greater than the user's latest revision.
    package var isTruncated: Bool
    package init(changes: [Change], latest: Revision, isTruncated: Bool) {
        self.changes = changes
        self.latest = latest
        self.isTruncated = isTruncated
    }
}
