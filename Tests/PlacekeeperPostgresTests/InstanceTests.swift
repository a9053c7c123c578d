import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperPostgresServer
import PlacekeeperService
import PlacekeeperStoreConformance
import Testing

@testable import PlacekeeperPostgres

/// Several stores on one database.
@Suite(.enabled(if: PostgresServer.isNeeded, "PostgreSQL is not installed"), .timeLimit(.minutes(20)))
struct InstanceTests {
    private func withTwoStores(_ test: (_ one: PostgresStore, _ other: PostgresStore) async throws -> Void) async throws
    {
        try await cluster().withDatabase { url in
            let one = try await PostgresStore(PostgresServer.configuration(url))
            let other = try await PostgresStore(PostgresServer.configuration(url))
            try await test(one, other)
            for store in [one, other] { await store.close() }
        }
    }

    /// Collects the effects of other processes' writes of which a store learns.
    private func follow(_ store: PostgresStore) -> AsyncStream<Invalidations> {
        let (stream, continuation) = AsyncStream.makeStream(of: Invalidations.self)
        store.onExternalWrites { continuation.yield($0) }
        return stream
    }

    private func put(_ number: UInt64, user: UInt64, in store: PostgresStore) async throws {
        _ = try await store.put(
            NewArchive(
                id: ArchiveID(high: 0, low: number), scene: SceneKey(owner: Agreement.owner(user), name: "main"),
                device: DeviceID(high: 0, low: 1), capturedAt: Agreement.at(Int64(number)),
                receivedAt: Agreement.at(Int64(number)), context: Context(idiom: .phone),
                digest: Digest(0, 0, 0, number), summary: Archive.Summary(), bytes: [1, 2, 3]), retention: 20)
    }

    @Test func tellsOtherInstancesOfUsersWithNews() async throws {
        try await withTwoStores { one, other in
            let (mine, theirs) = (follow(one), follow(other))
            // The other store may begin to listen after the first hints, so the first user has news until it hears of them.
            let heard = Task { () -> Set<UserKey> in
                var users: Set<UserKey> = []
                for await invalidations in theirs {
                    users.formUnion(invalidations.news)
                    if users.contains(Agreement.owner(2)) { break }
                }
                return users
            }
            let isHeard = LockBox(false)
            let writing = Task {
                var number: UInt64 = 1
                while !isHeard.withLock({ $0 }) {
                    try await put(number, user: 2, in: one)
                    number += 1
                }
            }
            let users = await heard.value
            isHeard.withLock { $0 = true }
            try await writing.value
            #expect(users == [Agreement.owner(2)])
            // A store does not hear of its own writes: the first that it hears of is the other store's.
            let first = Task { await mine.first { _ in true } }
            let isOver = LockBox(false)
            let answering = Task {
                var number: UInt64 = 1
                while !isOver.withLock({ $0 }) {
                    try await put(number, user: 3, in: other)
                    number += 1
                }
            }
            #expect(await first.value?.news == [Agreement.owner(3)])
            isOver.withLock { $0 = true }
            try await answering.value
        }
    }

    @Test func countsTransactionsAndLostRaces() async throws {
        try await withTwoStores { one, other in
            func value(_ name: String, _ store: PostgresStore) -> Double? {
                store.metrics.first { $0.name == name }?.value
            }
            for number in 1...3 as ClosedRange<UInt64> { try await put(number, user: 1, in: one) }
            #expect(value("transactions_total", one) == 3 && value("writes_total", one) == 3)
            #expect(value("lost_races_total", one) == 0)
            // The first store remembers the version from before this upload.
            try await put(4, user: 1, in: other)
            try await put(5, user: 1, in: one)
            #expect(value("lost_races_total", one) == 1 && value("writes_total", one) == 4)
        }
    }

