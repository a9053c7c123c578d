import Foundation
import PlacekeeperCore
import PlacekeeperPostgresServer
import PlacekeeperSQLite
import PlacekeeperService
import PlacekeeperStoreConformance
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperPostgres

@Suite(.enabled(if: PostgresServer.isNeeded, "PostgreSQL is not installed"))
struct TransferTests {
    @Test(arguments: StoreBehavior.all.sampled)
    func movesTheDataOfEachBehaviorToPostgreSQLAndBack(_ behavior: StoreBehavior) async throws {
        try await Places.use { places in
            let store = try places.sqlite()
            try await behavior.check(store)
            await store.close()
            let there = try places.toPostgres()
            #expect(there.digest == there.digestOfCopy)
            #expect(try places.findings() == [])
            let back = try places.toSQLite("back")
            #expect(back.digest == there.digest && back.digestOfCopy == there.digest)
            let copy = try places.sqlite("back")
            #expect(try await copy.findings() == [])
            await copy.close()
        }
    }

    @Test(arguments: StoreBehavior.all.sampled(from: 2)) func movesTheDataOfBehaviorsToSQLiteAndBack(
        _ behavior: StoreBehavior
    )
        async throws
    {
        try await Places.use { places in
            let store = try await places.postgres()
            try await behavior.check(store)
            await store.close()
            let there = try places.toSQLite("data")
            #expect(there.digest == there.digestOfCopy)
            let copy = try places.sqlite()
            #expect(try await copy.findings() == [])
            await copy.close()
            try places.emptyDatabase()
            let back = try places.toPostgres()
            #expect(back.digest == there.digest && back.digestOfCopy == there.digest)
            #expect(try places.findings() == [])
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func keepsAllAnswersAfterRandomIntents(_ seed: UInt64) async throws {
        try await Places.use { places in
            let store = try places.sqlite()
            var intents = RandomIntents(seed: seed)
            for _ in 0..<400 { _ = try await intents.next().carryOut(in: store) }
            let answers = try await Agreement.everything(in: store)
            await store.close()
            _ = try places.toPostgres()
            let middle = try await places.postgres()
            #expect(try await Agreement.everything(in: middle) == answers)
            // The stores go on with the data.
            for _ in 0..<200 { _ = try await intents.next().carryOut(in: middle) }
            #expect(try places.findings() == [])
            let later = try await Agreement.everything(in: middle)
            await middle.close()
            _ = try places.toSQLite("back")
            let back = try places.sqlite("back")
            #expect(try await Agreement.everything(in: back) == later)
            for _ in 0..<200 { _ = try await intents.next().carryOut(in: back) }
            #expect(try await back.findings() == [])
            await back.close()
        }
    }

    @Test func keepsItemsAndTheirOrder() async throws {
        try await Places.use { places in
            let store = try places.sqlite()
            let histories = IdentityHistories(on: store, hashing: SpreadingHash())
            #expect(try await histories.differences(seeds: 0..<20).isEmpty)
            await store.close()
            let there = try places.toPostgres()
            #expect(there.counts.first { $0.table == "item" }?.rows ?? 0 > 0)
            #expect(try places.findings() == [])
            let back = try places.toSQLite("back")
            #expect(back.digest == there.digest)
            let copy = try places.sqlite("back")
            #expect(try await copy.findings() == [])
            await copy.close()
        }
    }

    private func archive(_ number: UInt64, bytes: [UInt8], of owner: UserKey) -> NewArchive {
        NewArchive(
            id: ArchiveID(high: 0, low: number), scene: SceneKey(owner: owner, name: "main"),
            device: DeviceID(high: 0, low: 1), capturedAt: Agreement.at(Int64(number)),
            receivedAt: Agreement.at(Int64(number)), context: Context(idiom: .phone), digest: Hash().sha256(bytes),
            summary: Archive.Summary(), bytes: bytes)
    }

    @Test func keepsLargeArchives() async throws {
        try await Places.use { places in
            var numbers = SeededNumbers(seed: 1)
            let archives = (1...5 as ClosedRange<UInt64>).map { number in
                archive(
                    number, bytes: (0..<200_000).map { _ in UInt8(truncatingIfNeeded: numbers.next()) },
                    of: Agreement.owner())
            }
            for name in ["data", "other"] {
                let store = try places.sqlite(name)
                for archive in archives { _ = try await store.put(archive, retention: 20) }
                await store.close()
            }
            _ = try places.toPostgres()
            _ = try places.toSQLite("other", replaces: true)
            let names = try FileManager.default.contentsOfDirectory(atPath: places.directory("other"))
            #expect(names == ["placekeeper.sqlite"])
            let store = try places.sqlite("other")
            for archive in archives {
                let found = try await store.archive(archive.id, in: archive.scene)
                guard case .stored(let stored) = found else {
                    Issue.record("\(found)")
                    continue
                }
                #expect(try await store.bytes(of: stored) == archive.bytes)
            }
            #expect(try await store.findings() == [])
            await store.close()
        }
    }

    @Test func keepsTheOrderOfChanges() async throws {
        try await Places.use { places in
            let store = try places.sqlite()
            for number in 1...12 as ClosedRange<UInt64> {
                _ = try await store.put(archive(number, bytes: [1], of: Agreement.owner(1 + number % 3)), retention: 20)
            }
            _ = try await store.erase(Agreement.owner(2))
            func changes(_ store: any Store) async throws -> [ArchiveID?] {
                try await store.newestChanges(of: Agreement.owner().app, limit: 100).changes.map(\.change.archive)
            }
            let before = try await changes(store)
            #expect(before.count == 8)
            await store.close()
            _ = try places.toPostgres()
            let middle = try await places.postgres()
            // PostgreSQL follows only changes that were made in it.
            #expect(try await changes(middle).isEmpty)
            _ = try await middle.put(archive(13, bytes: [1], of: Agreement.owner(1)), retention: 20)
            let last = try await changes(middle)
            #expect(last.count == 1)
            await middle.close()
            _ = try places.toSQLite("back")
            let back = try places.sqlite("back")
            #expect(try await changes(back) == before + last)
            #expect(try await back.findings() == [])
            await back.close()
        }
    }
}
