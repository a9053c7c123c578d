import RestorationService

extension PostgresStore {
    private static let facts = "SELECT schema_version, lookup_secret FROM store"

    /// Creates the tables if there are none, checks their version, and returns the look-up secret.
    static func prepare(_ pool: ConnectionPool) async throws(StoreError) -> [UInt8] {
        for _ in 0..<10 {
            if try await hasTables(pool) {
                let facts = try await store(pool, Statement(Self.facts)).first { row throws(StoreError) in
                    (version: try row.int(), secret: try row.bytes())
                }
                guard let facts, facts.secret.count == 32 else { throw .corrupt("The database has no look-up secret.") }
                guard facts.version <= Schema.version else {
                    throw StoreError(.tooNew, "A newer version of Placekeeper made the database.")
                }
                return facts.secret
            }
            do throws(Failure) {
                _ = try await pool.run(Batch(Schema.statements.map { Statement($0) } + [insertStore]))
            } catch {
                // Another process may create the tables at the same time.
                guard case .lostRace = error else {
                    if case .store(let cause) = error, !isDuplicate(cause) { throw cause }; continue
                }
            }
        }
        throw StoreError(.unavailable, "The tables cannot be created.")
    }

    private static func isDuplicate(_ error: StoreError) -> Bool {
        error.cause?.hasPrefix("PostgreSQL error 42P07") ?? false
    }

    private static func hasTables(_ pool: ConnectionPool) async throws(StoreError) -> Bool {
        let select = Statement(
            "SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = 'store'"
        )
        return try await store(pool, select).first { row throws(StoreError) in try row.int() } ?? 0 > 0
    }

    private static func store(_ pool: ConnectionPool, _ statement: Statement) async throws(StoreError) -> Rows {
        do throws(Failure) {
            guard let rows = try await pool.run(Batch([statement])).first else {
                throw .store(.corrupt("The database returned no result."))
            }
            return rows
        } catch {
            throw error.error
        }
    }

    private static var insertStore: Statement {
        var generator = SystemRandomNumberGenerator()
        let secret = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return Statement(
            "INSERT INTO store (id, schema_version, lookup_secret) VALUES (1, $1, $2)", .int(Schema.version),
            .bytes(secret))
    }
}
