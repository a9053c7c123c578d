package import PlacekeeperCore
package import PlacekeeperService

extension SQLiteStore {
    /// Erases a user in steps, so other writes can run in between (docs/decisions/0069-erasures-outlive-backups.md).
    /// SQLite overwrites deleted rows with zeros (`secure_delete`). After the last step, the write-ahead log is
    /// emptied, because it still contains older versions of the pages.
    package func erase(_ owner: UserKey) async throws(StoreError) -> Committed<Bool> {
        let erased = try await eraseRows(of: owner) { _, _ throws(StoreError) in true }
        if erased.value { await writer.emptyLog() }
        return erased
    }

    /// Erases a user in steps if `condition` is true in the first step. Returns false if it isn't or the user doesn't
    /// exist.
    func eraseRows(
        of owner: UserKey, if condition: @escaping @Sendable (Transaction, UserRow) throws(StoreError) -> Bool
    ) async throws(StoreError) -> Committed<Bool> {
        let begun = try await writer.write(invalidations: { .access(of: owner, $0) }) {
            transaction throws(StoreError) in
            guard let user = try transaction.connection.clampedUser(owner), try condition(transaction, user) else {
                return false
            }
            try transaction.endAccess(to: user)
            return true
        }
        if begun.value { try await eraseRows(of: [owner]) }
        return begun
    }

    /// Erases users whose access has ended. The write-ahead log is emptied within about a second, while other writes
    /// continue: waiting for it after each user would take most of the time. If the task is cancelled, users are left.
    package func erase(_ owners: [UserKey]) async throws(StoreError) -> Committed<Void> {
        try await eraseRows(of: owners, unless: { Task.isCancelled })
        writer.wantEmptyLog()
        return Committed((), owners.reduce(.none) { $0 + .access(of: $1) })
    }

    /// Each transaction erases the rest of a user, and as many others as fit.
    private func eraseRows(
        of owners: [UserKey], unless isStopped: () -> Bool = { false }
    ) async throws(StoreError) {
        var rest = owners[...]
        while !rest.isEmpty, !isStopped() {
            rest = try await writer.write(rows: Transaction.erasureStep) {
                [rest] transaction throws(StoreError) -> Committed<ArraySlice<UserKey>> in
                let left = try transaction.erase(rest)
                let changed = rest.prefix(left.startIndex - rest.startIndex + 1)
                return Committed(left, changed.reduce(.none) { $0 + .access(of: $1) })
            }.value
        }
    }

    /// Reads a damaged creation time as 0 and a damaged digest as missing, so such a user can still be erased.
    package func facts(of owner: UserKey) async throws(StoreError) -> UserFacts? {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.account, owner)
            guard try select.step() else { return nil }
            return UserFacts(
                owner: owner, subjectDigest: try? select.digest(2),
                createdAt: (try? select.time(3)) ?? Timestamp(milliseconds: 0))
        }
    }

    package func facts(after last: UserKey?, limit: Int) async throws(StoreError) -> [UserFacts] {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.accounts)
            let last = last ?? Transaction.nobody
            select.bind(last)
            return try select.rows(atMost: limit, leavingOut: damaged, named: { "the user \($0.idText(1))" }) {
                row throws(StoreError) in
                UserFacts(
                    owner: UserKey(app: try row.id(0), user: try row.id(1)),
                    subjectDigest: row.isNull(2) ? nil : try row.digest(2), createdAt: try row.time(3))
            }
        }
    }
}

extension Query {
    private static let columns = "SELECT app, uuid, subject_digest, created_at FROM user "
    fileprivate static let account = Query(columns + "WHERE app = ?1 AND uuid = ?2")
    fileprivate static let accounts = Query(
        columns + "WHERE (app, uuid) > (?1, ?2) ORDER BY app, uuid")
}
