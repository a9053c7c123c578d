package import PlacekeeperCore
package import PlacekeeperService

extension SQLiteStore {
    package func log(_ entries: [RestoreLogEntry]) async throws(StoreError) {
        guard !entries.isEmpty else { return }
        try await writer.write(rows: entries.count) { transaction throws(StoreError) in
            for entry in entries { try transaction.add(entry) }
            let logs = Set(entries.map { RestoreLogKey(app: $0.app, kind: $0.kind) })
            for log in logs { try transaction.dropPrunable(log.kind, of: log.app) }
        }
    }

    package func restoreLog(
        _ kind: RestoreLogEntry.Kind, of app: AppID, below position: Int64?, limit: Int
    ) async throws(StoreError) -> RestoreLogPage {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.logEntries, app, kind.rawValue, position ?? .max, limit)
            return try select.logPage(kind, of: app, limit: limit)
        }
    }

    package func restoreAnswers(
        to owner: UserKey, of device: DeviceID?, below position: Int64?, limit: Int
    ) async throws(StoreError) -> RestoreLogPage {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.logAnswers, owner, position ?? .max, limit, device)
            return try select.logPage(.answer, of: owner.app, limit: limit)
        }
    }
}

private struct RestoreLogKey: Hashable {
    var app: AppID
    var kind: RestoreLogEntry.Kind
}

extension Transaction {
    fileprivate func add(_ entry: RestoreLogEntry) throws(StoreError) {
        let insert = try connection.statement(
            entry.party == nil ? .insertLogNote : .insertLogEntry, entry.app, entry.kind.rawValue, entry.at, entry.body)
        if let party = entry.party {
            insert.bind(party.owner.user, at: 5)
            insert.bind(party.device, at: 6)
        }
        try insert.run()
        guard connection.changedRows > 0, case .report(let report) = entry, !report.isFailure else { return }
        try connection.run(.recordRestoreDay, report.owner, report.at.day)
    }

    fileprivate func dropPrunable(_ kind: RestoreLogEntry.Kind, of app: AppID) throws(StoreError) {
        try connection.run(.dropPrunableLogEntries, app, kind.rawValue, Retention.restoreLogEntries)
    }

    /// Moves the entries of a device, or all entries of its user, to another user.
    func moveLogEntries(of device: DeviceID?, from source: Int64, to target: Int64) throws(StoreError) {
        try connection.run(.moveLogEntries, source, target, device)
    }
}

extension Statement {
    fileprivate func logPage(
        _ kind: RestoreLogEntry.Kind, of app: AppID, limit: Int
    ) throws(StoreError) -> RestoreLogPage {
        var page = RestoreLogPage(entries: [], next: nil)
        var count = 0
        var last: Int64?
        while try step() {
            count += 1
            let position = try key(0)
            last = position
            guard let entry = logEntry(kind, of: app) else { continue }
            page.entries.append(entry)
            page.positions.append(position)
        }
        page.next = count == limit ? last : nil
        return page
    }

    /// Reads an entry, or returns `nil` if the row is damaged.
    fileprivate func logEntry(_ kind: RestoreLogEntry.Kind, of app: AppID) -> RestoreLogEntry? {
        let size = withBytes(2) { $0.count }
        guard size <= RestoreLogEntry.longestBody, let time = try? time(1) else { return nil }
        let body = bytes(2)
        if kind == .note { return RestoreLogEntry(noteOf: app, at: time, body: body) }
        guard let device: DeviceID = try? id(3), let user: UserID = try? id(4) else { return nil }
        let createdAt = (try? self.time(5)) ?? time
        return RestoreLogEntry(
            kind, at: time, owner: UserKey(app: app, user: user), device: device,
            tenure: RestoreReport.UserTenure(createdAt: createdAt, restoredOnTwoDays: clampedNumber(6, .flag) != 0),
            body: body)
    }
}

extension Query {
    fileprivate static let insertLogNote = Query(
        "INSERT INTO restore_log (app, kind, at, body) VALUES (?1, ?2, ?3, ?4)")
    // Only while the device belongs to the user. Otherwise an erased user could get a row again.
    fileprivate static let insertLogEntry = Query(
        """
        INSERT INTO restore_log (app, kind, at, body, user, device)
        SELECT ?1, ?2, ?3, ?4, user.id, device.uuid
        FROM device CROSS JOIN user ON user.id = device.user
        WHERE device.uuid = ?6 AND user.app = ?1 AND user.uuid = ?5
        """)
    fileprivate static let recordRestoreDay = Query(
        """
        UPDATE user SET first_restore_day = coalesce(first_restore_day, ?3), last_restore_day = ?3
        WHERE app = ?1 AND uuid = ?2 AND coalesce(last_restore_day, -1) < ?3
        """)
    fileprivate static let dropPrunableLogEntries = Query(
        """
        DELETE FROM restore_log WHERE app = ?1 AND kind = ?2 AND id <= (
            SELECT id FROM restore_log WHERE app = ?1 AND kind = ?2 ORDER BY id DESC LIMIT 1 OFFSET ?3)
        """)
    private static let logColumns = """
        SELECT restore_log.id, at, body, device, user.uuid, user.created_at, first_restore_day < last_restore_day
        FROM restore_log
        """
    fileprivate static let logEntries = Query(
        """
        \(logColumns) LEFT JOIN user ON user.id = restore_log.user
        WHERE restore_log.app = ?1 AND kind = ?2 AND restore_log.id < ?3 ORDER BY restore_log.id DESC LIMIT ?4
        """)
    fileprivate static let logAnswers = Query(
        """
        \(logColumns) INDEXED BY restore_log_by_user JOIN user ON user.id = restore_log.user
        WHERE restore_log.user = (SELECT id FROM user WHERE app = ?1 AND uuid = ?2) AND kind = 0
        AND (?5 IS NULL OR device = ?5) AND restore_log.id < ?3 ORDER BY restore_log.id DESC LIMIT ?4
        """)
    fileprivate static let moveLogEntries = Query(
        "UPDATE restore_log SET user = ?2 WHERE user = ?1 AND (?3 IS NULL OR device = ?3)")
    static let eraseLogEntries = Query(
        "DELETE FROM restore_log WHERE id IN (SELECT id FROM restore_log WHERE user = ?1 LIMIT 1000)")
}
