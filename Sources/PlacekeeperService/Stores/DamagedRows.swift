import PlacekeeperConcurrency
package import PlacekeeperCore

/// Leaves damaged rows out of lists and chores, so that one user's damaged row does not stop the work for all others.
/// Reports each damage once.
package final class DamagedRows: Sendable {
    /// The maximum number of reports. Beyond it, the database is damaged as a whole.
    private static let limit = 1000
    private let known = LockBox<Set<String>>([])
    private let report: @Sendable (String) -> Void

    package init(report: @escaping @Sendable (String) -> Void) { self.report = report }

    /// Returns what the closure read. Nil if it throws `corrupt`.
    ///
    /// - Parameter row: names the row or its user, for the report.
    package func leaveOut<Value>(
        _ row: @autoclosure () -> String, _ read: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        do throws(StoreError) {
            return try read()
        } catch {
            guard error.code == .corrupt else { throw error }
            note("left out \(row()): \(error)")
            return nil
        }
    }

    /// Does a chore for one user. If it throws `corrupt`, the chore is left out for this user.
    package func leaveOut(chore: String, for owner: UserKey, _ work: () async throws(StoreError) -> Void)
        async throws(StoreError)
    {
        do throws(StoreError) {
            try await work()
        } catch {
            guard error.code == .corrupt else { throw error }
            note("left out \(chore) for the user \(owner.user): \(error)")
        }
    }

    private func note(_ line: String) {
        let isNew = known.withLock { known in known.count < Self.limit && known.insert(line).inserted }
        if isNew { report(line) }
    }
}
