package import PlacekeeperCore
import PlacekeeperService

extension PostgresStore {
    /// What a server says about itself, to a program that must not change anything.
    package struct Inspection: Sendable, Hashable {
        /// Such as 150018.
        package var serverVersion: Int64
        /// The schema version of the tables. Nil if there are none.
        package var schemaVersion: Int64?
        /// The schema version to which this program migrates.
        package var currentVersion: Int64
        package var maximumConnections: Int64
        /// The values of `settings`, by name.
        package var settings: [String: String]

        package init(
            serverVersion: Int64, schemaVersion: Int64?, currentVersion: Int64, maximumConnections: Int64,
            settings: [String: String]
        ) {
            self.serverVersion = serverVersion
            self.schemaVersion = schemaVersion
            self.currentVersion = currentVersion
            self.maximumConnections = maximumConnections
            self.settings = settings
        }

        fileprivate static let names = [
            "fsync", "full_page_writes", "synchronous_commit", "transaction_read_only", "data_checksums",
        ]
    }

    /// Asks the server that accepts writes. Changes nothing, and has the configuration's deadlines. Blocks the thread.
    package static func inspect(_ configuration: Configuration) throws(StoreError) -> Inspection {
        let connection = try Connection(configuration)
        func first<Value>(
            _ sql: String, _ read: (inout Row) throws(StoreError) -> Value
        ) throws(StoreError) -> Value? {
            let rows: [Rows]
            do throws(Failure) {
                rows = try connection.run(Batch([Statement(sql)]), until: .now + configuration.readDeadline)
            } catch {
                throw error.error
            }
            return try rows.first?.first(read)
        }
        let numbers = try first(
            """
            SELECT current_setting('server_version_num')::bigint, current_setting('max_connections')::bigint,
                to_regclass('store') IS NOT NULL
            """
        ) { row throws(StoreError) in (try row.key(), try row.key(), try row.optionalBool() ?? false) }
        guard let (version, connections, hasTables) = numbers else {
            throw .corrupt("The database returned no result.")
        }
        var settings: [String: String] = [:]
        for name in Inspection.names {
            settings[name] =
                try first("SELECT current_setting('\(name)', true)") { row throws(StoreError) in
                    try row.optionalText()
                } ?? nil
        }
        return Inspection(
            serverVersion: version,
            schemaVersion: hasTables
                ? try first("SELECT schema_version FROM store") { row throws(StoreError) in try row.key() } : nil,
            currentVersion: Schema.oldest + Int64(Schema.steps.count) - 1, maximumConnections: connections,
            settings: settings)
    }
}
