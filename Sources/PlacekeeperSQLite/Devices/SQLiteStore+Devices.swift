package import PlacekeeperService

extension SQLiteStore {
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

    package func device(_ id: DeviceID, in app: AppID) async throws(StoreError) -> Device? {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.deviceOfApp)
            select.bind(id, at: 1)
            select.bind(app, at: 2)
            return try select.step() ? try select.device() : nil
        }
    }

    package func revoke(
        _ device: DeviceID, of owner: UserKey, at time: Timestamp
    ) async throws(StoreError) -> Committed<Bool> {
        try await writer.write(effects: { .access(of: owner, $0) }) { transaction throws(StoreError) in
            guard let device = try transaction.connection.device(device, of: owner) else { return false }
            try transaction.revoke(device, at: time)
            return true
        }
    }

    package func describe(_ device: Device) async throws(StoreError) -> Committed<Bool> {
        try await writer.write(effects: { .access(of: device.owner, $0) }) { transaction throws(StoreError) in
            guard try transaction.connection.device(device.id, of: device.owner) != nil else { return false }
            try transaction.keepingScenes { () throws(StoreError) in try transaction.describe(device) }
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
            if let maker = code.maker, try transaction.connection.device(maker, of: code.owner) == nil {
                throw .userGone
            }
            let insert = try transaction.connection.statement(.insertLinkCode)
            insert.bind(code.digest, at: 1)
            insert.bind(user.id, at: 2)
            insert.bind(code.expiresAt, at: 3)
            try insert.run()
        }
    }
}

extension Transaction {
    /// Inserts a device with its token and its installation.
    func insert(_ device: Device, of user: UserRow, _ new: NewDevice) throws(StoreError) {
        let row = try insertRow(of: device, of: user)
        try self.insert(NewToken(digest: new.token), ofDeviceRow: row)
        guard let installation = new.installation else { return }
        let insertInstallation = try connection.statement(.insertInstallation)
        insertInstallation.bind(device.owner.app, at: 1)
        insertInstallation.bind(installation.id, at: 2)
        insertInstallation.bind(installation.secret, at: 3)
        insertInstallation.bind(row, at: 4)
        try insertInstallation.run()
    }

    /// Inserts a device without a token, and returns the device's row.
    @discardableResult
    func insertRow(of device: Device, of user: UserRow) throws(StoreError) -> Int64 {
        let insert = try connection.statement(.insertDevice)
        insert.bind(device.id, at: 1)
        insert.bind(user.id, at: 2)
        insert.bind(device.createdAt, at: 3)
        insert.bind(device.lastSeenAt, at: 4)
        insert.bindDescription(of: device, at: 5)
        try insert.run()
        let row = connection.lastInsertedRow
        try count(Usage(devices: 1), in: user.app)
        return row
    }

    /// Writes the idiom, model, name and system version of a device.
    func describe(_ device: Device) throws(StoreError) {
        let update = try connection.statement(.describeDevice)
        update.bind(device.id, at: 1)
        update.bindDescription(of: device, at: 2)
        try update.run()
    }