    @Test func measuresConnectionsAndCommits() async throws {
        try await withTwoStores { store, _ in
            func samples(_ name: String) -> [Metric] { store.metrics.filter { $0.name == name } }
            func commits() -> Double { samples("commit_seconds").first { $0.suffix == "_count" }?.value ?? -1 }
            let before = commits()
            // A commit that takes longer than every bucket but two.
            _ = try await store.commit([Statement("SELECT count(*) FROM pg_sleep(0.6)")], until: .now + .seconds(600))
            #expect(commits() == before + 1)
            let buckets = samples("commit_seconds").filter { $0.suffix == "_bucket" }
            #expect(buckets.map(\.value) == buckets.map(\.value).sorted() && buckets.last?.value == commits())
            #expect(buckets.last?.labels.first?.value == "+Inf")
            #expect((samples("commit_seconds").first { $0.suffix == "_sum" }?.value ?? 0) >= 0.6)
            let widths = samples("connections_limit").map { ($0.labels[0].value, $0.value) }
            #expect(widths.map(\.0) == ["reads", "versions", "writes"])
            #expect(widths.map(\.1) == [store.pool, store.probing, store.writing].map { Double($0.width) })
            let other = try Connection(store.configuration)
            let lock = Statement("LOCK TABLE app IN ACCESS EXCLUSIVE MODE")
            _ = try other.run(Batch([Statement("BEGIN"), lock]), until: .now + .seconds(600))
            let reading = Task { try await store.apps() }
            while samples("connections_busy").first?.value != 1 { await Task.yield() }
            _ = try other.run(Batch([Statement("COMMIT")]), until: .now + .seconds(600))
            _ = try await reading.value
            #expect(samples("connections_busy").first?.value == 0)
        }
    }

    @Test func givesALeaseToOneInstanceUntilItEnds() async throws {
        try await withTwoStores { one, other in
            #expect(try await one.takeLease(.pruning, for: .seconds(3600)))
            #expect(try await one.takeLease(.pruning, for: .seconds(3600)))
            #expect(try await !other.takeLease(.pruning, for: .seconds(3600)))
            #expect(try await other.takeLease(.judging, for: .seconds(3600)))
            try await other.endLease(.pruning)
            #expect(try await !other.takeLease(.pruning, for: .seconds(3600)))
            try await one.endLease(.pruning)
            #expect(try await other.takeLease(.pruning, for: .zero))
            #expect(try await one.takeLease(.pruning, for: .seconds(3600)))
            await one.close()
            #expect(try await other.takeLease(.pruning, for: .seconds(3600)))
        }
    }

    @Test func listsTheInstancesThatUseTheDatabase() async throws {
        try await withTwoStores { one, other in
            func own(_ name: String, _ version: String) -> Instance {
                Instance(name: name, version: version, lastSeenAt: Timestamp(milliseconds: 0))
            }
            #expect(try await one.instances(with: own("web-1", "0.1.0")).map(\.version) == ["0.1.0"])
            let both = try await other.instances(with: own("web-2", "0.2.0"))
            #expect(both.map(\.name) == ["web-1", "web-2"] && both.map(\.version) == ["0.1.0", "0.2.0"])
            let first = try #require(both.first).lastSeenAt
            #expect(first.milliseconds > 1_750_000_000_000 && first <= both[1].lastSeenAt)
            // An upgrade in place, an instance that died a day ago, and one that is closed.
            let later = try await one.instances(with: own("web-1", "0.2.0"))
            #expect(later.map(\.version) == ["0.2.0", "0.2.0"] && later[0].lastSeenAt > first)
            try await one.write([Statement("UPDATE lease SET ends_at = now() WHERE name = 'instance web-2'")])
            #expect(try await one.instances(with: own("web-1", "0.2.0")).map(\.name) == ["web-1"])
            await one.close()
            #expect(try await other.instances(with: own("web-2", "0.2.0")).map(\.name) == ["web-2"])
        }
    }

