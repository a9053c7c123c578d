package import PlacekeeperCore
package import PlacekeeperMatching
import PlacekeeperService

extension PostgresStore {
    package func apply(
        _ delta: PreparedDelta, to list: ItemList, of device: DeviceID, limit: Int
    ) async throws(StoreError) -> Committed<DeltaResult> {
        // Large deltas take longer than other writes.
        let result = try await retrying(within: configuration.deadline * 3) { attempt throws(Failure) in
            guard !writing.isClosed else { throw .store(StoreError(.unavailable, "The store is closed.")) }
            return try await queues.run(for: [list.owner], until: attempt.end) { () throws(Failure) in
                // The decision reads more rows as it goes, so it runs on the connection's thread.
                try await writing.run(until: attempt.end) { connection, deadline throws(Failure) in
                    let registration = DeltaConnection(
                        connection: connection, list: list, device: device, deadline: deadline)
                    return try registration.apply(delta, limit: limit)
                }
            }
        }
        return Committed(result, .write(to: list.owner, result.isApplied))
    }
}

/// Applies a delta to one registration on one connection.
private struct DeltaConnection {
    let connection: Connection
    let list: ItemList
    let device: DeviceID
    let deadline: ContinuousClock.Instant?

    private var registry: Registry { Registry(list: list, device: device, state: RegistrationState()) }

    private func run(_ statements: [Statement]) throws(Failure) -> [Rows] {
        try connection.run(Batch(statements), until: deadline)
    }

    func apply(_ delta: PreparedDelta, limit: Int) throws(Failure) -> DeltaResult {
        let known = try readRegistration(delta)
        switch try decision(on: delta, known.facts, limit: limit) {
        case .answer(let result):
            if let version = known.version {
                _ = try run(WriteStatements.confirmation(of: list.owner, version: version))
            }
            return result
        case .write(let changes):
            // The device belongs to the user, so the user exists.
            guard let version = known.version else { throw .lostRace }
            try write(changes, at: delta.time, known, version: version)
            return .applied(changes.state)
        }
    }

    private func decision(
        on delta: PreparedDelta, _ facts: DeltaFacts, limit: Int
    ) throws(Failure) -> DeltaDecision {
        // The closures throw store errors, so keep the failure separately.
        var failure: Failure?
        do throws(StoreError) {
            return try DeltaDecision(delta, in: facts, limit: limit) { keys throws(StoreError) in
                do throws(Failure) {
                    return try items(keys)
                } catch {
                    failure = error
                    throw error.error
                }
            } liveCounts: { aliases throws(StoreError) in
                do throws(Failure) {
                    return try liveCounts(of: aliases)
                } catch {
                    failure = error
                    throw error.error
                }
            } texts: { items throws(StoreError) in
                do throws(Failure) {
                    return try texts(of: items)
                } catch {
                    failure = error
                    throw error.error
                }
            }
        } catch {
            throw failure ?? .store(error)
        }
    }

    private func write(
        _ changes: DeltaChanges, at time: Timestamp, _ known: Known, version: Int64
    ) throws(Failure) {
        let forgotten = try earliestRemovals(changes, at: time)
        let bytes = changes.textBytes - forgotten.bytes
        let writer = ItemWriter(
            owner: list.owner, registry: known.number ?? known.next, lastOrdinal: known.lastOrdinal)
        var statements = [PostgresStore.recordWrite(to: list.owner, version: version, at: time, bytes: bytes)]
        if known.number == nil { statements.append(writer.insertion(list.dataSource, device)) }
        let items = changes.items.map { change in
            ItemWriter.Change(
                before: change.before, item: change.item, removedAt: change.item.isLive ? nil : time,
                texts: change.texts, changesAliases: change.changesAliases)
        }
        statements += writer.write(items)
        statements += writer.forget(forgotten.keys, aliases: forgotten.aliases)
        statements.append(
            writer.update(
                changes.state, removed: changes.removedCount - forgotten.keys.count, bytes: bytes,
                new: items.count { $0.before == nil }))
        statements += PostgresStore.usageChanges([list.owner: Usage(bytes: bytes)])
        _ = try run(statements)
    }

