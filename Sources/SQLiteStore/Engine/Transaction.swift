import RestorationService

/// What an intent sees of the group commit that it is part of.
final class Transaction {
    let connection: Connection
    var scenes = SceneMemory()
    /// What this group changes of `committed` when it is committed.
    private var pending = Memory()
    private var committed = Memory()

    /// What is remembered from one group to the next.
    private struct Memory {
        /// The latest time that was written.
        var latestTime: Timestamp?
        /// SQLite's count of commits that are not this connection's, when it was last asked for.
        var foreignVersion: Int64 = 0
    }

    init(_ connection: Connection) throws(StoreError) {
        self.connection = connection
        committed.foreignVersion = try dataVersion()
    }

    /// Holds a time that was written, below which the clock must not start again.
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

    /// Whether there were commits by others since this was last asked.
    func noticeForeignCommits() throws(StoreError) -> Bool {
        pending.foreignVersion = try dataVersion()
        return pending.foreignVersion != committed.foreignVersion
    }

    private func dataVersion() throws(StoreError) -> Int64 {
        let select = try connection.statement(.dataVersion)
        guard try select.step() else { throw .corrupt("The database does not count its commits.") }
        return select.integer(0)
    }

    /// Writes what no upload is decided by, or only those of one user; after any other write all scenes are forgotten.
    func keepingScenes<Result>(
        butOf user: UserKey? = nil, _ write: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        scenes.verify(changes: connection.totalChanges)
        if let user { scenes.forget(user) }
        let result = try write()
        scenes.account(for: connection.totalChanges)
        return result
    }

    /// Gives the group up, unless SQLite has done so by itself.
    func rollBack() {
        scenes.forgetAll()
        guard connection.isInTransaction else { return }
        // Should it fail, nothing was acknowledged, and the next group tries again.
        _ = Result { () throws(StoreError) in try connection.execute("ROLLBACK") }
    }
}

extension Query {
    fileprivate static let begin = Query("BEGIN IMMEDIATE")
    fileprivate static let commit = Query("COMMIT")
    fileprivate static let dataVersion = Query("PRAGMA data_version")
    // Another process may have written a later one.
    fileprivate static let raiseLatestTime = Query("UPDATE store SET latest_time = max(coalesce(latest_time, ?1), ?1)")
}
