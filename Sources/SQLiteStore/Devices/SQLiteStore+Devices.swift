package import RestorationService

extension SQLiteStore {
    package func register(
        _ device: Device, token: Digest, linkCode: Digest?
    ) async throws(StoreError) -> Committed<Joining> {
        try await writer.write(effects: { .registration($0) }) { transaction throws(StoreError) in
            var device = device
            if let linkCode {
                let owner = try transaction.connection.owner(of: linkCode, in: device.owner.app, at: device.createdAt)
                guard let owner else { return .codeInvalid }
                device.owner = owner
            }
            var user = try transaction.user(device.owner)
            guard try transaction.connection.hasRoom(user) else { return .tooManyDevices }
            try transaction.keepingScenes(except: device.owner) { () throws(StoreError) in
                if let linkCode { try transaction.use(linkCode) }
                try transaction.insert(device, of: user, token: token)
                try transaction.log(.deviceRegistered, for: &user, device: device.id, at: device.createdAt)
            }
            return .joined(device)
        }
    }

    package func device(token: Digest) async throws(StoreError) -> Fresh<Device>? {
        try readers.read { connection throws(StoreError) in
            try versions.fresh(ownedBy: \.owner) { () throws(StoreError) in
                let select = try connection.statement(.deviceByToken)
                select.bind(token, at: 1)
                return try select.step() ? try select.device() : nil
            }
        }
    }

    package func devices(of owner: UserKey) async throws(StoreError) -> [Device] {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.devicesOfUser)
            select.bind(owner.app, at: 1)
            select.bind(owner.user, at: 2)
            var devices: [Device] = []
            while try select.step() { devices.append(try select.device()) }
            return devices
        }
    }

    package func revoke(
        _ device: DeviceID, of owner: UserKey, at time: Timestamp
    ) async throws(StoreError) -> Committed<Bool> {
        try await writer.write(effects: { .revocation(of: owner, $0) }) { transaction throws(StoreError) in
            guard try transaction.connection.device(device, of: owner) != nil else { return false }
            try transaction.keepingScenes(except: owner) { () throws(StoreError) in
                for query in [Query.deleteTokens, .deleteDevice] {
                    let delete = try transaction.connection.statement(query)
                    delete.bind(device, at: 1)
                    try delete.run()
                }
                var user = try transaction.user(owner)
                let deleteCodes = try transaction.connection.statement(.deleteLinkCodesOfUser)
                deleteCodes.bind(user.id, at: 1)
                try deleteCodes.run()
                try transaction.dropServedLast(of: device, by: user)
                try transaction.log(.deviceRevoked, for: &user, device: device, at: time)
            }
            return true
        }
    }

    /// The maximum number of devices whose times of last use are written in one transaction.
    private static let devicesAtOnce = 1000

    /// Writes the times in several transactions. The service may gather the times of 100,000 devices, and a slow write
    /// delays all other writes. So upkeep runs in small steps (docs/decisions/0028-group-commit.md). If a transaction
    /// fails, the times of the earlier transactions stay written. The service then writes all times again. This is
    /// harmless, because a stored time only rises.
    package func noteSeen(_ times: [UserKey: [DeviceID: Timestamp]]) async throws(StoreError) {
        var part: [UserKey: [DeviceID: Timestamp]] = [:]
        var count = 0
        for (owner, devices) in times {
            for (device, time) in devices {
                part[owner, default: [:]][device] = time
                count += 1
                guard count == Self.devicesAtOnce else { continue }
                try await noteSeenAtOnce(part)
                part = [:]
                count = 0
            }
        }
        if count > 0 { try await noteSeenAtOnce(part) }
    }

    private func noteSeenAtOnce(_ times: [UserKey: [DeviceID: Timestamp]]) async throws(StoreError) {
        try await writer.write { transaction throws(StoreError) in
            try transaction.keepingScenes { () throws(StoreError) in
                for (owner, devices) in times {
                    guard let user = try transaction.connection.user(owner) else { continue }
                    try transaction.noteSeen(devices, of: user)
                }
            }
        }
    }

    package func create(_ code: LinkCode) async throws(StoreError) {
        try await writer.write { transaction throws(StoreError) in
            let user = try transaction.knownUser(code.owner)
            let insert = try transaction.connection.statement(.insertLinkCode)
            insert.bind(code.digest, at: 1)
            insert.bind(user.id, at: 2)
            insert.bind(code.expiresAt, at: 3)
            try insert.run()
        }
    }

    /// The number of rows that a move reports to the writer: the default limit of one transaction
    /// (`Configuration.rowsAtOnce`).
    private static let rowsOfMove = 16_384

    package func move(
        _ device: DeviceID, of owner: UserKey, linkCode: Digest, at time: Timestamp, retention: Int
    ) async throws(StoreError) -> Committed<Joining> {
        // A move is rare and changes scenes of two users, so it empties the whole cache of scenes (`SceneMemory`). A
        // move may read all archives of both users, so each transaction performs at most one move.
        try await writer.write(rows: Self.rowsOfMove, effects: { .move(from: owner, $0) }) {
            transaction throws(StoreError) in
            guard var moved = try transaction.connection.device(device, of: owner),
                let target = try transaction.connection.owner(of: linkCode, in: owner.app, at: time)
            else { return .codeInvalid }
            var (source, destination) = (try transaction.user(owner), try transaction.user(target))
            let hasRoom = try transaction.connection.hasRoom(destination)
            guard target == owner || hasRoom else { return .tooManyDevices }
            let isSame = target == owner
            let moves = isSame ? [] : try transaction.moves(of: device, of: owner, from: source, to: destination)
            guard try transaction.hasRoom(for: moves, of: destination) else { return .tooManyScenes }
            try transaction.use(linkCode)
            guard !isSame else { return .joined(moved) }
            // The device knows revisions of its old user. The new user's revision rises to at least the old user's
            // revision, so that no later change of the new user gets a revision that the device knows.
            destination.revision = max(destination.revision, source.revision)
            let update = try transaction.connection.statement(.moveDevice)
            update.bind(device, at: 1)
            update.bind(destination.id, at: 2)
            update.bind(destination.revision, at: 3)
            try update.run()
            try transaction.log(.deviceRegistered, for: &destination, device: device, at: time)
            for scene in try transaction.carryOut(moves, of: device, from: &source, to: &destination, at: time) {
                try transaction.prune(scene, of: target, keeping: retention)
            }
            try transaction.log(.deviceRevoked, for: &source, device: device, at: time)
            try transaction.dropServedLast(of: device, by: source)
            try transaction.leaveRegistries(of: device, by: source)
            try transaction.dropLinks(of: device, by: source)
            moved.owner = target
            return .joined(moved)
        }
    }
}