    /// The server answers no write, as if its standby were gone.
    @Test func leavesWritesInProgressAfterTheirEndAndRefusesFurtherWrites() async throws {
        try await cluster().withDatabase { url in
            let store = try await PostgresStore(PostgresServer.configuration(url))
            try await put(1, user: 1, in: store)
            let hasty = try await PostgresStore(hurried(store.configuration))
            let connection = try Connection(store.configuration)
            let end = ContinuousClock.now + .seconds(600)
            _ = try connection.run(Batch([Statement("BEGIN")]), until: end)
            _ = try connection.run(Batch([Statement("LOCK TABLE users IN EXCLUSIVE MODE")]), until: end)
            let answers = await withTaskGroup { group in
                for number in 2...40 as ClosedRange<UInt64> {
                    group.addTask { () -> StoreError.Code? in
                        do {
                            try await put(number, user: number, in: hasty)
                            return nil
                        } catch {
                            return (error as? StoreError)?.code
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0 == .unavailable })
            // Reads go on, and the server has no more waiting transactions than the store has connections for writes.
            let scene = SceneKey(owner: Agreement.owner(), name: "main")
            #expect(try await store.history(of: scene, below: nil, limit: 10).archives.count == 1)
            let locks =
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
            let waiting = try await store.rows(locks).first { row throws(StoreError) in try row.key() } ?? -1
            #expect(1...Int64(store.configuration.connections) ~= waiting)
            _ = try connection.run(Batch([Statement("ROLLBACK")]), until: end)
            // The store serves writes again by itself, as soon as the server has answered the late ones.
            var isServed = false
            while !isServed, ContinuousClock.now < end { isServed = (try? await put(99, user: 99, in: hasty)) != nil }
            #expect(isServed)
            for store in [store, hasty] { await store.close() }
        }
    }

    /// A store remembers the user's state after its own write. Without a write, no transaction notices that it is outdated.
    @Test func decidesAgainBeforeItAnswersWithoutAWrite() async throws {
        try await withTwoStores { one, other in
            let owner = Agreement.owner()
            let scene = SceneKey(owner: owner, name: "main")
            try await put(1, user: 1, in: one)
            let device = Device(
                id: DeviceID(high: 0, low: 9), owner: owner, idiom: .pad, createdAt: Agreement.at(0),
                lastSeenAt: Agreement.at(0))
            _ = try await other.register(NewDevice(device, token: Digest(9, 0, 0, 9)))
            let code = LinkCode(
                digest: Digest(8, 0, 0, 8), owner: owner, expiresAt: Agreement.at(1000), maker: device.id)
            try await one.create(code)
            try await put(2, user: 1, in: one)
            try await put(3, user: 1, in: other)
            let archive = try #require(try await other.history(of: scene, below: nil, limit: 1).archives.first)
            try await one.recordServing(archive.id, in: scene, to: device.id, at: Agreement.at(5))
            let outcome = Outcome(
                archive: archive.id, device: device.id, result: .restored, context: Context(idiom: .pad),
                reportedAt: Agreement.at(6))
            #expect(try await other.report(outcome, in: scene).value == .recorded)
        }
    }

    /// A confirmation that comes late, at a server that replaced the one that was read, must not confirm.
    @Test func confirmsOnlyTheVersionAndTheServerThatWereRead() async throws {
        try await withTwoStores { one, _ in
            try await put(1, user: 1, in: one)
            let owner = Agreement.owner()
            var work = Workspace()
            let server = try #require(try await one.load([.user(owner)], into: &work, until: .now + .seconds(600)))
            let version = try #require(work.user(owner)?.version)
            try await one.commits.commit(
                .confirmation(of: [owner: version], from: server), until: .now + .seconds(600))
            for wrong in [
                WriteStatements.confirmation(of: [owner: version + 1], from: server),
                .confirmation(of: [owner: version], from: ServerIdentity(cluster: server.cluster, timeline: 9)),
            ] {
                let failure = await #expect(throws: Failure.self) {
                    try await one.commits.commit(wrong, until: .now + .seconds(600))
                }
                guard case .lostRace? = failure else { Issue.record("\(String(describing: failure))"); return }
            }
        }
    }

    /// A write with a short end must not wait for the transactions before it, and must not shorten their time.
    @Test func failsAWriteThatWaitsInTheQueueAtItsEnd() async throws {
        try await withTwoStores { one, other in
            for user in 1...3 as ClosedRange<UInt64> { try await put(1, user: user, in: one) }
            let connection = try Connection(one.configuration)
            let end = ContinuousClock.now + .seconds(600)
            _ = try connection.run(Batch([Statement("BEGIN")]), until: end)
            _ = try connection.run(Batch([Statement("UPDATE users SET version = version")]), until: end)
            // Each write begins a transaction of its own, and all transactions that may run at once are in progress.
            var held: [Task<Void, any Error>] = []
            for user in 1...2 as ClosedRange<UInt64> {
                held.append(Task { try await put(2, user: user, in: one) })
                while one.writing.load.running < Int(user) { await Task.yield() }
            }
            let write = WriteStatements.confirmation(of: [Agreement.owner(3): 1], from: nil)
            let failure = await #expect(throws: Failure.self) {
                try await one.commits.commit(write, until: .now + .milliseconds(10))
            }
            guard case .store? = failure else { Issue.record("\(String(describing: failure))"); return }
            _ = try connection.run(Batch([Statement("ROLLBACK")]), until: end)
            for task in held { try await task.value }
            _ = other
        }
    }

