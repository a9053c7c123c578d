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
        if isTaken { leases.withLock { _ = $0.insert(lease.rawValue) } }
        return isTaken
    }

    package func endLease(_ lease: Lease) async throws(StoreError) {
        try await write([
            Statement("DELETE FROM lease WHERE name = $1 AND holder = $2", .text(lease.rawValue), .bytes(instance))
        ])
    }

    /// Ends this process's leases, so other instances neither wait for them to expire nor list this one.
    func endLeases() async throws(StoreError) {
        try await write([
            Statement(
                "DELETE FROM lease WHERE name = ANY ($1) AND (holder = $2 OR name LIKE 'instance %')",
                .texts(leases.withLock { $0.sorted() }), .bytes(instance))
        ])
    }

    /// Each process of the service has a row in the table of leases. If the process does not end it, it ends a day after
    /// its last sign of life. Such a lease excludes nobody; its holder is the version.
    package func instances(with own: Instance) async throws(StoreError) -> [Instance] {
        let name = "instance " + own.name
        leases.withLock { _ = $0.insert(name) }
        let last = try await write([
            Statement("DELETE FROM lease WHERE name LIKE 'instance %' AND ends_at < clock_timestamp()"),
            Statement(
                """
                INSERT INTO lease (name, holder, ends_at) VALUES ($1, $2, clock_timestamp() + interval '1 day')
                ON CONFLICT (name) DO UPDATE SET holder = EXCLUDED.holder, ends_at = EXCLUDED.ends_at
                """, .text(name), .bytes(Array(own.version.utf8))),
            Statement(
                """
                SELECT substr(name, 10), convert_from(holder, 'UTF8'),
                    (extract(epoch FROM ends_at - interval '1 day') * 1000)::bigint
                FROM lease WHERE name LIKE 'instance %' ORDER BY name
                """),
        ]).last
        return try last?.map { row throws(StoreError) in
            Instance(name: try row.text(), version: try row.text(), lastSeenAt: try row.time())
        } ?? []
    }
}
