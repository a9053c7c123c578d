package import PlacekeeperCore

/// The part of a store for the audit log, the restore log
/// (docs/decisions/0077-the-restore-log.md), and the counters.
package protocol LogStore: Sendable {
    /// Adds an entry to the audit log, with a number above all numbers of earlier entries.
    func append(_ entry: AuditEntry) async throws(StoreError)
    /// Returns entries of an app's audit log, the newest first: entries with a number below `position`, and only entries
    /// about `subject` if it is given. Without an app, returns the entries of the whole service.
    func audit(
        of app: AppID?, about subject: Digest?, below position: Int64?, limit: Int
    ) async throws(StoreError) -> [AuditEntry]
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
    func add(_ counts: [Counter: Int]) async throws(StoreError)
    /// Returns the counts from the hour of `start` to the hour of `end`, both included.
    func counts(from start: Timestamp, to end: Timestamp) async throws(StoreError) -> [Counter: Int]
    /// Returns an app's counts from the hour of `start` to the hour of `end`, both included. The cost grows with the
    /// number of hours, and not with the number of apps.
    ///
    /// - Parameters:
    ///   - app: nil for the counts that belong to no app.
    ///   - name: if given, only the counts of this kind of event are returned.
    func counts(
        of app: AppID?, named name: String?, from start: Timestamp, to end: Timestamp
    ) async throws(StoreError) -> [Counter: Int]
    /// Drops the counts of one kind of event in the hours after the hour of `time`.
    func dropCounts(named name: String, after time: Timestamp) async throws(StoreError)
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