extension Transaction {
    fileprivate func insert(_ device: Device, of user: UserRow, token: Digest) throws(StoreError) {
        let insert = try connection.statement(.insertDevice)
        insert.bind(device.id, at: 1)
        insert.bind(user.id, at: 2)
        insert.bind(device.idiom.rawValue, at: 3)
        insert.bind(device.model, at: 4)
        insert.bind(device.name, at: 5)
        insert.bind(device.createdAt, at: 6)
        insert.bind(device.lastSeenAt, at: 7)
        try insert.run()
        let insertToken = try connection.statement(.insertToken)
        insertToken.bind(token, at: 1)
        insertToken.bind(connection.lastInsertedRow, at: 2)
        try insertToken.run()
    }

    /// Writes the times of last use of a user's devices, and raises the user's latest time. Ignores the times of
    /// devices that do not belong to the user.
    fileprivate func noteSeen(_ times: [DeviceID: Timestamp], of user: UserRow) throws(StoreError) {
        var latest: Timestamp?
        for (device, time) in times {
            let update = try connection.statement(.noteSeen)
            update.bind(device, at: 1)
            update.bind(time, at: 2)
            update.bind(user.id, at: 3)
            try update.run()
            if connection.changedRows > 0 { latest = max(latest ?? time, time) }
        }
        guard let latest else { return }
        let update = try connection.statement(.raiseLatestTimeOfRow)
        update.bind(user.id, at: 1)
        update.bind(latest, at: 2)
        try update.run()
    }

