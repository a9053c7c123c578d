import PlacekeeperCore
import PlacekeeperService

extension SQLiteStore {
    /// Deletes users that no device can reach (`UserPruning.isUnreachable`), because their data counts toward the app's
    /// quotas. If the task is canceled, the next call continues.
    func dropUnreachableUsers(at time: Timestamp) async throws(StoreError) {
        var last: Int64? = 0
        while let above = last, !Task.isCancelled {
            let found = try unreachableUsers(above: above, at: time)
            last = found.last
            for owner in found.owners where !Task.isCancelled {
                // The user may have gained a device or a link code since the users were read.
                try await damaged.leaveOut(chore: "pruning", for: owner) { () async throws(StoreError) in
                    _ = try await eraseRows(of: owner) { transaction, user throws(StoreError) in
                        try transaction.connection.isUnreachable(user, at: time)
                    }
                }
            }
            // There may be many users, so let other tasks run.
            await Task.yield()
        }
    }

    /// Reads the next 1,000 users after row `first`, and returns those that no device can reach. `last` is the row id
    /// of the last user read, or `nil` if there was none.
    private func unreachableUsers(
        above first: Int64, at time: Timestamp
    ) throws(StoreError) -> (owners: [UserKey], last: Int64?) {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.users, first)
            var owners: [UserKey] = []
            var last: Int64?
            while try select.step() {
                last = try select.key(5)
                let owner = try damaged.leaveOut("the user \(select.idText(7))") { () throws(StoreError) in
                    try select.isUnreachable(at: time) ? UserKey(app: try select.id(6), user: try select.id(7)) : nil
                }
                if let owner = owner ?? nil, owner != Transaction.nobody { owners.append(owner) }
            }
            return (owners, last)
        }
    }
}

extension Connection {
    fileprivate func isUnreachable(_ user: UserRow, at time: Timestamp) throws(StoreError) -> Bool {
        let select = try statement(.userFacts, user.id)
        return try select.step() ? select.isUnreachable(at: time) : false
    }
}

extension Statement {
    /// Reads the columns `Query.facts`.
    fileprivate func isUnreachable(at time: Timestamp) throws(StoreError) -> Bool {
        UserPruning.isUnreachable(
            isAnonymous: try flag(0), latestTime: try optionalTime(1), createdAt: try self.time(2),
            hasDevices: try flag(3), hasLinkCodes: try flag(4), at: time)
    }
}

extension Query {
    private static let facts = """
        subject_digest IS NULL, latest_time, created_at,
        EXISTS (SELECT 1 FROM device WHERE device.user = user.id),
        EXISTS (SELECT 1 FROM link_code WHERE link_code.user = user.id)
        """
    fileprivate static let users = Query(
        "SELECT \(facts), id, app, uuid FROM user WHERE id > ?1 ORDER BY id LIMIT 1000")
    fileprivate static let userFacts = Query("SELECT \(facts) FROM user WHERE id = ?1")
}
