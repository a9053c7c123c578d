import Glibc
import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperSQLite

@Suite(.timeLimit(.minutes(20)))
struct ErasureTests {
    private let directory: DataDirectory

    init() throws { directory = try DataDirectory() }

    private struct NoRandom: RandomSource {
        func bytes(_ count: Int) -> [UInt8] { Array(repeating: 7, count: count) }
    }

    private func service(_ store: SQLiteStore) -> RestorationService {
        RestorationService(
            store: store, clock: ManualClock(at(1_000_000)), random: NoRandom(), hashing: SpreadingHash(),
            erasures: ErasureFile(directory: directory.path))
    }

    private func entries() async throws -> [ErasureEntry] {
        try await ErasureFile(directory: directory.path).entries()
    }

    @Test func erasesAUserWithADamagedTimeAndADamagedDigest() async throws {
        let store = try directory.open()
        try await Planted.fill(store, 1)
        try await store.writer.write { transaction throws(StoreError) in
            try transaction.connection.execute(
                """
                UPDATE user SET created_at = 9223372036854775807, subject_digest = x'01'
                WHERE subject_digest IS NOT NULL;
                """)
        }
        #expect(try await service(store).accounts.erase(owner(1)))
        #expect(try await store.facts(of: owner(1)) == nil)
        // An import of the user, and a new user of the account, count as created after the entry.
        #expect(try await entries().map(\.time) == [at(1_000_000)])
    }

    @Test func writesAReadableEntryForAUserOfTheGreatestTime() async throws {
        let greatest = Timestamp(milliseconds: StoredNumber.time.range.upperBound)
        let next = greatest + .milliseconds(1)
        let store = try directory.open()
        try await Planted.fill(store, 1)
        try await store.setSubject([1], Digest(7, 0, 0, 1), of: owner(1), createdAt: greatest)
        #expect(try await service(store).accounts.erase(owner(1)))
        // The user of a backup is erased again, and the next user of the account has a time that the store accepts.
        #expect(try await entries().map(\.time) == [next, greatest])
    }

    @Test func leavesNoTextOfTheUserInAnyFile() async throws {
        let store = try directory.open()
        for number in 1...3 as ClosedRange<UInt64> { try await Planted.fill(store, number) }
        #expect(try !directory.files(with: Planted.mark(2)).isEmpty)
        #expect(try await store.erase(owner(2)).value)
        #expect(try directory.files(with: Planted.mark(2)) == [])
        #expect(try !directory.files(with: Planted.mark(1)).isEmpty)
        #expect(try await store.findings().isEmpty)
        await store.close()
        #expect(try directory.files(with: Planted.mark(2)) == [])
        #expect(try directory.files(with: Planted.mark(3)) == [SQLiteStore.fileName])
    }

    /// The rows of many users share pages, and SQLite moves rows between pages as they grow.
    @Test func leavesNoTextOfManyUsersWhoseRowsShareThePages() async throws {
        let store = try directory.open()
        let numbers = 1...40 as ClosedRange<UInt64>
        for number in numbers { try await Planted.fill(store, number, archives: 12) }
        for number in numbers where number % 2 == 0 { try await Planted.fill(store, number + 100, archives: 4) }
        for number in numbers where number % 3 != 0 { _ = try await store.erase(owner(number)) }
        for number in numbers {
            #expect(try directory.files(with: Planted.mark(number)).isEmpty == (number % 3 != 0), "user \(number)")
        }
        #expect(try await store.findings().isEmpty)
    }

