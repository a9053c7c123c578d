import PlacekeeperCore
import PlacekeeperService

extension Transaction {
    /// The maximum number of rows of each kind that a step deletes.
    static let erasureStep = 1000
    /// Roughly how many bytes of archives and screenshots a step deletes. SQLite writes all their pages to the log
    /// again, as zeros.
    private static let erasureBytes = 2 << 20
    /// Owns the newest change in the table after the change's user was erased. No app or user has id 0.
    static let nobody = UserKey(app: AppID(high: 0, low: 0), user: UserID(high: 0, low: 0))

    /// Deletes a user's devices, tokens, installations, link codes and subject. From then on, requests for the user are
    /// rejected, and signing in with the subject creates another user.
    func endAccess(to user: UserRow) throws(StoreError) {
        users.forget(user.key)
        for query in [Query.eraseLinkCodes, .eraseTokens, .eraseInstallations, .eraseSubject] {
            _ = try erase(query, user.id)
        }
        if try erase(.eraseDevices, user.id) { try count(Usage(devices: -connection.changedRows), in: user.key.app) }
    }

    /// Deletes users one after another, up to `erasureStep` rows or `erasureBytes`. Returns the users that are left.
    func erase(_ owners: ArraySlice<UserKey>) throws(StoreError) -> ArraySlice<UserKey> {
        let start = connection.totalChanges
        var rest = owners
        var room = Self.erasureBytes
        while let owner = rest.first, room > 0, connection.totalChanges - start < Self.erasureStep {
            let hasMore = try step { () throws(StoreError) in try eraseStep(of: owner, &room) }
            guard let hasMore else { throw .corrupt("A damaged row of the user cannot be deleted.") }
            if !hasMore { rest.removeFirst() }
        }
        return rest
    }

    /// Deletes part of a user's data. Returns true if more may be left; finally deletes the user's row and returns
    /// false. A request that was accepted before the erasure began may still add rows between steps, so each step looks
    /// for every kind of row.
    func eraseStep(of owner: UserKey, _ room: inout Int) throws(StoreError) -> Bool {
        guard var user = try connection.clampedUser(owner) else { return false }
        try endAccess(to: user)
        if try eraseArchives(of: &user, &room) { return true }
        if try endDeletions(.deletionsOfUser, user.id, inSteps: true) { return true }
        for query in [Query.eraseHeads, .eraseTombstones, .eraseLinks, .eraseLogEntries] {
            if try erase(query, user.id) { return true }
        }
        if try eraseRegistries(of: &user) { return true }
        if try dropDetachedRegistries() { return true }
        if let newest = user.lastChange {
            try eraseChanges(of: user.id, from: newest)
            return true
        }
        if try erase(.eraseScenes, user.id) { return true }
        try connection.run(.eraseUser, user.id)
        try count(Usage(users: -1), in: user.key.app)
        return false
    }

    /// Runs a statement that deletes or changes rows of a user. Returns whether there were any.
    private func erase(_ query: Query, _ user: Int64) throws(StoreError) -> Bool {
        try connection.run(query, user)
        return connection.changedRows > 0
    }

    /// Deletes some of a user's archives and everything that belongs to them. Returns whether there were any.
    private func eraseArchives(of user: inout UserRow, _ room: inout Int) throws(StoreError) -> Bool {
        var rows: [ArchiveRow] = []
        do {
            let select = try connection.statement(.archivesToErase, user.id, Self.erasureStep / 4)
            while room > 0, try select.step() {
                let row = select.archiveToErase()
                rows.append(row)
                room -= row.bytes
            }
        }
        guard !rows.isEmpty else { return false }
        for row in rows {
            try deleteRow(of: row)
            try removeParts(of: row)
            try removeContent(of: row)
            try count(Usage(bytes: -row.bytes, archives: -1), of: &user)
        }
        try storeUsage(of: user)
        return true
    }

    /// Detaches some of a user's registrations; their items are deleted later. Returns whether there were any.
    private func eraseRegistries(of user: inout UserRow) throws(StoreError) -> Bool {
        let bytes: Int
        do {
            let update = try connection.statement(.detachRegistries, user.id)
            bytes = try update.sumOfCounts()
            guard connection.changedRows > 0 else { return false }
        }
        try count(Usage(bytes: -bytes), of: &user)
        try storeUsage(of: user)
        return true
    }

    /// Deletes up to `erasureStep` of a user's changes, newest first.
    private func eraseChanges(of user: Int64, from newest: Int64) throws(StoreError) {
        var next: Int64? = newest
        for _ in 0..<Self.erasureStep {
            guard let change = next else { break }
            next = try previous(change, of: user)
            let isGivenAway = try giveAway(change, of: user)
            let delete = try connection.statement(.eraseChange, change, user)
            if !isGivenAway { try delete.run() }
        }
        try connection.run(.setLastChange, user, next)
    }

    /// Returns a user's change before the given one. `nil` if there is none, or if the given one was pruned.
    private func previous(_ change: Int64, of user: Int64) throws(StoreError) -> Int64? {
        let select = try connection.statement(.previousChange, change, user)
        return try select.step() ? select.optionalKey(0) : nil
    }

