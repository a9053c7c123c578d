import PlacekeeperCore
import PlacekeeperService

extension SQLiteStore {
    /// Deletes the anonymous users whose last write was before `time`, and that have neither a device nor a link code.
    /// No device can reach the data of these users, but the data counts toward the app's quotas. If the task is
    /// canceled, the next call deletes the remaining users.
    func dropUsersWithoutDevices(before time: Timestamp) async throws(StoreError) {
        var last: Int64? = 0
        while let above = last, !Task.isCancelled {
            let found = try usersWithoutDevices(above: above, before: time)
            last = found.last
            for owner in found.owners where !Task.isCancelled {
                // The user may have got a device or a link code since the users were read.
                try await damaged.leaveOut(chore: "pruning", for: owner) { () async throws(StoreError) in
                    _ = try await eraseRows(of: owner) { transaction, user throws(StoreError) in
                        try transaction.connection.isWithoutDevices(user, before: time)
                    }
                }
            }
            // This loop may run for many users, so it lets other tasks run.
            await Task.yield()
        }
    }

    /// Reads up to 1,000 users with numbers greater than `first`, and returns those without devices. `last` is the
    /// number of the last user that was read, or nil if none was read.
    private func usersWithoutDevices(
        above first: Int64, before time: Timestamp
    ) throws(StoreError) -> (owners: [UserKey], last: Int64?) {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.usersWithoutDevices, first, time)
            var owners: [UserKey] = []
            var last: Int64?
            while try select.step() {
                last = try select.key(0)
                guard select.clampedNumber(3, .flag) != 0 else { continue }
                let owner = try damaged.leaveOut("the user \(select.idText(2))") { () throws(StoreError) in
                    UserKey(app: try select.id(1), user: try select.id(2))
                }
                if let owner, owner != Transaction.nobody { owners.append(owner) }
            }
            return (owners, last)
        }
    }
}

extension Connection {
    fileprivate func isWithoutDevices(_ user: UserRow, before time: Timestamp) throws(StoreError) -> Bool {
        let select = try statement(.isWithoutDevices, user.id, time)
        return try select.step() ? select.flag(0) : false
    }
}

extension Query {
    // An import adds changes with old times, and the devices last. So the time of creation counts as well.
    private static let condition = """
        subject_digest IS NULL AND max(coalesce(latest_time, 0), created_at) < ?2
            AND NOT EXISTS (SELECT 1 FROM device WHERE device.user = user.id)
            AND NOT EXISTS (SELECT 1 FROM link_code WHERE link_code.user = user.id)
        """
    fileprivate static let usersWithoutDevices = Query(
        "SELECT id, app, uuid, \(condition) FROM user WHERE id > ?1 ORDER BY id LIMIT 1000")
    fileprivate static let isWithoutDevices = Query("SELECT \(condition) FROM user WHERE id = ?1")
}
