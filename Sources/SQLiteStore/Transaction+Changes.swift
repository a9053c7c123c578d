import RestorationService

extension Transaction {
    /// The row of a user, made when it is first needed.
    func user(_ key: UserKey) throws(StoreError) -> Int64 {
        if let known = try connection.user(key) { return known }
        let insert = try connection.statement(.insertUser)
        insert.bind(key.app, at: 1)
        insert.bind(key.user, at: 2)
        try insert.run()
        return connection.lastInsertedRow
    }

    /// The row of a scene, made when it is first needed.
    func scene(_ name: String, of user: Int64) throws(StoreError) -> Int64 {
        do {
            let select = try connection.statement(.sceneOfUser)
            select.bind(user, at: 1)
            select.bind(name, at: 2)
            if try select.step() { return select.integer(0) }
        }
        let insert = try connection.statement(.insertScene)
        insert.bind(user, at: 1)
        insert.bind(name, at: 2)
        try insert.run()
        return connection.lastInsertedRow
    }

    /// Gives a user's next revision to a change, and logs it.
    @discardableResult
    func log(
        _ kind: Change.Kind, for user: Int64, scene: Int64? = nil, archive: ArchiveID? = nil,
        device: DeviceID? = nil, at time: Timestamp
    ) throws(StoreError) -> Revision {
        let revision = try nextRevision(of: user)
        let insert = try connection.statement(.insertChange)
        insert.bind(user, at: 1)
        insert.bind(revision, at: 2)
        insert.bind(kind.rawValue, at: 3)
        insert.bind(scene, at: 4)
        insert.bind(archive, at: 5)
        insert.bind(device, at: 6)
        insert.bind(time, at: 7)
        try insert.run()
        note(time)
        return revision
    }

    private func nextRevision(of user: Int64) throws(StoreError) -> Revision {
        let update = try connection.statement(.nextRevision)
        update.bind(user, at: 1)
        guard try update.step() else { throw .corrupt("A user is missing.") }
        let revision = update.revision(0)
        try update.run()
        return revision
    }
}

extension Connection {
    func user(_ key: UserKey) throws(StoreError) -> Int64? {
        let select = try statement(.user)
        select.bind(key.app, at: 1)
        select.bind(key.user, at: 2)
        return try select.step() ? select.integer(0) : nil
    }

    func scene(_ key: SceneKey) throws(StoreError) -> Int64? {
        let select = try statement(.scene)
        select.bind(key, at: 1)
        return try select.step() ? select.integer(0) : nil
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
    fileprivate static let user = Query("SELECT id FROM user WHERE app = ?1 AND uuid = ?2")
    fileprivate static let insertUser = Query("INSERT INTO user (app, uuid) VALUES (?1, ?2)")
    fileprivate static let nextRevision = Query(
        "UPDATE user SET revision = revision + 1 WHERE id = ?1 RETURNING revision")
    fileprivate static let scene = Query(
        """
        SELECT scene.id FROM user JOIN scene ON scene.user = user.id
        WHERE user.app = ?1 AND user.uuid = ?2 AND scene.name = ?3
        """)
    fileprivate static let sceneOfUser = Query("SELECT id FROM scene WHERE user = ?1 AND name = ?2")
    fileprivate static let insertScene = Query("INSERT INTO scene (user, name) VALUES (?1, ?2)")
    fileprivate static let insertChange = Query("INSERT INTO change VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
}