    private struct Known {
        var facts = DeltaFacts()
        /// `nil` if the user doesn't exist.
        var version: Int64?
        /// `nil` if the device has no registration for the list.
        var number: Int64?
        /// The number of the user's next registration.
        var next: Int64 = 1
        var lastOrdinal: Int64 = 0
    }

    private func readRegistration(_ delta: PreparedDelta) throws(Failure) -> Known {
        let values = list.owner.values
        let results = try run([
            Statement(
                "SELECT version, bytes, archives, subject_digest IS NOT NULL FROM users WHERE app = $1 AND owner = $2",
                values),
            Statement(
                "SELECT count(*) FROM device WHERE app = $1 AND owner = $2 AND uuid = $3", values + [.id(device)]),
            Statement("SELECT coalesce(max(number), 0) + 1 FROM registry WHERE app = $1 AND owner = $2", values),
            Statement(
                """
                SELECT number, last_ordinal, cursor, digest, count, removed FROM registry
                WHERE app = $1 AND owner = $2 AND data_source = $3 AND device = $4
                """, PostgresStore.values(of: registry)),
            Statement(PostgresStore.appUsage, .id(list.owner.app)),
        ])
        do throws(StoreError) {
            var known = Known()
            if let user = try results[0].first({ row throws(StoreError) in
                let version = try row.key()
                return (version, Usage(bytes: try row.count(), archives: try row.count()), try row.bool())
            }) {
                known.version = user.0
                known.facts.quotas.user = user.1
                known.facts.quotas.isSignedIn = user.2
            }
            known.facts.isActorKnown = try results[1].first { row throws(StoreError) in try row.key() } ?? 0 > 0
            known.next = try results[2].first { row throws(StoreError) in try row.number(.revision) } ?? 1
            if let stored = try results[3].first({ row throws(StoreError) in
                let (number, last) = (try row.number(.revision), try row.number(.revision))
                let state = RegistrationState(
                    cursor: try row.number(.revision), digest: try row.itemDigest(), count: try row.count())
                return (number, last, state, try row.count())
            }) {
                known.number = stored.0
                known.lastOrdinal = stored.1
                known.facts.state = stored.2
                known.facts.removedCount = stored.3
            }
            known.facts.quotas.app = try results[4].first { row throws(StoreError) in try row.usage() } ?? Usage()
            known.facts.items = try stored(delta.keys)
            return known
        } catch {
            throw .store(error)
        }
    }

    private func stored(_ keys: [LookupKey]) throws(StoreError) -> [StoredItem?] {
        do throws(Failure) { return try items(keys) } catch { throw error.error }
    }

    private func items(_ keys: [LookupKey]) throws(Failure) -> [StoredItem?] {
        guard !keys.isEmpty else { return [] }
        let found = try run([
            Statement(
                """
                SELECT \(PostgresStore.itemColumns) FROM item
                WHERE app = $1 AND owner = $2 AND registry = \(PostgresStore.number) AND key = ANY($5)
                """, PostgresStore.values(of: registry, .ints(keys.map(\.rawValue))))
        ])
        do throws(StoreError) {
            var items: [LookupKey: StoredItem] = [:]
            for item in try found[0].map({ row throws(StoreError) in try row.item() }) { items[item.key] = item }
            return keys.map { items[$0] }
        } catch {
            throw .store(error)
        }
    }

