package import PlacekeeperCore
package import PlacekeeperService

extension InMemoryStore {
    package func append(_ entry: AuditEntry) {
        var entry = entry
        entry.number = (auditLog.last?.number ?? 0) + 1
        auditLog.append(entry)
    }

    package func audit(of app: AppID?, about subject: Digest?, below position: Int64?, limit: Int) -> [AuditEntry] {
        auditLog.reversed().lazy.filter { entry in
            entry.app == app && entry.number < position ?? .max && (subject == nil || entry.subject == subject)
        }.prefix(limit).map(\.self)
    }
}
