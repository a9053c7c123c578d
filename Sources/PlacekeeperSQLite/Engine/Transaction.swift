import PlacekeeperCore
import PlacekeeperService

/// The transaction of the current group commit; all its writes go through this object. The writer reuses one object for
/// all groups.
final class Transaction {
    let connection: Connection
    var users = UserCache()
    /// The data that the current rule reads and changes.
    var work = Workspace()
    /// Whether a rule based a decision on outdated state. If so, the group is rolled back.
    var isStale = false
    var apps = AppUsage()
    /// The count of other connections' commits for which `users` and `apps` are valid.
    private var knownVersion: Int64 = 0
    /// The count of other connections' commits at the last call of `noticeExternalCommits`.
    private var externalVersion: Int64 = 0
    /// The next value of `externalVersion`, set when this group commits.
    private var pendingExternalVersion: Int64 = 0

    init(_ connection: Connection) throws(StoreError) {
        self.connection = connection
        externalVersion = try dataVersion()
    }

    func begin() throws(StoreError) {
        if connection.isInTransaction { rollBack() }
        try connection.run(.begin)
        let version = try dataVersion()
        if version != knownVersion {
            users.forgetAll()
            apps.forgetAll()
            knownVersion = version
        }
        pendingExternalVersion = externalVersion
    }

    func commit() throws(StoreError) {
        if apps.hasChanges { try storeAppUsage() }
        try connection.run(.commit)
        externalVersion = pendingExternalVersion
    }

    /// Returns whether other connections have committed since the last call. SQLite counts only commits of other
    /// connections, and this store writes through one connection, so its own commits don't count.
    func noticeExternalCommits() throws(StoreError) -> Bool {
        pendingExternalVersion = try dataVersion()
        return pendingExternalVersion != externalVersion
    }

    private func dataVersion() throws(StoreError) -> Int64 {
        let select = try connection.statement(.dataVersion)
        guard try select.step() else { throw .corrupt("The database does not report its number of commits.") }
        return try select.key(0)
    }

    /// Performs one step of a task that the caller repeats while more is left.
    ///
    /// - Returns: whether more is left. `nil` if more is left but the step changed nothing: it hit a damaged row that
    ///   it can't delete, and would hit it again.
    func step(_ work: () throws(StoreError) -> Bool) throws(StoreError) -> Bool? {
        let before = connection.totalChanges
        guard try work() else { return false }
        return connection.totalChanges > before ? true : nil
    }

    /// Rolls the group back, unless SQLite already has.
    func rollBack() {
        users.forgetAll()
        apps.forgetAll()
        isStale = false
        // If the rollback fails, the next group tries again. No write of this group was acknowledged.
        if connection.isInTransaction { _ = Result { () throws(StoreError) in try connection.execute("ROLLBACK") } }
    }
}

extension Query {
    fileprivate static let begin = Query("BEGIN IMMEDIATE")
    fileprivate static let commit = Query("COMMIT")
    fileprivate static let dataVersion = Query("PRAGMA data_version")
}
