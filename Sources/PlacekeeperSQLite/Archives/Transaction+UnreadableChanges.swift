import PlacekeeperService

extension Transaction {
    /// Drops a user's changes that no reader can ask for any more, whenever the user's revision is a multiple of
    /// `Limits.changesBehind`. So less than twice this number of changes is kept. `changes(of:after:limit:)` never
    /// returns the dropped changes, because its readers are at most `Limits.changesBehind` revisions behind.
    ///
    /// The user's `pruned_revision` does not rise, because the store still knows the scenes that the dropped changes
    /// left empty (`dropEmptyScenes`).
    func dropUnreadableChanges(of user: UserRow) throws(StoreError) {
        let behind = Int64(Limits.changesBehind)
        guard user.revision.rawValue % behind == 0, user.revision.rawValue > behind, let newest = user.lastChange else {
            return
        }
        let end = Revision(rawValue: user.revision.rawValue - behind)
        var last = newest
        var next: Int64? = newest
        while let change = next, let link = try connection.link(of: change, user), link.revision > end {
            last = change
            next = link.previous
        }
        // A database of an earlier version may have more changes. The later calls drop them.
        guard let oldest = next, try connection.link(of: oldest, user) != nil else { return }
        for _ in 0..<2 * Limits.changesBehind {
            guard let change = next, let link = try connection.link(of: change, user) else { break }
            let delete = try connection.statement(.dropChange)
            delete.bind(change, at: 1)
            try delete.run()
            next = link.previous
        }
        // The chain of the user's changes stays complete, because an erasure follows this chain.
        let update = try connection.statement(.setPreviousChange)
        update.bind(last, at: 1)
        update.bind(next, at: 2)
        try update.run()
    }
}

extension Connection {
    /// Returns the revision of a user's change, and the change before it. Nil if the change was pruned.
    fileprivate func link(
        of change: Int64, _ user: UserRow
    ) throws(StoreError) -> (revision: Revision, previous: Int64?)? {
        let select = try statement(.changeLink)
        select.bind(change, at: 1)
        select.bind(user.id, at: 2)
        guard try select.step() else { return nil }
        // A change has a greater number than the change before it. So the chain has an end, also in a damaged database.
        let previous = try select.optionalKey(1).flatMap { $0 < change ? $0 : nil }
        return (try select.revision(0), previous)
    }
}

extension Query {
    fileprivate static let changeLink = Query("SELECT revision, previous FROM change WHERE id = ?1 AND user = ?2")
    fileprivate static let dropChange = Query("DELETE FROM change WHERE id = ?1")
    fileprivate static let setPreviousChange = Query("UPDATE change SET previous = ?2 WHERE id = ?1")
}
