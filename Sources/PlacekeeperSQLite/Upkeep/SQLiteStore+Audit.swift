package import PlacekeeperCore
package import PlacekeeperService

extension SQLiteStore {
    package func append(_ entry: AuditEntry) async throws(StoreError) {
        try await writer.write { transaction throws(StoreError) in
            try transaction.connection.insert(entry)
        }
    }

    package func audit(
        of app: AppID?, about subject: Digest?, below position: Int64?, limit: Int
    ) async throws(StoreError) -> [AuditEntry] {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(
                subject == nil ? .entries : .entriesAboutSubject, OrNoBytes(app), position ?? .max)
            if let subject { select.bind(subject, at: 3) }
            return try select.rows(atMost: limit, leavingOut: damaged, named: { _ in "an entry of the audit log" }) {
                row throws(StoreError) in try row.entry(of: app)
            }
        }
    }
}

extension Statement {
    fileprivate func entry(of app: AppID?) throws(StoreError) -> AuditEntry {
        guard let actor = Auditor(text(2)) else { throw .corrupt("An entry of the audit log has an unknown actor.") }
        return AuditEntry(
            number: try key(0), app: app, at: try time(1), actor: actor, action: AuditAction(rawValue: text(3)),
            subject: isNull(4) ? nil : try digest(4), detail: text(5))
    }
}

extension Query {
    fileprivate static let insertEntry = Query(
        "INSERT INTO audit (app, at, actor, action, subject, detail) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
    private static let columns = "SELECT id, at, actor, action, subject, detail FROM audit "
    fileprivate static let entries = Query(columns + "WHERE app = ?1 AND id < ?2 ORDER BY id DESC")
    fileprivate static let entriesAboutSubject = Query(
        columns + "WHERE app = ?1 AND subject = ?3 AND id < ?2 ORDER BY id DESC")
}

extension Connection {
    /// Adds an entry to the audit log.
    func insert(_ entry: AuditEntry) throws(StoreError) {
        try run(
            .insertEntry, OrNoBytes(entry.app), entry.at, entry.actor.text, entry.action.rawValue, entry.subject,
            entry.detail)
    }
}
