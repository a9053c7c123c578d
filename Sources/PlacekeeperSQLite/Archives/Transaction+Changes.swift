import PlacekeeperCore
import PlacekeeperService

/// The parts of a user's row that deltas, imports and erasures need. These writes have no `Rule`.
struct UserRow {
    let id: Int64
    let key: UserKey
    /// The row id of the user's newest change.
    var lastChange: Int64?
    /// Whether the user is signed in to an account of the app.
    var isSignedIn = false
    /// The bytes and archives that count toward `Usage`.
    var bytes = 0
    var archives = 0
}

extension Transaction {
    /// Returns a user's row. Throws `userGone` if there is none, for example because the user was erased after the
    /// service accepted the request.
    func knownUser(_ key: UserKey) throws(StoreError) -> UserRow {
        guard let user = try connection.user(key) else { throw .userGone }
        return user
    }

    /// Drops a user's changes up to a revision so old that `changes(of:after:limit:)` never returns them
    /// (`Limits.changesBehind`).
    ///
    /// Doesn't raise the user's `pruned_revision`: the scenes that these changes left empty remain known until pruning
    /// (`DatedTable.emptyScenes`).
    func dropChanges(through end: Revision, of user: UserState) throws(StoreError) {
        guard let newest = user.newestChange else { return }
        var last = newest
        var next: Int64? = newest
        while let change = next, let link = try connection.link(of: change, user.row), link.revision > end {
            last = change
            next = link.previous
        }
        guard let oldest = next, try connection.link(of: oldest, user.row) != nil else { return }
        for _ in 0..<2 * Limits.changesBehind {
            guard let change = next, let link = try connection.link(of: change, user.row) else { break }
            try connection.run(.dropChange, change)
            next = link.previous
        }
        // An erasure follows the chain of the user's changes, so keep it complete.
        try connection.run(.setPreviousChange, last, next)
    }
}

extension Connection {
    /// Returns the revision of a user's change, and the previous change. `nil` if the change was pruned.
    fileprivate func link(
        of change: Int64, _ user: Int64
    ) throws(StoreError) -> (revision: Revision, previous: Int64?)? {
        let select = try statement(.changeLink, change, user)
        guard try select.step() else { return nil }
        // Every change has a greater number than the previous one, so the chain ends even in a damaged database.
        let previous = try select.optionalKey(1).flatMap { $0 < change ? $0 : nil }
        return (try select.revision(0), previous)
    }

    /// Returns a user's row, or `nil` if there is none.
    ///
    /// - Parameter read: reads a number from the row.
    func user(
        _ key: UserKey,
        _ read: (borrowing Statement, Int32, StoredNumber) throws(StoreError) -> Int64 = {
            (row, column, kind) throws(StoreError) in try row.number(column, kind)
        }
    ) throws(StoreError) -> UserRow? {
        let select = try statement(.user, key)
        guard try select.step() else { return nil }
        return UserRow(
            id: try select.key(0), key: key, lastChange: try select.optionalKey(1),
            isSignedIn: try select.flag(2), bytes: Int(try read(select, 3, .count)),
            archives: Int(try read(select, 4, .count)))
    }
}

extension Query {
    fileprivate static let user = Query(
        """
        SELECT id, last_change, subject_digest IS NOT NULL, bytes, archives FROM user WHERE app = ?1 AND uuid = ?2
        """)
    fileprivate static let changeLink = Query("SELECT revision, previous FROM change WHERE id = ?1 AND user = ?2")
    fileprivate static let dropChange = Query("DELETE FROM change WHERE id = ?1")
    fileprivate static let setPreviousChange = Query("UPDATE change SET previous = ?2 WHERE id = ?1")
}
