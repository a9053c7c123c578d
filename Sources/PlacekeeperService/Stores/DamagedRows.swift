import PlacekeeperConcurrency
package import PlacekeeperCore

/// Skips damaged rows in lists and background work, so that one user's damaged row doesn't block everyone else. Reports
/// each damaged row once.
package final class DamagedRows: Sendable {
    /// The maximum number of reports. With so many damaged rows, further reports wouldn't help.
    private static let limit = 1000
    private let known = LockBox<Set<String>>([])
    private let report: @Sendable (String) -> Void

    package init(report: @escaping @Sendable (String) -> Void) { self.report = report }

    /// Returns the closure's result, or nil if it throws `corrupt`.
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

    /// Runs background work for one user. Skips the user if the work throws `corrupt`.
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