    /// For each alias, returns the number of live items that have it, at most 2.
    private func liveCounts(of aliases: [LookupKey]) throws(Failure) -> [Int] {
        let found = try run([
            Statement(
                """
                SELECT asked.alias, count(*) FROM (SELECT DISTINCT unnest($5) AS alias) AS asked
                CROSS JOIN LATERAL (
                    SELECT 1 FROM alias WHERE alias.app = $1 AND alias.owner = $2
                        AND alias.registry = \(PostgresStore.number) AND alias.alias = asked.alias AND is_live LIMIT 2)
                    AS held
                GROUP BY asked.alias
                """, PostgresStore.values(of: registry, .ints(aliases.map(\.rawValue))))
        ])
        do throws(StoreError) {
            var counts: [LookupKey: Int] = [:]
            for (alias, count) in try found[0].map({ row throws(StoreError) in
                (LookupKey(rawValue: try row.key()), try row.count())
            }) {
                counts[alias] = count
            }
            return aliases.map { counts[$0] ?? 0 }
        } catch {
            throw .store(error)
        }
    }

    private func texts(of items: [StoredItem]) throws(Failure) -> [[UInt8]?] {
        let found = try run([
            Statement(
                """
                SELECT key, texts FROM item
                WHERE app = $1 AND owner = $2 AND registry = \(PostgresStore.number) AND key = ANY($5)
                """, PostgresStore.values(of: registry, .ints(items.map(\.key.rawValue))))
        ])
        do throws(StoreError) {
            var texts: [LookupKey: [UInt8]] = [:]
            for (key, bytes) in try found[0].map({ row throws(StoreError) in
                (LookupKey(rawValue: try row.key()), try row.bytes())
            }) {
                texts[key] = bytes
            }
            return items.map { texts[$0.key] }
        } catch {
            throw .store(error)
        }
    }

    private struct Forgotten {
        var keys: [LookupKey] = []
        var aliases: Set<LookupKey> = []
        var bytes = 0
    }

    /// Returns the removed items that the registration forgets after these changes: those removed first.
    private func earliestRemovals(_ changes: DeltaChanges, at time: Timestamp) throws(Failure) -> Forgotten {
        guard changes.forgottenCount > 0 else { return Forgotten() }
        let changed = changes.items.map(\.item.key)
        let columns = "SELECT key, removed_at, octet_length(texts)::bigint, aliases FROM item"
        let ofRegistry = "WHERE app = $1 AND owner = $2 AND registry = \(PostgresStore.number)"
        let keys = Value.ints(changed.map(\.rawValue))
        let found = try run([
            Statement(
                "\(columns) \(ofRegistry) AND removed_at IS NOT NULL AND key <> ALL($5) ORDER BY removed_at, key LIMIT $6",
                PostgresStore.values(of: registry, keys, .int(changes.forgottenCount))),
            Statement("\(columns) \(ofRegistry) AND key = ANY($5)", PostgresStore.values(of: registry, keys)),
        ])
        do throws(StoreError) {
            var removals = try found[0].map(Removal.init)
            let stored = try found[1].map(Removal.init)
            let sizes = Dictionary(stored.map { ($0.key, $0.bytes) }, uniquingKeysWith: { first, _ in first })
            for change in changes.items where !change.item.isLive {
                let item = change.item
                let bytes = change.texts?.count ?? sizes[item.key] ?? 0
                removals.append(Removal(key: item.key, at: time, bytes: bytes, aliases: item.aliases))
            }
            removals.sort { ($0.at, $0.key.rawValue) < ($1.at, $1.key.rawValue) }
            return removals.prefix(changes.forgottenCount).reduce(into: Forgotten()) { forgotten, removal in
                forgotten.keys.append(removal.key)
                forgotten.aliases.formUnion(removal.aliases)
                forgotten.bytes += removal.bytes
            }
        } catch {
            throw .store(error)
        }
    }

    private struct Removal {
        var key: LookupKey
        var at: Timestamp
        var bytes: Int
        var aliases: [LookupKey]

        init(key: LookupKey, at: Timestamp, bytes: Int, aliases: [LookupKey]) {
            self.key = key
            self.at = at
            self.bytes = bytes
            self.aliases = aliases
        }

        init(_ row: inout Row) throws(StoreError) {
            key = LookupKey(rawValue: try row.key())
            at = try row.optionalTime() ?? Timestamp(milliseconds: 0)
            bytes = try row.count()
            aliases = try row.keys()
        }
    }
}
