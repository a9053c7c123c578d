package import PlacekeeperCore

/// The part of a store for the audit log, the restore log (docs/decisions/0077-the-restore-log.md) and the counters.
package protocol LogStore: Sendable {
    /// Adds an entry to the audit log, with a greater number than all earlier entries.
    func append(_ entry: AuditEntry) async throws(StoreError)
    /// Returns entries of an app's audit log, newest first, with numbers below `position`. If `subject` is given,
    /// returns only entries about it. If the app is nil, returns the entries that belong to no app.
    func audit(
        of app: AppID?, about subject: Digest?, below position: Int64?, limit: Int
    ) async throws(StoreError) -> [AuditEntry]
    /// Adds entries in the given order, then drops the log's oldest entries beyond `Retention.restoreLogEntries`. Skips
    /// an entry if its device no longer belongs to its user, because the device was revoked or moved or the user was
    /// erased. A report of a restored archive advances the day of the user's last restore.
    func log(_ entries: [RestoreLogEntry]) async throws(StoreError)
    /// Returns an app's entries of one kind with positions below `position`, newest first. Skips damaged entries.
    func restoreLog(
        _ kind: RestoreLogEntry.Kind, of app: AppID, below position: Int64?, limit: Int
    ) async throws(StoreError) -> RestoreLogPage
    /// Like `restoreLog`, but returns only the answers to a user's devices, or to one device.
    func restoreAnswers(
        to owner: UserKey, of device: DeviceID?, below position: Int64?, limit: Int
    ) async throws(StoreError) -> RestoreLogPage
    func add(_ counts: [Counter: Int]) async throws(StoreError)
    /// Returns the counts from the hour of `start` through the hour of `end`.
    func counts(from start: Timestamp, to end: Timestamp) async throws(StoreError) -> [Counter: Int]
    /// Returns an app's counts from the hour of `start` through the hour of `end`. The cost grows with the number of
    /// hours but not with the number of apps.
    ///
    /// - Parameters:
    ///   - app: nil for counts that belong to no app.
    ///   - name: if given, only counts of this kind of event are returned.
    ///   - hours: how many hours make a sum. The first sum begins with the hour of `start`.
    func counts(
        of app: AppID?, named name: String?, from start: Timestamp, to end: Timestamp, each hours: Int
    ) async throws(StoreError) -> [Counter: Int]
    /// Drops the counts of one kind of event for all hours after the hour of `time`.
    func dropCounts(named name: String, after time: Timestamp) async throws(StoreError)
}

/// A page of the restore log.
package struct RestoreLogPage: Sendable {
    package var entries: [RestoreLogEntry]
    /// The position of each entry.
    package var positions: [Int64] = []
    /// The position below which the next page starts, or nil on the last page.
    package var next: Int64?

    package init(entries: [RestoreLogEntry], next: Int64?) {
        self.entries = entries
        self.next = next
    }
}
