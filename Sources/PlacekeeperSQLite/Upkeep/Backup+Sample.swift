package import PlacekeeperCore
import PlacekeeperService

extension Backup {
    /// A user of a backup, and what tells whether the user has changed since.
    package struct SampledUser: Sendable, Hashable {
        package var owner: UserKey
        package var state: State

        /// Each change of the user's data changes one of these numbers. Only the times of last use may differ between
        /// equal states.
        package struct State: Sendable, Hashable {
            package var version: Int64
            fileprivate var revision: Int64
            package var createdAt: Timestamp
            fileprivate var cursors: Int64
            fileprivate var links: Int64
            fileprivate var subject: Digest?
        }
    }

    /// Returns up to about `count` users of a database, spread evenly over all users.
    ///
    /// - Parameter offset: any number. Another number selects other users.
    package static func sample(
        of path: String, count: Int, offset: Int
    ) throws(StoreError) -> [SampledUser] {
        try sample(with: try open(path), count: count, offset: offset)
    }

    private static func sample(
        with connection: Connection, count: Int, offset: Int
    ) throws(StoreError) -> [SampledUser] {
        let users = try connection.number("SELECT coalesce(max(id), 0) FROM user")
        let step = max(1, users / max(1, count))
        let select = try connection.statement(.sampledUsers, Int64(step), Int64(abs(offset % step)))
        var sample: [SampledUser] = []
        while try select.step() {
            let owner = UserKey(app: try select.id(0), user: try select.id(1))
            sample.append(SampledUser(owner: owner, state: try state(of: select)))
        }
        return sample
    }

    /// The states of the users in a data directory. Leaves the write-ahead log of a running service alone. Only
    /// one thread may use it at a time.
    package final class States {
        private let connection: Connection

        package init(in directory: String) throws(StoreError) {
            connection = try Backup.open(directory + "/" + SQLiteStore.fileName)
            connection.leaveLogOnClose()
        }

        package func sample(count: Int, offset: Int) throws(StoreError) -> [SampledUser] {
            try Backup.sample(with: connection, count: count, offset: offset)
        }

        /// Returns the state of a user, or `nil` if the user doesn't exist.
        package func state(of owner: UserKey) throws(StoreError) -> SampledUser.State? {
            let select = try connection.statement(.sampledUser, owner)
            guard try select.step() else { return nil }
            let state = try Backup.state(of: select)
            // An open statement would keep reading the database of this moment.
            select.reset()
            return state
        }
    }

    private static func state(of row: borrowing Statement) throws(StoreError) -> SampledUser.State {
        SampledUser.State(
            version: try row.key(2), revision: try row.key(3), createdAt: try row.time(4), cursors: try row.key(5),
            links: try row.key(6), subject: row.isNull(7) ? nil : try row.digest(7))
    }
}

extension Query {
    private static let columns = """
        app, uuid, version, revision, created_at,
        (SELECT coalesce(sum(cursor), 0) FROM registry WHERE registry.user = user.id),
        (SELECT count(*) FROM link WHERE link.user = user.id), subject_digest
        """
    /// `nobody` isn't a user.
    fileprivate static let sampledUsers = Query(
        "SELECT \(columns) FROM user WHERE id % ?1 = ?2 AND app <> zeroblob(16)")
    fileprivate static let sampledUser = Query("SELECT \(columns) FROM user WHERE app = ?1 AND uuid = ?2")
}
