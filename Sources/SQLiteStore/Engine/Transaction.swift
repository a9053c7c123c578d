import RestorationService

/// The transaction of a group commit. The intents write through this object.
final class Transaction {
    let connection: Connection
    var scenes = SceneMemory()
    /// The values of `committed` after this group's commit.
    private var pending = Memory()
    private var committed = Memory()

    /// The values that are kept from one group to the next.
    private struct Memory {
        /// The latest time that was written.
        var latestTime: Timestamp?
        /// SQLite's count of other connections' commits when it was last read.
        var foreignVersion: Int64 = 0
    }

    init(_ connection: Connection) throws(StoreError) {
        self.connection = connection
        committed.foreignVersion = try dataVersion()
    }

    /// Notes a time that was written. After a restart, the server's clock starts at this time or later.
    func note(_ time: Timestamp) {
        pending.latestTime = max(pending.latestTime ?? time, time)
    }

    func begin() throws(StoreError) {
        if connection.isInTransaction { rollBack() }
        try connection.statement(.begin).run()
        scenes.verify(version: try dataVersion())
        pending = committed
    }

    func commit() throws(StoreError) {
        if let latestTime = pending.latestTime, latestTime != committed.latestTime {
            try keepingScenes { () throws(StoreError) in
                let update = try connection.statement(.raiseLatestTime)
                update.bind(latestTime, at: 1)
                try update.run()
            }
        }
        try connection.statement(.commit).run()
        committed = pending
    }

    /// Returns whether other connections committed since the last call of this method. SQLite counts the commits of
    /// other connections, and all writes of this store use one connection.
    func noticeForeignCommits() throws(StoreError) -> Bool {
        pending.foreignVersion = try dataVersion()
        return pending.foreignVersion != committed.foreignVersion
    }

    private func dataVersion() throws(StoreError) -> Int64 {
        let select = try connection.statement(.dataVersion)
        guard try select.step() else { throw .corrupt("The database does not report its number of commits.") }
        return select.integer(0)
    }

    /// Performs a write that leaves the cached scenes valid, except the scenes of `user`. Any other write empties the
    /// cache.
    func keepingScenes<Result>(
        butOf user: UserKey? = nil, _ write: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        scenes.verify(changes: connection.totalChanges)
        if let user { scenes.forget(user) }
        let result = try write()
        scenes.account(for: connection.totalChanges)
        return result
    }

    /// Rolls the group back, unless SQLite has already rolled it back.
    func rollBack() {
        scenes.forgetAll()
        guard connection.isInTransaction else { return }
        // If the rollback fails, the next group tries again. No write of this group was acknowledged.
        _ = Result { () throws(StoreError) in try connection.execute("ROLLBACK") }
    }
}

extension Query {
    fileprivate static let begin = Query("BEGIN IMMEDIATE")
    fileprivate static let commit = Query("COMMIT")
    fileprivate static let dataVersion = Query("PRAGMA data_version")
    // Another process may have written a later time.
    fileprivate static let raiseLatestTime = Query("UPDATE store SET latest_time = max(coalesce(latest_time, ?1), ?1)")
}