    /// Deletes a device with its tokens and its installation, and all link codes of its user.
    func revoke(_ device: Device, at time: Timestamp) throws(StoreError) {
        try keepingScenes(except: device.owner) { () throws(StoreError) in
            for query in [Query.deleteTokensOfDevice, .deleteInstallationOfDevice, .deleteDevice] {
                let delete = try connection.statement(query)
                delete.bind(device.id, at: 1)
                try delete.run()
            }
            var user = try user(device.owner)
            try count(Usage(devices: -1), in: user.app)
            let deleteCodes = try connection.statement(.deleteLinkCodesOfUser)
            deleteCodes.bind(user.id, at: 1)
            try deleteCodes.run()
            try dropServedLast(of: device.id, by: user)
            try log(.deviceRevoked, for: &user, device: device.id, at: time)
        }
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

    /// Notes the device that used a link code.
    func use(_ code: Digest, by device: DeviceID) throws(StoreError) {
        let update = try connection.statement(.useLinkCode)
        update.bind(code, at: 1)
        update.bind(device, at: 2)
        try update.run()
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

    /// Returns the device of an installation, and the digest of the installation's secret. Nil if the installation is
    /// not known.
    func device(of installation: Installation, in app: AppID) throws(StoreError) -> (device: Device, secret: Digest)? {
        let select = try statement(.deviceOfInstallation)
        select.bind(app, at: 1)
        select.bind(installation.id, at: 2)
        guard try select.step() else { return nil }
        return (try select.device(), try select.digest(Query.deviceColumnCount))
    }

    /// Returns the installation of a device.
    func installation(of device: DeviceID) throws(StoreError) -> Installation? {
        let select = try statement(.installationOfDevice)
        select.bind(device, at: 1)
        guard try select.step() else { return nil }
        return Installation(id: try select.id(0), secret: try select.digest(1))
    }

    /// Returns the user of a link code, and the device that used the code. Nil if the app has no such code, or if the
    /// code has expired.
    func linkCode(_ code: Digest, in app: AppID, at time: Timestamp) throws(StoreError) -> (
        owner: UserKey, usedBy: DeviceID?
    )? {
        let select = try statement(.linkCode)
        select.bind(code, at: 1)
        select.bind(app, at: 2)
        select.bind(time, at: 3)
        select.bind(LinkCode.latestExpiry(at: time), at: 4)
        guard try select.step() else { return nil }
        return (UserKey(app: app, user: try select.id(0)), try select.optionalID(1))
    }

    func deviceCount(of user: UserRow) throws(StoreError) -> Int {
        let select = try statement(.deviceCount)
        select.bind(user.id, at: 1)
        return try select.step() ? select.count(0) : 0
    }

    /// Returns whether the user may have one more device.
    func hasRoom(_ user: UserRow, _ quotas: App.Settings.Quotas) throws(StoreError) -> Bool {
        try deviceCount(of: user) < quotas.devices
    }
}

extension Statement {
    /// Reads `Query.deviceColumnCount` columns.
    func device() throws(StoreError) -> Device {
        Device(
            id: try id(0), owner: UserKey(app: try id(1), user: try id(2)), idiom: try idiom(3),
            model: optionalText(4), name: optionalText(5), systemVersion: optionalText(6),
            isSignedIn: try flag(7), createdAt: try time(8), lastSeenAt: try time(9))
    }

    /// Binds four parameters.
    fileprivate func bindDescription(of device: Device, at index: Int32) {
        bind(device.idiom.rawValue, at: index)
        bind(device.model, at: index + 1)
        bind(device.name, at: index + 2)
        bind(device.systemVersion, at: index + 3)
    }
}

extension Query {
    static let deviceColumns = """
        device.uuid, user.app, user.uuid, device.idiom, device.model, device.name, device.system_version,
        user.subject_digest IS NOT NULL, device.created_at, device.last_seen_at
        """
    static let deviceColumnCount: Int32 = 10
    private static let ofUser = "SELECT \(deviceColumns) FROM device JOIN user ON user.id = device.user "
    fileprivate static let deviceOfUser = Query(
        ofUser + "WHERE device.uuid = ?1 AND user.app = ?2 AND user.uuid = ?3")
    fileprivate static let deviceOfApp = Query(ofUser + "WHERE device.uuid = ?1 AND user.app = ?2")
    fileprivate static let devicesOfUser = Query(
        ofUser + "WHERE user.app = ?1 AND user.uuid = ?2 ORDER BY device.created_at, device.uuid")
    fileprivate static let deviceOfInstallation = Query(
        """
        SELECT \(deviceColumns), installation.secret
        FROM installation JOIN device ON device.id = installation.device JOIN user ON user.id = device.user
        WHERE installation.app = ?1 AND installation.uuid = ?2
        """)
    fileprivate static let installationOfDevice = Query(
        """
        SELECT installation.uuid, installation.secret
        FROM device JOIN installation ON installation.device = device.id WHERE device.uuid = ?1
        """)
    fileprivate static let deviceCount = Query("SELECT count(*) FROM device WHERE user = ?1")
    fileprivate static let insertDevice = Query(
        """
        INSERT INTO device (uuid, user, created_at, last_seen_at, idiom, model, name, system_version)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        """)
    fileprivate static let insertInstallation = Query(
        "INSERT INTO installation (app, uuid, secret, device) VALUES (?1, ?2, ?3, ?4)")
    fileprivate static let describeDevice = Query(
        "UPDATE device SET idiom = ?2, model = ?3, name = ?4, system_version = ?5 WHERE uuid = ?1")
    fileprivate static let deleteInstallationOfDevice = Query(
        "DELETE FROM installation WHERE device = (SELECT id FROM device WHERE uuid = ?1)")
    fileprivate static let deleteDevice = Query("DELETE FROM device WHERE uuid = ?1")
    fileprivate static let noteSeen = Query(
        "UPDATE device SET last_seen_at = max(last_seen_at, ?2) WHERE uuid = ?1 AND user = ?3")
    fileprivate static let raiseLatestTimeOfRow = Query(
        "UPDATE user SET latest_time = ?2 WHERE id = ?1 AND (latest_time < ?2 OR latest_time IS NULL)")
    fileprivate static let insertLinkCode = Query("INSERT OR REPLACE INTO link_code VALUES (?1, ?2, ?3, NULL)")
    fileprivate static let linkCode = Query(
        """
        SELECT user.uuid, used_by FROM link_code JOIN user ON user.id = link_code.user
        WHERE digest = ?1 AND user.app = ?2 AND expires_at > ?3 AND expires_at <= ?4
        """)
    fileprivate static let deleteLinkCodesOfUser = Query("DELETE FROM link_code WHERE user = ?1")
    fileprivate static let useLinkCode = Query("UPDATE link_code SET used_by = ?2 WHERE digest = ?1")
}
