import PlacekeeperService

/// A user's row, with the last revision that was assigned.
struct UserRow {
    let id: Int64
    let app: AppID
    var revision: Revision
    /// Changes up to this revision may have been pruned.
    var prunedRevision = Revision(rawValue: 0)
    /// The row of the user's newest change.
    var lastChange: Int64?
    /// Whether the user has an account of the app.
    var isSignedIn = false
    /// The bytes and the number of archives that `Usage` counts.
    var bytes = 0
    var archives = 0

    /// The revision of the user's next change.
    var nextRevision: Revision { Revision(rawValue: revision.rawValue + 1) }
}

extension Transaction {
    /// Returns the row of a user. Throws `userGone` if the user has no row, for example because the user was erased
    /// after the service had accepted the request.
    func knownUser(_ key: UserKey) throws(StoreError) -> UserRow {
        guard let user = try connection.user(key) else { throw .userGone }
        return user
    }

    /// Returns the row of a user, and inserts it if needed. Only for the registration of a device, and for an upload
    /// without a requesting device. Any other write would bring back a user that was erased.
    func user(_ key: UserKey) throws(StoreError) -> UserRow {
        if let user = try connection.user(key) { return user }
        return try createUser(key, at: Timestamp(milliseconds: 0))
    }

    /// Returns the row of a scene, and inserts it if needed.
    func scene(_ name: String, of user: UserRow) throws(StoreError) -> Int64 {
        do {
            let select = try connection.statement(.sceneOfUser)
            select.bind(user.id, at: 1)
            select.bind(name, at: 2)
            if try select.step() { return try select.key(0) }
        }
        let insert = try connection.statement(.insertScene)
        insert.bind(user.id, at: 1)
        insert.bind(name, at: 2)
        try insert.run()
        return connection.lastInsertedRow
    }

    /// Assigns the user's next revision to a change, and logs the change. The statement that stores the revision also
    /// raises the user's latest time, and stores the user's usage.
    func log(
        _ kind: Change.Kind, for user: inout UserRow, scene: Int64? = nil, archive: ArchiveID? = nil,
        device: DeviceID? = nil, at time: Timestamp
    ) throws(StoreError) {
        user.revision = user.nextRevision
        let insert = try connection.statement(.insertChange)
        insert.bind(user.id, at: 1)
        insert.bind(user.revision, at: 2)
        insert.bind(user.lastChange, at: 3)
        insert.bind(kind.rawValue, at: 4)
        insert.bind(scene, at: 5)
        insert.bind(archive, at: 6)
        insert.bind(device, at: 7)
        insert.bind(time, at: 8)
        try insert.run()
        user.lastChange = connection.lastInsertedRow
        let update = try connection.statement(.setRevision)
        update.bind(user.id, at: 1)
        update.bind(user.revision, at: 2)
        update.bind(user.lastChange, at: 3)
        update.bind(time, at: 4)
        update.bind(user.bytes, at: 5)
        update.bind(user.archives, at: 6)
        try update.run()
        if let scene, kind == .archiveDeleted || kind == .sceneForgotten {
            let update = try connection.statement(.noteRemoval)
            update.bind(scene, at: 1)
            update.bind(user.lastChange, at: 2)
            update.bind(time, at: 3)
            try update.run()
        }
        try dropUnreadableChanges(of: user)
    }

    /// Raises a user's latest time, for a write that logs no change. Does nothing if the latest time is not earlier
    /// than `time`.
    func note(_ time: Timestamp, for owner: UserKey) throws(StoreError) {
        let update = try connection.statement(.raiseLatestTime)
        update.bind(owner.app, at: 1)
        update.bind(owner.user, at: 2)
        update.bind(time, at: 3)
        try update.run()
    }
}

extension Connection {
    /// Returns the row of a user, or nil if the user has no row.
    ///
    /// - Parameter read: reads a number of the row.
    func user(
        _ key: UserKey,
        _ read: (borrowing Statement, Int32, StoredNumber) throws(StoreError) -> Int64 = {
            (row, column, kind) throws(StoreError) in try row.number(column, kind)
        }
    ) throws(StoreError) -> UserRow? {
        let select = try statement(.user)
        select.bind(key.app, at: 1)
        select.bind(key.user, at: 2)
        guard try select.step() else { return nil }
        return UserRow(
            id: try select.key(0), app: key.app, revision: Revision(rawValue: try read(select, 1, .revision)),
            prunedRevision: Revision(rawValue: try read(select, 2, .revision)),
            lastChange: try select.optionalKey(3), isSignedIn: try select.flag(4),
            bytes: Int(try read(select, 5, .count)), archives: Int(try read(select, 6, .count)))
    }
}

extension Statement {
    /// Binds three parameters: the app, the user and the scene's name.
    func bind(_ scene: SceneKey, at index: Int32) {
        bind(scene.owner.app, at: index)
        bind(scene.owner.user, at: index + 1)
        bind(scene.name, at: index + 2)
    }
}

extension Query {
    fileprivate static let user = Query(
        """
        SELECT id, revision, pruned_revision, last_change, subject_digest IS NOT NULL, bytes, archives
        FROM user WHERE app = ?1 AND uuid = ?2
        """)
    // SQL compares the times, because a cached `UserRow` does not contain the user's latest time.
    fileprivate static let setRevision = Query(
        """
        UPDATE user SET revision = ?2, last_change = ?3, latest_time = iif(latest_time > ?4, latest_time, ?4),
            bytes = ?5, archives = ?6
        WHERE id = ?1
        """)
    fileprivate static let raiseLatestTime = Query(
        """
        UPDATE user SET latest_time = ?3
        WHERE app = ?1 AND uuid = ?2 AND (latest_time < ?3 OR latest_time IS NULL)
        """)
    fileprivate static let noteRemoval = Query("UPDATE scene SET last_removal = ?2, removed_at = ?3 WHERE id = ?1")
    fileprivate static let sceneOfUser = Query("SELECT id FROM scene WHERE user = ?1 AND name = ?2")
    fileprivate static let insertScene = Query("INSERT INTO scene (user, name) VALUES (?1, ?2)")
    fileprivate static let insertChange = Query(
        """
        INSERT INTO change (user, revision, previous, kind, scene, archive, device, at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        """)
}
