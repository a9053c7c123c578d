import Dispatch
import PlacekeeperCore
import PlacekeeperPostgres
import PlacekeeperService

/// The PostgreSQL database.
enum DatabaseCheck {
    /// Returns the findings, and whether the tables are those of this program.
    static func examine(_ arguments: Arguments) async -> (findings: [Finding], isCurrent: Bool) {
        // `SettingsCheck` reports a wrong setting.
        guard let address = (try? arguments.database()) ?? nil else { return ([], false) }
        let directory = arguments.value(of: .data) ?? ""
        // The connection blocks its thread.
        let result: Result<PostgresStore.Inspection, StoreError> = await withCheckedContinuation { continuation in
            DispatchQueue(label: "placekeeper.doctor").async {
                continuation.resume(
                    returning: Result { () throws(StoreError) in try Wiring.inspect(address, directory: directory) })
            }
        }
        switch result {
        case .success(let facts):
            return (
                findings(facts, connections: address.connections), facts.schemaVersion == facts.currentVersion
            )
        case .failure(let error):
            let cause = error.cause.map { " (\($0))" } ?? ""
            return (
                [
                    .problem(
                        "database", clause(error.message) + cause,
                        do: "check the URL, the password file, pg_hba.conf and the server; libpq5 must be installed")
                ], false
            )
        }
    }

    /// - Parameter connections: the maximum number of the service's connections. Nil for the default.
    static func findings(_ facts: PostgresStore.Inspection, connections: Int?) -> [Finding] {
        var findings: [Finding] = []
        for (name, loss) in [
            ("fsync", "a power loss can damage the whole database"),
            ("full_page_writes", "a power loss can damage pages"),
            ("synchronous_commit", "a power loss loses acknowledged writes"),
        ] where facts.settings[name] == "off" {
            findings.append(
                .problem(
                    "database", "\(name) is off, so \(loss)",
                    do: "ALTER SYSTEM SET \(name) = on; look for ALTER ROLE and ALTER DATABASE, too; then reload"))
        }
        if facts.settings["transaction_read_only"] == "on" {
            findings.append(
                .problem(
                    "database", "the server accepts no writes: it is a standby, or read-only by its settings",
                    do: "name the primary in the URL, or set default_transaction_read_only = off"))
        }
        if let version = facts.schemaVersion, version > facts.currentVersion {
            findings.append(
                .problem(
                    "database", "a later version of placekeeper wrote the tables (schema version \(version))",
                    do: "install that version, or a later one"))
        } else if facts.schemaVersion != facts.currentVersion {
            let found = facts.schemaVersion.map { "schema version \($0)" } ?? "no tables"
            findings.append(
                .problem(
                    "database", "the database has \(found)",
                    do: "start the service, which brings it to schema version \(facts.currentVersion)"))
        }
        if let connections, Int64(connections) + 1 > facts.maximumConnections {
            findings.append(
                .problem(
                    "database",
                    "database-connections is \(connections), and the server allows \(facts.maximumConnections) in all",
                    do: "raise max_connections of the server, or lower database-connections"))
        }
        return findings.orOK(
            "database",
            "PostgreSQL \(facts.serverVersion / 10000).\(facts.serverVersion % 10000) is reachable and durable")
    }
}
