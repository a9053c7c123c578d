import Foundation
import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperMemoryStore
import PlacekeeperPostgresServer
import PlacekeeperService
import PlacekeeperStoreConformance
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperPostgres

/// Two stores on one database, as two instances of the service have them. The writes of different users share
/// transactions in one of the stores, and not in the other.
@Suite(.enabled(if: PostgresServer.isNeeded, "PostgreSQL is not installed"))
struct AgreementTests {
    private func stores(in url: String) async throws -> [PostgresStore] {
        let configuration = PostgresServer.configuration(url)
        var other = configuration
        other.usersPerTransaction = 1
        return [try await PostgresStore(configuration), try await PostgresStore(other)]
    }

    /// Calls one of two stores on a database at random.
    private func withTwoStores<Value>(
        seed: UInt64, _ test: (_ both: InterceptingStore, _ url: String) async throws -> Value
    ) async throws -> Value {
        try await cluster().withDatabase { url in
            let stores = try await stores(in: url)
            let numbers = LockBox(SeededNumbers(seed: seed))
            let both = InterceptingStore { stores[numbers.withLock { Int($0.next() % 2) }] }
            let result = try await test(both, url)
            for store in stores { await store.close() }
            return result
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func matchesInMemoryStoreForRandomIntentsOnTwoStores(_ seed: UInt64) async throws {
        try await withTwoStores(seed: seed) { store, url in
            let model = InMemoryStore()
            var intents = RandomIntents(seed: seed)
            for step in 0..<400 {
                let intent = intents.next()
                let (answer, expected) = try await (intent.carryOut(in: store), intent.carryOut(in: model))
                try #require(answer == expected, "step \(step): \(intent)")
                guard step % 40 == 39 else { continue }
                let (state, other) = try await (Agreement.everything(in: store), Agreement.everything(in: model))
                for (part, expectedPart) in zip(state, other) { try #require(part == expectedPart, "step \(step)") }
            }
            #expect(try cluster().findings(in: url) == [])
        }
    }

    /// The number of histories, from `PLACEKEEPER_HISTORIES`. The histories are the same for every store.
    private static let count =
        ProcessInfo.processInfo.environment["PLACEKEEPER_HISTORIES"].flatMap { UInt64($0) } ?? 200

    @Test(.timeLimit(.minutes(60))) func keepsTheArchivesOfEachSubjectApartOnTwoStores() async throws {
        try await withTwoStores(seed: 1) { store, _ in
            let complaints = try await AccountHistories(on: store).complaints(seeds: 0..<max(1, Self.count / 20))
            #expect(
                complaints.isEmpty, "\(complaints.count) histories:\n\(complaints.prefix(3).joined(separator: "\n"))")
        }
    }

    @Test(.timeLimit(.minutes(60))) func matchesIdentityOracleOnTwoStores() async throws {
        try await withTwoStores(seed: 2) { store, _ in
            let histories = IdentityHistories(on: store, hashing: SpreadingHash())
            let differences = try await histories.differences(seeds: 0..<max(1, Self.count / 4))
            #expect(differences.isEmpty, "\(differences.prefix(5).joined(separator: "\n"))")
        }
    }

    @Test(.timeLimit(.minutes(60))) func tellsItemsApartByAlignmentOnTwoStores() async throws {
        try await withTwoStores(seed: 3) { store, _ in
            let histories = AlignmentHistories(on: store, hashing: SpreadingHash())
            let found = try await histories.differences(seeds: 0..<max(1, Self.count / 4))
            #expect(found.differences.isEmpty, "\(found.differences.prefix(5).joined(separator: "\n"))")
        }
    }

    @Test func learnsOfTheWritesOfAnotherStore() async throws {
        try await cluster().withDatabase { url in
            let one = try await PostgresStore(PostgresServer.configuration(url))
            let other = try await PostgresStore(PostgresServer.configuration(url))
            let (owner, stranger) = (
                Agreement.owner(), UserKey(app: Agreement.owner().app, user: UserID(high: 9, low: 9))
            )
            let app = UserKey.everyone(of: owner.app)
            func news(_ followed: [UserKey]) async throws -> Set<UserKey> {
                let found = try await other.externalInvalidations(following: followed)
                #expect(!found.allNews)
                return Set(found.news)
            }
            // What is followed from now on is news once: a write may have come before.
            #expect(try await news([owner, stranger, app]) == [owner, stranger, app])
            #expect(try await news([owner, stranger, app]).isEmpty)
            for number in 1...3 as ClosedRange<UInt64> {
                _ = try await one.put(archive(number, in: SceneKey(owner: owner, name: "main")), retention: 20)
                #expect(try await news([owner, stranger, app]) == [owner, app])
                #expect(try await news([owner, stranger, app]).isEmpty)
            }
            // A process has told its followers of its own changes.
            #expect(try await Set(one.externalInvalidations(following: [owner]).news) == [owner])
            _ = try await one.put(archive(4, in: SceneKey(owner: owner, name: "main")), retention: 20)
            #expect(try await one.externalInvalidations(following: [owner]).news.isEmpty)
            #expect(try await news([owner]) == [owner])
            // The writes of users who aren't followed are no news, however many they are.
            for number in 1...3 as ClosedRange<UInt64> {
                _ = try await one.put(archive(number, in: SceneKey(owner: stranger, name: "main")), retention: 20)
            }
            _ = try await one.erase(stranger)
            #expect(try await news([owner]).isEmpty)
            _ = try await one.erase(owner)
            #expect(try await news([owner]) == [owner])
            for store in [one, other] { await store.close() }
        }
    }

    /// A transaction that takes long, such as one that waits for a standby, is seen after those that end before it.
    @Test func missesNoChangeOfATransactionThatEndsLate() async throws {
        try await cluster().withDatabase { url in
            let store = try await PostgresStore(PostgresServer.configuration(url))
            let owner = Agreement.owner()
            _ = try await store.put(archive(1, in: SceneKey(owner: owner, name: "main")), retention: 20)
            let start = try await store.newestChanges(of: owner.app, limit: 9)
            #expect(start.changes.count == 1)
            let late = try Connection(PostgresServer.configuration(url))
            _ = try late.run(
                Batch([
                    Statement("BEGIN"),
                    Statement(
                        "INSERT INTO change (app, owner, revision, kind, at) VALUES ($1, $2, 9, 'archiveStored', 0)",
                        .id(owner.app), .id(UserID(high: 9, low: 9))),
                ]), until: nil)
            _ = try await store.put(archive(2, in: SceneKey(owner: owner, name: "main")), retention: 20)
            let next = try await store.changes(of: owner.app, after: start.cursor)
            #expect(next.changes.map(\.change.archive) == [ArchiveID(high: 0, low: 2)] && !next.isTruncated)
            #expect(try await store.changes(of: owner.app, after: next.cursor).changes.isEmpty)
            _ = try late.run(Batch([Statement("COMMIT")]), until: nil)
            let last = try await store.changes(of: owner.app, after: next.cursor)
            #expect(last.changes.map(\.user) == [UserID(high: 9, low: 9)])
            #expect(try await store.changes(of: owner.app, after: last.cursor).changes.isEmpty)
            // Programs of schema version 4 still number changes.
            _ = try await store.write([
                Statement("UPDATE change SET position = abs(hashtext(app::text || owner || revision))")
            ])
            #expect(try await store.changes(of: owner.app, after: last.cursor).changes.isEmpty)
            // A reader that was interrupted before the end of a page gets it again.
            #expect(try await store.changes(of: owner.app, after: start.cursor).changes.count == 2)
            await store.close()
        }
    }

    @Test(arguments: [
        "", "x", "1", "5:4:", "1:9:3,2", "1:9:9", "1:9:,", "-1:9:", "1:9223372036854775807:", "1:2:3:4",
        "4294967296:4294967297:",
    ])
    func startsOverAfterACursorOfAnotherStore(_ cursor: String) async throws {
        try await cluster().withDatabase { url in
            let store = try await PostgresStore(PostgresServer.configuration(url))
            let page = try await store.changes(of: Agreement.owner().app, after: cursor)
            #expect(page.isTruncated && page.changes.isEmpty)
            #expect(try await !store.changes(of: Agreement.owner().app, after: page.cursor).isTruncated)
            await store.close()
        }
    }

    private func archive(_ number: UInt64, in scene: SceneKey) -> NewArchive {
        NewArchive(
            id: ArchiveID(high: 0, low: number), scene: scene, device: DeviceID(high: 0, low: 1),
            capturedAt: Agreement.at(Int64(number)), receivedAt: Agreement.at(Int64(number)),
            context: Context(idiom: .phone), digest: Digest(0, 0, 0, number), summary: Archive.Summary(),
            bytes: [1, 2, 3])
    }

    /// Without the required versions, two stores would give the same revision twice, or lose an archive.
    @Test func losesNoUploadOfTwoStoresAtTheSameTime() async throws {
        try await cluster().withDatabase { url in
            let stores = try await stores(in: url)
            try await withThrowingTaskGroup { group in
                for number in 1...200 as ClosedRange<UInt64> {
                    let store = stores[Int(number % 2)]
                    group.addTask {
                        let scene = SceneKey(owner: Agreement.owner(1 + number % 3), name: "main")
                        _ = try await store.put(self.archive(number, in: scene), retention: 1000)
                    }
                }
                try await group.waitForAll()
            }
            var count = 0
            for user in 1...3 as ClosedRange<UInt64> {
                let scene = SceneKey(owner: Agreement.owner(user), name: "main")
                let archives = try await stores[0].history(of: scene, below: nil, limit: 1000).archives
                #expect(archives.map(\.revision.rawValue).sorted() == Array(1...Int64(archives.count)))
                count += archives.count
            }
            #expect(count == 200)
            #expect(try cluster().findings(in: url) == [])
            for store in stores { await store.close() }
        }
    }
}