    /// Otherwise an entry of an erased user would stay for weeks.
    @Test func logsNoRestoreOfAUserWhoIsErasedMeanwhile() async throws {
        try await cluster().withStore { store in
            let (owner, device) = (Agreement.owner(), DeviceID(high: 0, low: 1))
            let end = ContinuousClock.now + .seconds(600)
            let erasure = try Connection(store.configuration)
            let insert = Statement(
                """
                INSERT INTO device (app, owner, uuid, idiom, created_at, last_seen_at, joined_revision)
                VALUES ($1, $2, $3, 0, 0, 0, 0)
                """, owner.values + [.id(device)])
            _ = try erasure.run(Batch([insert]), until: end)
            _ = try erasure.run(
                Batch([Statement("BEGIN"), Statement("UPDATE store SET access_base = access_base + 1")]), until: end)
            let report = RestoreReport(
                at: Agreement.at(1), owner: owner, device: device, scene: "main", archive: ArchiveID(high: 0, low: 1),
                result: .crashed, source: Context(idiom: .phone), target: Context(idiom: .phone))
            let log = Task { try await store.log([.report(report)]) }
            while try await !isWaitingForALock(store) { await Task.yield() }
            _ = try erasure.run(
                Batch([Statement("DELETE FROM device WHERE uuid = $1", .id(device)), Statement("COMMIT")]), until: end)
            try await log.value
            let rows = try await store.rows("SELECT count(*) FROM restore_log")
            #expect(try rows.first { row throws(StoreError) in try row.key() } == 0)
        }
    }

    private func isWaitingForALock(_ store: PostgresStore) async throws -> Bool {
        try await store.rows(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        ).first { row throws(StoreError) in try row.key() } ?? 0 > 0
    }

    /// The writes of several users share a transaction. One requires a version that its user doesn't have, and one
    /// requires it of the second of two users.
    @Test func aWriteThatLostARaceFailsAlone() async throws {
        try await cluster().withStore { store in
            for user in 1...9 as ClosedRange<UInt64> { try await put(1, user: user, in: store) }
            func versions() async throws -> [UInt64: Int64] {
                var work = Workspace()
                let users = (3...9 as ClosedRange<UInt64>).map { Need.user(Agreement.owner($0)) }
                _ = try await store.load(users, into: &work, until: .now + .seconds(600))
                return Dictionary(uniqueKeysWithValues: work.users.map { ($0.key.user.low, $0.version) })
            }
            let known = try await versions()
            let groups: [[UInt64]] = [[3], [4], [5], [6], [7, 8], [9]]
            let lost: Set<UInt64> = [5, 8]
            let connection = try Connection(store.configuration)
            let end = ContinuousClock.now + .seconds(600)
            _ = try connection.run(Batch([Statement("BEGIN")]), until: end)
            _ = try connection.run(Batch([Statement("UPDATE users SET version = version")]), until: end)
            // All transactions that may run at once are in progress, so the further writes wait for the next one.
            var held: [Task<Void, any Error>] = []
            for user in 1...2 as ClosedRange<UInt64> {
                held.append(Task { try await put(2, user: user, in: store) })
                while store.writing.load.running < Int(user) { await Task.yield() }
            }
            let before = store.commits.committed
            let losers = try await withThrowingTaskGroup { tasks in
                for users in groups {
                    var write = WriteStatements()
                    for user in users {
                        let version = try #require(known[user]) + (lost.contains(user) ? 1 : 0)
                        let owner = Agreement.owner(user)
                        write.requirements[owner] = .user(owner, version: version, raise: 1, nil)
                    }
                    // As for a sign-in, which also adds the account's user.
                    if users == [5] {
                        let values = TableRow.UserValues(
                            revision: Revision(rawValue: 1), prunedThrough: Revision(rawValue: 0), latestTime: nil,
                            createdAt: Agreement.at(1), subject: nil, usage: Usage(), scenes: 0, heldScenes: 0,
                            raisesFresh: false, raisesAccess: false)
                        write.requirements[Agreement.owner(20)] = .newUser(Agreement.owner(20), values)
                    }
                    tasks.addTask { [write] () -> [UInt64] in
                        do throws(Failure) {
                            try await store.commits.commit(write, until: .now + .seconds(600))
                            return []
                        } catch {
                            guard case .lostRace = error else { throw error }
                            return users
                        }
                    }
                }
                while store.commits.waitingWrites < groups.count { await Task.yield() }
                _ = try connection.run(Batch([Statement("ROLLBACK")]), until: end)
                return try await tasks.reduce(into: []) { $0 += $1 }
            }
            for task in held { try await task.value }
            #expect(losers.sorted() == [5, 7, 8])
            #expect(try await versions() == known.merging([3, 4, 6, 9].map { ($0, (known[$0] ?? 0) + 1) }) { $1 })
            let added = try await store.rows(
                "SELECT count(*) FROM users WHERE owner = $1", .id(Agreement.owner(20).user))
            #expect(try added.first { row throws(StoreError) in try row.key() } == 0)
            // The two held writes, and the four others in one transaction.
            let after = store.commits.committed
            #expect((after.transactions - before.transactions, after.writes - before.writes) == (3, 6))
        }
    }

