package import PlacekeeperCore
import PlacekeeperService

extension SQLiteStore {
    package func devices(of owner: UserKey) async throws(StoreError) -> [Device] {
        try readers.read { connection throws(StoreError) in try connection.devices(of: owner) }
    }

    package func device(_ id: DeviceID, in app: AppID) async throws(StoreError) -> Device? {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.deviceOfApp, id, app)
            return try select.step() ? try select.device() : nil
        }
    }

    /// The maximum number of devices whose last-seen times are written in one transaction.
    private static let devicesAtOnce = 1000

    /// Writes the times in several transactions: the service may have collected the times of 100,000 devices, and a
    /// slow write delays all others. That's why upkeep runs in small steps (docs/decisions/0028-group-commit.md). If a
    /// transaction fails, the service writes all times again. Repeating earlier ones is harmless, because a stored time
    /// never goes back.
    package func recordSeen(_ times: [UserKey: [DeviceID: Timestamp]]) async throws(StoreError) {
        var part: [UserKey: [DeviceID: Timestamp]] = [:]
        var count = 0
        for (owner, devices) in times {
            for (device, time) in devices {
                part[owner, default: [:]][device] = time
                count += 1
                guard count == Self.devicesAtOnce else { continue }
                try await recordSeenAtOnce(part)
                part = [:]
                count = 0
            }
        }
        if count > 0 { try await recordSeenAtOnce(part) }
    }

    private func recordSeenAtOnce(_ times: [UserKey: [DeviceID: Timestamp]]) async throws(StoreError) {
        try await writer.write { transaction throws(StoreError) in
            for (owner, devices) in times {
                // A damaged user must not keep the last uses of others from being stored.
                guard let user = try transaction.connection.clampedUser(owner) else { continue }
                try transaction.recordSeen(devices, of: user.id)
            }
        }
    }
}

extension Transaction {
    /// Writes the last-seen times of a user's devices, and raises the user's latest time. Ignores devices of other
    /// users.
    fileprivate func recordSeen(_ times: [DeviceID: Timestamp], of user: Int64) throws(StoreError) {
        var latest: Timestamp?
        for (device, time) in times {
            try connection.run(.recordSeen, device, time, user)
            if connection.changedRows > 0 { latest = max(latest ?? time, time) }
        }
        guard let latest else { return }
        try connection.run(.raiseLatestTimeOfRow, user, latest)
        try connection.run(.recordSeenUser, user, latest)
    }
}

extension Connection {
    func device(_ id: DeviceID, of owner: UserKey) throws(StoreError) -> Device? {
        let select = try statement(.deviceOfUser, id, owner)
        return try select.step() ? try select.device() : nil
    }

    func devices(of owner: UserKey) throws(StoreError) -> [Device] {
        let select = try statement(.devicesOfUser, owner)
        var devices: [Device] = []
        while try select.step() { devices.append(try select.device()) }
        return devices
    }
}

extension Statement {
    /// Reads `Query.deviceColumnCount` columns.
    func device() throws(StoreError) -> Device {
        Device(
            id: try id(0), owner: UserKey(app: try id(1), user: try id(2)), idiom: try idiom(3),
            model: optionalText(4), name: optionalText(5), systemVersion: optionalText(6),
            isSignedIn: try flag(7), createdAt: try time(8), lastSeenAt: try time(9), launch: try launch(10))
    }

    private func launch(_ column: Int32) throws(StoreError) -> CountedLaunch? {
        guard !isNull(column) else { return nil }
        guard let id = optionalText(column + 1).flatMap(LaunchID.init) else { throw .unknown("launch") }
        return CountedLaunch(number: try number(column, .launchNumber), id: id)
    }
}

extension Query {
    static let deviceColumns = """
        device.uuid, user.app, user.uuid, device.idiom, device.model, device.name, device.system_version,
        user.subject_digest IS NOT NULL, device.created_at, device.last_seen_at,
        device.launch_number, device.launch
        """
    static let deviceColumnCount: Int32 = 12
    private static let ofUser = "SELECT \(deviceColumns) FROM device JOIN user ON user.id = device.user "
    fileprivate static let deviceOfUser = Query(
        ofUser + "WHERE device.uuid = ?1 AND user.app = ?2 AND user.uuid = ?3")
    fileprivate static let deviceOfApp = Query(ofUser + "WHERE device.uuid = ?1 AND user.app = ?2")
    fileprivate static let devicesOfUser = Query(
        ofUser + "WHERE user.app = ?1 AND user.uuid = ?2 ORDER BY device.created_at, device.uuid")
    fileprivate static let recordSeen = Query(
        "UPDATE device SET last_seen_at = max(last_seen_at, ?2) WHERE uuid = ?1 AND user = ?3")
    fileprivate static let recordSeenUser = Query(
        "UPDATE user SET seen_at = max(seen_at, ?2), seen_bytes = bytes WHERE id = ?1")
    fileprivate static let raiseLatestTimeOfRow = Query(
        "UPDATE user SET latest_time = ?2 WHERE id = ?1 AND (latest_time < ?2 OR latest_time IS NULL)")
}
