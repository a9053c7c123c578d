import PlacekeeperCore
import PlacekeeperService

/// The transaction of the current group commit. The writes write through this object. The writer uses one such object
/// for all its groups, one after another.
final class Transaction {
    let connection: Connection
    var users = UserCache()
    /// What the current rule reads and changes.
    var work = Workspace()
    /// Whether a rule was decided on a state that was not the newest. The group is rolled back then.
    var isStale = false
    var apps = AppUsage()
    /// SQLite's count of other connections' commits for which `users` and `apps` are right.
    private var knownVersion: Int64 = 0
    /// SQLite's count of other connections' commits when `noticeExternalCommits` last read this count.
    private var externalVersion: Int64 = 0
    /// The value that `externalVersion` gets when this group is committed.
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

    /// Returns whether other connections committed since the last call of this method. SQLite counts the commits of
    /// other connections. All writes of this store use one connection, so the count does not include them.
    func noticeExternalCommits() throws(StoreError) -> Bool {
        pendingExternalVersion = try dataVersion()
        return pendingExternalVersion != externalVersion
    }

    private func dataVersion() throws(StoreError) -> Int64 {
        let select = try connection.statement(.dataVersion)
        guard try select.step() else { throw .corrupt("The database does not report its number of commits.") }
        return try select.key(0)
    }

    /// Performs a step of a work that goes on while there is more.
    ///
    /// - Returns: whether there is more. Nil if there is, and the step changed nothing: it finds a damaged row that it cannot
    ///   delete, and would find it for ever.
    func step(_ work: () throws(StoreError) -> Bool) throws(StoreError) -> Bool? {
        let before = connection.totalChanges
        guard try work() else { return false }
        return connection.totalChanges > before ? true : nil
    }

    /// Rolls the group back, unless SQLite has already rolled it back.
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