    /// Another instance must not wait for an instance that is frozen in the middle of a transaction.
    @Test func endsATransactionWhoseInstanceIsFrozen() async throws {
        try await cluster().withStore { store in
            try await put(1, user: 1, in: store)
            let frozen = try Connection(store.configuration, options: ConnectionPool.Kind.writing.options)
            _ = try frozen.run(
                Batch([Statement("BEGIN"), Statement("UPDATE users SET version = version")]),
                until: .now + .seconds(600))
            try await put(2, user: 1, in: store)
            let failure = #expect(throws: Failure.self) {
                try frozen.run(Batch([Statement("COMMIT")]), until: .now + .seconds(600))
            }
            guard case .disconnected? = failure else { Issue.record("\(String(describing: failure))"); return }
        }
    }

    /// Otherwise a repeated upload would be acknowledged that only the primary has.
    @Test func writesBeforeItSaysThatAnArchiveIsStored() async throws {
        try await withTwoStores { one, other in
            try await put(1, user: 1, in: one)
            func writer() async throws -> String? {
                try await other.rows("SELECT xmin::text FROM users").first { row throws(StoreError) in try row.text() }
            }
            let first = try await writer()
            try await put(1, user: 1, in: one)
            let second = try await writer()
            #expect(first != second)
            try await put(1, user: 1, in: other)
            #expect(try await writer() != second)
        }
    }

    @Test func readsWhileEveryWriteWaits() async throws {
        try await withTwoStores { one, other in
            try await put(1, user: 1, in: one)
            // A transaction that does not end holds the user's row, as a server does whose standby is gone.
            let connection = try Connection(one.configuration)
            let end = ContinuousClock.now + .seconds(600)
            _ = try connection.run(Batch([Statement("BEGIN")]), until: end)
            _ = try connection.run(Batch([Statement("UPDATE users SET version = version")]), until: end)
            let writes = (2...20 as ClosedRange<UInt64>).map { number in
                Task { try await put(number, user: 1, in: one) }
            }
            let scene = SceneKey(owner: Agreement.owner(), name: "main")
            #expect(try await one.history(of: scene, below: nil, limit: 10).archives.count == 1)
            _ = try connection.run(Batch([Statement("ROLLBACK")]), until: end)
            for write in writes { try await write.value }
            #expect(try await one.history(of: scene, below: nil, limit: 100).archives.count == 20)
        }
    }
}

@Suite struct HintTests {
    private static func user(_ number: UInt64) -> UserKey {
        UserKey(app: AppID(high: 1, low: .max), user: UserID(high: number << 40, low: number))
    }

    private static let instance = [UInt8](0...15)

    @Test(arguments: [1, 2, 119, 120, 121, 500]) func staysTheSameInItsTexts(_ count: UInt64) throws {
        let users = (0..<count).map(Self.user)
        let texts = Hint(instance: Self.instance, users: users).texts
        #expect(texts.allSatisfy { $0.utf8.count < 8000 })
        let hints = try texts.map { try #require(Hint(Array($0.utf8))) }
        #expect(hints.flatMap(\.users) == users)
        #expect(hints.allSatisfy { $0.instance == Self.instance })
    }

    @Test func ignoresOtherTexts() {
        let digits = String(repeating: "0", count: 32)
        for text in [
            "", "x", String(digits.dropLast()), digits, digits + "0", digits + String(repeating: "g", count: 64),
        ] {
            #expect(Hint(Array(text.utf8)) == nil, "\(text)")
        }
    }
}
