import PlacekeeperCore
import PlacekeeperService

extension PostgresStore {
    /// Creates the tables if there are none, migrates older ones, and returns the lookup secret.
    ///
    /// A migration is one transaction that first raises the version in the row of `store`. If another instance migrates
    /// at the same time, it waits for this row, and then finds nothing to do.
    ///
    /// - Parameter steps: `Schema.steps`, except in tests.
    static func prepare(
        _ pool: ConnectionPool, _ steps: [[String]] = Schema.steps
    ) async throws(StoreError) -> [UInt8] {
        let current = Schema.oldest + Int64(steps.count) - 1
        for _ in 0..<20 {
            let statements: [Statement]
            if try await hasTables(pool) {
                let facts = try await rows(pool, Statement("SELECT schema_version, lookup_secret FROM store"))
                    .first { row throws(StoreError) in (version: try row.key(), secret: try row.bytes()) }
                guard let facts, facts.secret.count == 32 else {
                    throw .corrupt("The database has no lookup secret.")
                }
                guard facts.version >= Schema.oldest else {
                    throw .corrupt(
                        "The database has schema version \(facts.version), which no release of placekeeper writes. Restore a backup."
                    )
                }
                if facts.version == current { return facts.secret }
                if facts.version > current {
                    try await requireUsable(pool, by: current)
                    return facts.secret
                }
                pool.configuration.willMigrate(Int(current))
                let migrations = steps.dropFirst(Int(facts.version - Schema.oldest) + 1).joined()
                // Writers lock rows of users first, then other rows. If a writer waited for the migration while the
                // migration waited for the writer, the database would abort one of them. So make writers wait before
                // their first row.
                statements =
                    [
                        Self.endWithClient, Self.waitForLocks,
                        Statement("LOCK TABLE users, device, app, change, item IN SHARE ROW EXCLUSIVE MODE"),
                        raiseVersion(from: facts.version, to: current),
                    ] + migrations.map { Statement($0) }
            } else {
                // Insert the row of `store` before the migrations, because they may change it.
                statements =
                    Schema.steps[0].map { Statement($0) } + [insertStore(version: current)]
                    + steps.dropFirst().joined().map { Statement($0) }
            }
            do throws(Failure) {
                _ = try await pool.run(Batch(statements), until: .now + pool.configuration.migrationDeadline)
            } catch {
                // Another process may be creating or migrating the tables at the same time.
                switch error {
                case .store(let cause) where !isDuplicate(cause): throw cause
                case .disconnected: throw error.error
                default: break
                }
            }
        }
        throw StoreError(.unavailable, "The tables cannot be created or migrated.")
    }

    /// Makes the server undo the transaction if this process ends while the transaction waits for a lock. Otherwise its
    /// waiting lock would go on to block the writers of other instances. PostgreSQL 13 lacks the setting,
    /// and other systems than Linux may refuse it.
    private static let endWithClient = Statement(
        """
        SELECT set_config(name, '2s', true) FROM pg_settings
        WHERE name = 'client_connection_check_interval' AND version() LIKE '%linux%'
        """)

    /// The time limits of the role or the database are for short statements: a migration would fail again and again.
    private static let waitForLocks = Statement(
        "SELECT set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)")

    /// Throws unless this program may use the tables of a newer program.
    private static func requireUsable(_ pool: ConnectionPool, by version: Int64) async throws(StoreError) {
        let lowest = try await rows(pool, Statement("SELECT usable_from FROM store"))
            .first { row throws(StoreError) in try row.key() }
        guard let lowest, lowest <= version else {
            throw StoreError(.tooNew, "A newer version of Placekeeper made the database.")
        }
    }

    private static func isDuplicate(_ error: StoreError) -> Bool {
        error.cause?.hasPrefix("PostgreSQL error 42P07") ?? false
    }

    private static func hasTables(_ pool: ConnectionPool) async throws(StoreError) -> Bool {
        let select = Statement(
            "SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = 'store'"
        )
        return try await rows(pool, select).first { row throws(StoreError) in try row.key() } ?? 0 > 0
    }

    private static func rows(_ pool: ConnectionPool, _ statement: Statement) async throws(StoreError) -> Rows {
        do throws(Failure) {
            guard let rows = try await pool.run(Batch([statement])).first else {
                throw .store(.corrupt("The database returned no result."))
            }
            return rows
        } catch {
            throw error.error
        }
    }

    private static func raiseVersion(from version: Int64, to next: Int64) -> Statement {
        Statement(
            """
            UPDATE store SET schema_version = $2 WHERE schema_version = $1 RETURNING schema_version
            """, .int(version), .int(next)
        ).requiring(1)
    }

    private static func insertStore(version: Int64) -> Statement {
        var generator = SystemRandomNumberGenerator()
        let secret = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return Statement(
            "INSERT INTO store (id, schema_version, lookup_secret) VALUES (1, $1, $2)", .int(version), .bytes(secret))
    }
}
