package import PlacekeeperCore
package import PlacekeeperService

extension PostgresStore {
    // Audit

    package func append(_ entry: AuditEntry) async throws(StoreError) {
        try await write([.inserting(entry)])
    }

    package func audit(
        of app: AppID?, about subject: Digest?, below position: Int64?, limit: Int
    ) async throws(StoreError) -> [AuditEntry] {
        try await page(of: limit, "an entry of the audit log", from: position ?? .max) {
            position, limit throws(StoreError) in
            try await rows(
                """
                SELECT number, at, actor, action, subject, detail FROM audit
                WHERE app = $1 AND number < $2 AND ($3 IS NULL OR subject = $3) ORDER BY number DESC LIMIT $4
                """, .bytes(app?.bytes ?? []), .int(position), .digest(subject), .int(limit))
        } next: { row throws(StoreError) in
            try row.key()
        } _: { row throws(StoreError) in
            let (number, at) = (try row.key(), try row.time())
            guard let actor = Auditor(try row.text()) else { throw .corrupt("An entry of the audit log has no actor.") }
            let action = AuditAction(rawValue: try row.text())
            return AuditEntry(
                number: number, app: app, at: at, actor: actor, action: action, subject: try row.optionalDigest(),
                detail: try row.text())
        }
    }

    // Restore log

    package func log(_ entries: [RestoreLogEntry]) async throws(StoreError) {
        guard !entries.isEmpty else { return }
        // As in all transactions, users' rows come before the store's row.
        let reports = entries.compactMap { entry in
            if case .report(let report) = entry, !report.isFailure { report } else { nil }
        }.sorted { ($0.owner.app, $0.owner.user, $0.at) < ($1.owner.app, $1.owner.user, $1.at) }
        var statements = reports.map { report in
            Statement(Self.recordRestoreDay, report.owner.values + [.int(report.at.day), .id(report.device)])
        }
        // An erasure locks this row. Each statement reads the newest data, so the following ones know which users are
        // erased.
        statements.append(Statement("SELECT 1 FROM store FOR UPDATE"))
        statements += entries.map { entry in
            Statement(
                Self.insertEntry, .id(entry.app), .int(entry.kind.rawValue), .id(entry.party?.owner.user),
                .id(entry.party?.device), .time(entry.at), .bytes(entry.body))
        }
        let logs = Set(entries.map { LogKey(app: $0.app, kind: $0.kind) })
        statements += logs.map {
            Statement(Self.dropPrunable, .id($0.app), .int($0.kind.rawValue), .int(Retention.restoreLogEntries))
        }
        try await write(statements)
    }

    private struct LogKey: Hashable {
        var app: AppID
        var kind: RestoreLogEntry.Kind
    }

    // Only while the device belongs to the user. Otherwise an erased user could get a row again.
    private static let insertEntry = """
        WITH next AS (
            UPDATE store SET restore_log_position = restore_log_position + 1
            WHERE $4 IS NULL OR EXISTS (SELECT 1 FROM device WHERE app = $1 AND owner = $3 AND uuid = $4)
            RETURNING restore_log_position)
        INSERT INTO restore_log (position, app, kind, owner, device, at, body)
        SELECT restore_log_position, $1, $2, $3, $4, $5, $6 FROM next
        """
    private static let recordRestoreDay = """
        UPDATE users SET first_restore_day = coalesce(first_restore_day, $3), last_restore_day = $3
        WHERE app = $1 AND owner = $2 AND coalesce(last_restore_day, -1) < $3
            AND EXISTS (SELECT 1 FROM device WHERE app = $1 AND owner = $2 AND uuid = $4)
        """
    private static let dropPrunable = """
        DELETE FROM restore_log WHERE app = $1 AND kind = $2 AND position <= (
            SELECT position FROM restore_log WHERE app = $1 AND kind = $2 ORDER BY position DESC LIMIT 1 OFFSET $3)
        """
    private static let entryColumns = """
        SELECT restore_log.position, restore_log.at, restore_log.body, restore_log.device, restore_log.owner,
            users.created_at, coalesce(users.first_restore_day < users.last_restore_day, false)
        FROM restore_log
        LEFT JOIN users ON users.app = restore_log.app AND users.owner = restore_log.owner
        """

    package func restoreLog(
        _ kind: RestoreLogEntry.Kind, of app: AppID, below position: Int64?, limit: Int
    ) async throws(StoreError) -> RestoreLogPage {
        let found = try await rows(
            """
            \(Self.entryColumns) WHERE restore_log.app = $1 AND kind = $2 AND position < $3
            ORDER BY position DESC LIMIT $4
            """, .id(app), .int(kind.rawValue), .int(position ?? .max), .int(limit))
        return try page(found, kind, of: app, limit: limit)
    }

    package func restoreAnswers(
        to owner: UserKey, of device: DeviceID?, below position: Int64?, limit: Int
    ) async throws(StoreError) -> RestoreLogPage {
        let found = try await rows(
            """
            \(Self.entryColumns) WHERE restore_log.app = $1 AND restore_log.owner = $2 AND kind = 0
                AND ($3 IS NULL OR device = $3) AND position < $4
            ORDER BY position DESC LIMIT $5
            """, .id(owner.app), .id(owner.user), .id(device), .int(position ?? .max), .int(limit))
        return try page(found, .answer, of: owner.app, limit: limit)
    }

    private func page(
        _ rows: Rows, _ kind: RestoreLogEntry.Kind, of app: AppID, limit: Int
    ) throws(StoreError) -> RestoreLogPage {
        var page = RestoreLogPage(entries: [], next: nil)
        var last: Int64?
        for index in 0..<rows.count {
            var row = Row(rows, index)
            let position = try row.key()
            last = position
            // Skip a damaged entry.
            guard let entry = try? entry(&row, kind, of: app) else { continue }
            page.entries.append(entry)
            page.positions.append(position)
        }
        page.next = rows.count == limit ? last : nil
        return page
    }

    private func entry(
        _ row: inout Row, _ kind: RestoreLogEntry.Kind, of app: AppID
    ) throws(StoreError) -> RestoreLogEntry? {
        let (at, body) = (try row.time(), try row.bytes())
        guard body.count <= RestoreLogEntry.longestBody else { return nil }
        if kind == .note { return RestoreLogEntry(noteOf: app, at: at, body: body) }
        let (device, user): (DeviceID, UserID) = (try row.id(), try row.id())
        let createdAt = try row.optionalTime() ?? at
        return RestoreLogEntry(
            kind, at: at, owner: UserKey(app: app, user: user), device: device,
            tenure: RestoreReport.UserTenure(createdAt: createdAt, restoredOnTwoDays: try row.bool()), body: body)
    }
}

extension Statement {
    /// Adds an entry to the audit log.
    static func inserting(_ entry: AuditEntry) -> Statement {
        Statement(
            """
            WITH next AS (UPDATE store SET audit_number = audit_number + 1 RETURNING audit_number)
            INSERT INTO audit (number, app, at, actor, action, subject, detail)
            SELECT audit_number, $1, $2, $3, $4, $5, $6 FROM next
            """, .bytes(entry.app?.bytes ?? []), .time(entry.at), .anyText(entry.actor.text),
            .text(entry.action.rawValue), .digest(entry.subject), .anyText(entry.detail))
    }
}