    @Test func leavesNoTextOfARemovedApp() async throws {
        let store = try directory.open()
        let numbers = 1...60 as ClosedRange<UInt64>
        for number in numbers { try await Planted.fill(store, number, archives: 12) }
        let before = store.writer.commits
        _ = try await store.erase(numbers.map { owner($0) })
        #expect(store.writer.commits - before < 120, "several users share a transaction")
        #expect(try await store.remove(owner(1).app).value)
        for number in numbers { #expect(try directory.files(with: Planted.mark(number)) == [], "user \(number)") }
        #expect(try await store.findings().isEmpty)
    }

    @Test func emptiesTheLogAfterALongRead() async throws {
        let store = try directory.open()
        try await Planted.fill(store, 1)
        let reader = try Connection(path: directory.database)
        try reader.execute("BEGIN; SELECT * FROM store;")
        #expect(try await store.erase(owner(1)).value)
        #expect(try reader.value("SELECT count(*) FROM archive") == "30")
        #expect(try !directory.files(with: Planted.mark(1)).isEmpty)
        try reader.execute("COMMIT")
        // The service calls this method once a second.
        while try !directory.files(with: Planted.mark(1)).isEmpty {
            _ = try await store.externalInvalidations(following: [])
        }
        #expect(try await store.findings().isEmpty)
    }

    @Test func emptiesTheLogAfterAnErasureByACommand() async throws {
        let service = try directory.open()
        let command = try directory.open { $0.copiesLog = false }
        try await Planted.fill(service, 1)
        #expect(try await command.erase(owner(1)).value)
        await command.close()
        while try !directory.files(with: Planted.mark(1)).isEmpty {
            _ = try await service.externalInvalidations(following: [])
        }
        #expect(try await service.facts(of: owner(1)) == nil)
    }

    @Test func emptiesTheLogOfAProcessThatWasKilled() async throws {
        let killed = try directory.open()
        try await Planted.fill(killed, 1)
        // The store of the killed process stays open, so its log stays.
        try await killed.writer.write { transaction throws(StoreError) in
            while try transaction.eraseStep(of: owner(1)) {}
        }
        #expect(try !directory.files(with: Planted.mark(1)).isEmpty)
        let next = try directory.open()
        while try !directory.files(with: Planted.mark(1)).isEmpty {
            _ = try await next.externalInvalidations(following: [])
        }
    }

    @Test func finishesAnInterruptedErasure() async throws {
        let store = try directory.open()
        try await Planted.fill(store, 1)
        try await Planted.fill(store, 2)
        var steps = 0
        // Interrupts the erasure after each number of steps.
        while true {
            let hasMore = try await store.writer.write { transaction throws(StoreError) in
                try transaction.eraseStep(of: owner(1))
            }
            steps += 1
            #expect(try await store.findings().isEmpty)
            #expect(try await store.devices(of: owner(1)).isEmpty)
            #expect(try await store.facts(of: owner(1))?.subjectDigest == nil)
            if !hasMore || steps == 4 { break }
        }
        #expect(try await store.facts(of: owner(1)) != nil)
        #expect(try await store.erase(owner(1)).value)
        #expect(try await store.facts(of: owner(1)) == nil)
        #expect(try directory.files(with: Planted.mark(1)) == [])
        #expect(try await store.findings().isEmpty)
    }

    @Test func performsOtherWritesBetweenItsSteps() async throws {
        let store = try directory.open()
        let body = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for number in 1...200 as ClosedRange<UInt64> {
            _ = try await store.put(sample(number, bytes: body), retention: 1000)
        }
        async let erased = store.erase(owner(1))
        var between = 0
        while try await store.facts(of: owner(1)) != nil {
            _ = try await store.put(sample(UInt64(1000 + between), in: scene(of: 2)), retention: 1000)
            between += 1
        }
        #expect(try await erased.value)
        // 200 archives of 100 KB take at least 10 steps of 2 MB.
        #expect(between >= 5)
        #expect(try await store.numbers(in: scene(of: 2)).count == between)
    }

    /// A request that was accepted before the erasure may add rows until the erasure ends.
    @Test func erasesRowsThatAreAddedBetweenTheSteps() async throws {
        let store = try directory.open()
        try await Planted.fill(store, 1)
        try await store.writer.write { transaction throws(StoreError) in
            for _ in 0..<4 { _ = try transaction.eraseStep(of: owner(1)) }
        }
        _ = try await store.forget(SceneKey(owner: owner(1), name: Planted.mark(1) + "late"), at: at(9))
        try await store.create(LinkCode(digest: Digest(8, 8, 8, 8), owner: owner(1), expiresAt: at(600_000)))
        _ = try await store.register(
            sampleDevice(77, of: owner(9)), token: Digest(5, 5, 5, 5), linkCode: Digest(8, 8, 8, 8))
        _ = try await store.erase(owner(1))
        #expect(try await store.facts(of: owner(1)) == nil)
        #expect(try await store.device(token: Digest(5, 5, 5, 5)) == nil)
        #expect(try directory.files(with: Planted.mark(1)) == [])
        #expect(try await store.findings().isEmpty)
    }
}

extension Transaction {
    fileprivate func eraseStep(of owner: UserKey) throws(StoreError) -> Bool {
        var room = 1 << 20
        return try eraseStep(of: owner, &room)
    }
}