    /// If a change is the newest in the table, clears it and assigns it to `nobody`. It can't be deleted yet, because
    /// SQLite derives the id of the next change from the greatest id in the table. Pruning drops it later.
    private func giveAway(_ change: Int64, of user: Int64) throws(StoreError) -> Bool {
        do {
            let select = try connection.statement(.newestChange)
            guard try select.step(), try select.optionalKey(0) == change else { return false }
        }
        let nobody = try self.nobody()
        try connection.run(.emptyChange, change, user, nobody, Change.Kind.deviceRevoked.rawValue)
        return true
    }
}

extension Transaction {
    /// Returns the row id of `nobody`, and inserts the row if needed.
    func nobody() throws(StoreError) -> Int64 {
        if let known = try connection.user(Self.nobody) { return known.id }
        try connection.run(.insertNobody, Self.nobody)
        let row = connection.lastInsertedRow
        try count(Usage(users: 1), in: Self.nobody.app)
        return row
    }
}

extension Connection {
    /// Returns a user's row even if it is damaged: its counts are clamped to valid values.
    func clampedUser(_ key: UserKey) throws(StoreError) -> UserRow? { try user(key) { $0.clampedNumber($1, $2) } }
}

extension Statement {
    /// Reads the row of an archive to be erased from seven columns: scene, captured_at, revision, content,
    /// has_screenshot, has_outcomes, and the size in bytes. Any number is accepted as a key, because it only identifies
    /// the row.
    func archiveToErase() -> ArchiveRow {
        let position = Archive.Position(
            capturedAt: Timestamp(milliseconds: clampedNumber(1, .any)),
            revision: Revision(rawValue: clampedNumber(2, .any)))
        return ArchiveRow(
            scene: clampedNumber(0, .any), position: position, content: clampedNumber(3, .any),
            bytes: Int(clampedNumber(6, .count)), hasScreenshot: clampedNumber(4, .flag) != 0,
            hasOutcomes: clampedNumber(5, .flag) != 0)
    }
}

extension Query {
    private static let devices = "(SELECT id FROM device WHERE user = ?1)"
    fileprivate static let eraseLinkCodes = Query("DELETE FROM link_code WHERE user = ?1")
    fileprivate static let eraseTokens = Query("DELETE FROM token WHERE device IN \(devices)")
    fileprivate static let eraseInstallations = Query("DELETE FROM installation WHERE device IN \(devices)")
    fileprivate static let eraseDevices = Query("DELETE FROM device WHERE user = ?1")
    fileprivate static let eraseSubject = Query(
        "UPDATE user SET subject = NULL, subject_digest = NULL WHERE id = ?1 AND subject_digest IS NOT NULL")
    fileprivate static let archivesToErase = Query(
        """
        SELECT archive.scene, captured_at, archive.revision, archive.content, has_screenshot, has_outcomes,
            archive.size + \(screenshotBytes)
        FROM scene CROSS JOIN archive ON archive.scene = scene.id WHERE scene.user = ?1 LIMIT ?2
        """)
    fileprivate static let eraseHeads = Query(
        """
        DELETE FROM device_head WHERE (user, period, scene, device) IN (
            SELECT user, period, scene, device FROM device_head WHERE user = ?1 LIMIT 1000)
        """)
    fileprivate static let eraseTombstones = Query(
        """
        DELETE FROM tombstone WHERE (scene, uuid) IN (
            SELECT tombstone.scene, tombstone.uuid
            FROM scene CROSS JOIN tombstone ON tombstone.scene = scene.id WHERE scene.user = ?1 LIMIT 1000)
        """)
    fileprivate static let eraseLinks = Query(
        """
        DELETE FROM link
        WHERE (user, data_source, first_device, first_key, second_device, second_key) IN (
            SELECT user, data_source, first_device, first_key, second_device, second_key
            FROM link WHERE user = ?1 LIMIT 1000)
        """)
    fileprivate static let detachRegistries = Query(
        """
        UPDATE registry SET user = NULL WHERE id IN (SELECT id FROM registry WHERE user = ?1 LIMIT 1000) RETURNING bytes
        """)
    fileprivate static let previousChange = Query("SELECT previous FROM change WHERE id = ?1 AND user = ?2")
    fileprivate static let eraseChange = Query("DELETE FROM change WHERE id = ?1 AND user = ?2")
    fileprivate static let setLastChange = Query("UPDATE user SET last_change = ?2 WHERE id = ?1")
    fileprivate static let newestChange = Query("SELECT max(id) FROM change")
    fileprivate static let emptyChange = Query(
        """
        UPDATE change SET user = ?3, revision = 0, previous = NULL, kind = ?4, scene = NULL, archive = NULL, device = NULL
        WHERE id = ?1 AND user = ?2
        """)
    fileprivate static let eraseScenes = Query(
        "DELETE FROM scene WHERE id IN (SELECT id FROM scene WHERE user = ?1 LIMIT 1000)")
    fileprivate static let insertNobody = Query("INSERT INTO user (app, uuid) VALUES (?1, ?2)")
    fileprivate static let eraseUser = Query("DELETE FROM user WHERE id = ?1")
}
