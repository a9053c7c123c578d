import PlacekeeperConcurrency
package import PlacekeeperCore
package import PlacekeeperService

extension PostgresStore {
    /// Uses the database's clock, because the instances' clocks differ. If a lease ends later than a new one would, the
    /// database's clock was set back, and the lease counts as expired.
    package func takeLease(_ lease: Lease, for time: Duration) async throws(StoreError) -> Bool {
        let taken = try await write([
            Statement(
                """
                INSERT INTO lease (name, holder, ends_at)
                VALUES ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
                ON CONFLICT (name) DO UPDATE SET holder = EXCLUDED.holder, ends_at = EXCLUDED.ends_at
                WHERE lease.holder = EXCLUDED.holder OR lease.ends_at <= clock_timestamp()
                    OR lease.ends_at > EXCLUDED.ends_at
                RETURNING 1::bigint
                """, .text(lease.rawValue), .bytes(instance), .int(time.wholeMilliseconds))
        ])
        let isTaken = taken.first.map { $0.count > 0 } ?? false
        if isTaken { hasLease.withLock { $0 = true } }
        return isTaken
    }

    package func endLease(_ lease: Lease) async throws(StoreError) {
        try await write([
            Statement("DELETE FROM lease WHERE name = $1 AND holder = $2", .text(lease.rawValue), .bytes(instance))
        ])
    }

    /// Ends this process's leases, so other instances don't have to wait for them to expire.
    func endLeases() async throws(StoreError) {
        try await write([Statement("DELETE FROM lease WHERE holder = $1", .bytes(instance))])
    }
}