    /// Deletes a link code, because it can be used only once.
    fileprivate func use(_ code: Digest) throws(StoreError) {
        let delete = try connection.statement(.deleteLinkCode)
        delete.bind(code, at: 1)
        try delete.run()
    }
}

extension Connection {
    func device(_ id: DeviceID, of owner: UserKey) throws(StoreError) -> Device? {
        let select = try statement(.deviceOfUser)
        select.bind(id, at: 1)
        select.bind(owner.app, at: 2)
        select.bind(owner.user, at: 3)
        return try select.step() ? try select.device() : nil
    }

    /// Returns the user that a link code belongs to. Nil if the app has no such code, or if the code has expired.
    fileprivate func owner(of code: Digest, in app: AppID, at time: Timestamp) throws(StoreError) -> UserKey? {
        let select = try statement(.linkCode)
        select.bind(code, at: 1)
        select.bind(app, at: 2)
        select.bind(time, at: 3)
        return try select.step() ? UserKey(app: app, user: try select.id(0)) : nil
    }

    /// Returns whether the user may have one more device.
    fileprivate func hasRoom(_ user: UserRow) throws(StoreError) -> Bool {
        let select = try statement(.deviceCount)
        select.bind(user.id, at: 1)
        return try select.step() && select.integer(0) < Int64(Limits.devices)
    }
}

extension Statement {
    fileprivate func device() throws(StoreError) -> Device {
        Device(
            id: try id(0), owner: UserKey(app: try id(1), user: try id(2)), idiom: try idiom(3),
            model: optionalText(4), name: optionalText(5), createdAt: try time(6), lastSeenAt: try time(7))
    }
}

extension Query {
    private static let columns = """
        SELECT device.uuid, user.app, user.uuid, idiom, model, name, device.created_at, last_seen_at
        FROM device JOIN user ON user.id = device.user

        """
    fileprivate static let deviceByToken = Query(
        columns + "JOIN token ON token.device = device.id WHERE token.digest = ?1")
    fileprivate static let deviceOfUser = Query(
        columns + "WHERE device.uuid = ?1 AND user.app = ?2 AND user.uuid = ?3")
    fileprivate static let devicesOfUser = Query(
        columns + "WHERE user.app = ?1 AND user.uuid = ?2 ORDER BY device.created_at, device.uuid")
    fileprivate static let deviceCount = Query("SELECT count(*) FROM device WHERE user = ?1")
    fileprivate static let insertDevice = Query(
        """
        INSERT INTO device (uuid, user, idiom, model, name, created_at, last_seen_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        """)
    fileprivate static let insertToken = Query("INSERT INTO token (digest, device, access) VALUES (?1, ?2, 0)")
    fileprivate static let deleteTokens = Query(
        "DELETE FROM token WHERE device = (SELECT id FROM device WHERE uuid = ?1)")
    fileprivate static let deleteDevice = Query("DELETE FROM device WHERE uuid = ?1")
    fileprivate static let moveDevice = Query(
        "UPDATE device SET user = ?2, joined_revision = ?3 WHERE uuid = ?1")
    fileprivate static let noteSeen = Query(
        "UPDATE device SET last_seen_at = max(last_seen_at, ?2) WHERE uuid = ?1 AND user = ?3")
    fileprivate static let raiseLatestTimeOfRow = Query(
        "UPDATE user SET latest_time = ?2 WHERE id = ?1 AND (latest_time < ?2 OR latest_time IS NULL)")
    fileprivate static let insertLinkCode = Query("INSERT OR REPLACE INTO link_code VALUES (?1, ?2, ?3, NULL)")
    fileprivate static let linkCode = Query(
        """
        SELECT user.uuid FROM link_code JOIN user ON user.id = link_code.user
        WHERE digest = ?1 AND user.app = ?2 AND expires_at > max(?3, coalesce(user.latest_time, ?3))
        """)
    fileprivate static let deleteLinkCodesOfUser = Query("DELETE FROM link_code WHERE user = ?1")
    fileprivate static let deleteLinkCode = Query("DELETE FROM link_code WHERE digest = ?1")
}
