package import PlacekeeperCore

/// The part of a store for the restore log (docs/decisions/0077-the-restore-log.md).
package protocol RestoreLogStore: Sendable {
    /// Adds entries in this order. Leaves out an entry whose device does not belong to the entry's user, because the
    /// device was revoked or moved, or the user was erased, since the entry was made. Then drops the oldest entries
    /// beyond `Retention.restoreLogEntries`. A report of a restored archive raises the day of the user's last restore.
    func log(_ entries: [RestoreLogEntry]) async throws(StoreError)
    /// Returns entries of one kind of an app, the newest first: entries with a position below `position`. Leaves out
    /// entries that are damaged.
    func restoreLog(
        _ kind: RestoreLogEntry.Kind, of app: AppID, below position: Int64?, limit: Int
    ) async throws(StoreError) -> RestoreLogPage
    /// Returns the answers to a user's devices, or to one device, as `restoreLog` does.
    func restoreAnswers(
        to owner: UserKey, of device: DeviceID?, below position: Int64?, limit: Int
    ) async throws(StoreError) -> RestoreLogPage
}

/// A page of the restore log.
package struct RestoreLogPage: Sendable {
    package var entries: [RestoreLogEntry]
    /// The position of each entry.
    package var positions: [Int64] = []
    /// The position below which the next page begins. Nil if this is the last page.
    package var next: Int64?

    package init(entries: [RestoreLogEntry], next: Int64?) {
        self.entries = entries
        self.next = next
    }
}
