import Glibc
import PlacekeeperCore
import PlacekeeperStoreConformance
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperService
@testable import PlacekeeperSQLite

/// The bytes of larger archives are in files beside the database.
@Suite(.timeLimit(.minutes(20)))
struct SegmentTests {
    private let directory: DataDirectory

    init() throws { directory = try DataDirectory() }

    private var segments: [String] { directory.names.filter { $0.contains("-segment-") } }

    /// Bytes that contain the archive's number in each word.
    private func body(_ number: UInt64, _ size: Int = 20_000) -> [UInt8] {
        let word = Array("<archive \(number)>".utf8)
        return (0..<size).map { word[$0 % word.count] }
    }

    private func put(
        _ numbers: ClosedRange<UInt64>, to store: SQLiteStore, in scene: SceneKey = scene(), size: Int = 20_000,
        retention: Int = 1000
    ) async throws {
        for number in numbers {
            _ = try await store.put(sample(number, in: scene, bytes: body(number, size)), retention: retention)
        }
    }

    /// Checks that the scene has the archives, and that each has its bytes.
    private func expect(
        _ numbers: [UInt64], in store: SQLiteStore, size: Int = 20_000, _ place: SourceLocation = #_sourceLocation
    ) async throws {
        let archives = try await store.history(of: scene(), below: nil, limit: 1000).archives
        #expect(archives.map(\.id.low) == numbers, sourceLocation: place)
        for archive in archives {
            #expect(
                try await store.bytes(of: archive) == body(archive.id.low, archive.size), sourceLocation: place)
        }
        #expect(try await store.findings() == [], sourceLocation: place)
    }

    /// The bytes of the directory's files on the disk.
    private func blocks(_ names: [String]) -> Int {
        names.reduce(0) { sum, name in
            var status = stat()
            return sum + (stat(directory.path + "/" + name, &status) == 0 ? Int(status.st_blocks) * 512 : 0)
        }
    }

    private func punchesHoles() throws -> Bool {
        try append(body(0, 1_000_000), to: "sparse")
        let file = try File(directory.path + "/sparse", O_RDWR)
        try file.erase(0..<1_000_000)
        try file.sync()
        return blocks(["sparse"]) < 500_000
    }

    private func append(_ bytes: [UInt8], to name: String) throws {
        try File(directory.path + "/" + name, O_WRONLY | O_APPEND | O_CREAT).write(bytes)
    }

    @Test(arguments: [(16_383, 0), (16_384, 1), (1_000_000, 1)])
    func keepsLargerArchivesBesideTheDatabase(_ size: Int, _ count: Int) async throws {
        let store = try directory.open()
        try await put(1...3, to: store, size: size)
        #expect(segments.count == count)
        try await expect([3, 2, 1], in: store)
        let used = try await store.usedBytes()
        #expect((3 * size..<3 * size + 400_000).contains(used))
        await store.close()
        let reopened = try directory.open()
        try await put(4...4, to: reopened, size: size)
        #expect(segments.count == count)
        try await expect([4, 3, 2, 1], in: reopened)
    }

    @Test func servesTheLatestArchiveFromItsSegment() async throws {
        do {
            let store = try directory.open()
            try await put(1...2, to: store)
            await store.close()
        }
        let store = try directory.open()
        let app = App(
            id: owner().app, bundleIdentifier: "com.example.photos", publishableKey: "pk_", createdAt: at(0))
        let choice = Choice(
            in: scene(), of: nil, for: Context(idiom: .phone), caller: Caller(app: app, device: sampleDevice(9)),
            at: at(100))
        #expect(try await store.choose(choice, limit: 10).bytes == body(2))
    }

    @Test func givesTheSpaceOfRemovedArchivesBack() async throws {
        let store = try directory.open()
        try await put(1...200, to: store, size: 100_000, retention: 5)
        try await expect([200, 199, 198, 197, 196], in: store)
        // The writer starts a sweep after a commit.
        while try await store.freedPlaces() > SegmentSweep.usualCount { try await store.check() }
        try await store.sweep.run(by: store.writer)
        #expect(try await store.freedPlaces() == 0)
        // A file system that cannot punch holes keeps the blocks, but not the bytes.
        for number in [1, 100, 195] as [UInt64] {
            #expect(try directory.files(with: "<archive \(number)>") == [])
        }
        if try punchesHoles() { #expect(blocks(segments) < 1_500_000) }
        try await expect([200, 199, 198, 197, 196], in: store)
    }

    @Test func deletesASegmentThatNothingUses() async throws {
        do {
            let store = try directory.open()
            try await put(1...3, to: store)
            await store.close()
        }
        let store = try directory.open()
        try await put(1...1, to: store, in: scene(of: 2), size: 100)
        // No process appends to the segment, because this store has not stored a larger archive yet.
        #expect(try await store.erase(owner(1)).value)
        #expect(segments == [])
        #expect(try await store.findings() == [])
        try await put(4...5, to: store)
        try await expect([5, 4], in: store)
    }

    @Test func leavesNoBytesOfAnErasedUser() async throws {
        let store = try directory.open()
        try await put(1...3, to: store)
        try await put(4...5, to: store, in: scene(of: 2))
        #expect(try await store.erase(owner(2)).value)
        for number in [4, 5] as [UInt64] { #expect(try directory.files(with: "<archive \(number)>") == []) }
        try await expect([3, 2, 1], in: store)
    }

    /// The refused upload is the first of its segment, or a later one.
    @Test(arguments: [false, true]) func leavesNoBytesOfARefusedUpload(_ isFirst: Bool) async throws {
        let store = try directory.open()
        try await put(1...1, to: store, size: isFirst ? 100 : 17_000)
        let refused = await #expect(throws: StoreError.self) {
            try await store.writer.write { transaction throws(StoreError) in
                _ = try transaction.segments.append(body(2, 40_000), in: transaction.connection)
                throw StoreError(.unavailable, "refused")
            }
        }
        #expect(refused?.code == .unavailable)
        #expect(try directory.files(with: "<archive 2>") == [])
        try await put(3...3, to: store, size: 17_000)
        #expect(segments.count == 1)
        try await expect([3, 1], in: store)
    }

    @Test func finishesTheErasureAfterASweepThatFailed() async throws {
        let store = try directory.open()
        try await put(1...2, to: store)
        // The lock of the sweep is a file, which cannot be opened now.
        try #require(mkdir(directory.database + "-segments", 0o700) == 0)
        await #expect(throws: StoreError.self) { _ = try await store.erase(owner()) }
        rmdir(directory.database + "-segments")
        #expect(try directory.files(with: "<archive 1>") == segments)
        #expect(try await store.erase(owner()).value == false)
        #expect(try directory.files(with: "<archive 1>") == [])
    }

    @Test func sweepsAfterTheStartWhatTheLastProcessLeft() async throws {
        do {
            let store = try directory.open()
            try await put(1...2, to: store)
            _ = try await store.eraseRows(of: owner()) { _, _ in true }
            await store.close()
        }
        #expect(try directory.files(with: "<archive 1>") == segments)
        let store = try directory.open()
        while try !directory.files(with: "<archive 1>").isEmpty { try await store.check() }
    }

    @Test func sweepsWhatACommandErasedDuringABackup() async throws {
        let service = try directory.open()
        let command = try directory.open { $0.copiesLog = false }
        try await put(1...2, to: service)
        do {
            let lock = try Backup.lockSegments(of: directory.database)
            _ = try await command.erase(owner())
            _ = consume lock
        }
        await command.close()
        #expect(try directory.files(with: "<archive 1>") == segments)
        // The service calls this method once a second.
        while try !directory.files(with: "<archive 1>").isEmpty { _ = try await service.foreignEffects() }
    }

    @Test func beginsANewSegmentWhenOneIsFull() async throws {
        let store = try directory.open { $0.fullSegment = 50_000 }
        try await put(1...6, to: store)
        #expect(segments.count == 2)
        try await expect([6, 5, 4, 3, 2, 1], in: store)
        _ = try await store.erase(owner())
        #expect(segments.count == 0)
    }

    /// An administrator may run a command as root, beside a service of another user.
    @Test(.enabled(if: geteuid() == 0)) func givesFilesToTheOwnerOfTheDatabase() async throws {
        let store = try directory.open()
        try #require(chown(directory.database, 12345, 12346) == 0)
        try await put(1...1, to: store)
        _ = try Backup.lockSegments(of: directory.database)
        for name in segments + [SQLiteStore.fileName + "-segments"] {
            var status = stat()
            #expect(stat(directory.path + "/" + name, &status) == 0)
            #expect(status.st_uid == 12345 && status.st_gid == 12346, "\(name)")
        }
    }

    @Test func countsTheFreePagesOfTheDatabaseInTheMaximumSize() async throws {
        do {
            let store = try directory.open { $0.segmentedSize = .max }
            try await put(1...20, to: store, size: 100_000)
            await store.close()
        }
        let maximum = 2_500_000
        let store = try directory.open { $0.maximumBytes = maximum }
        try await put(21...60, to: store, size: 100_000, retention: 20)
        try await store.sweep.run(by: store.writer)
        #expect(blocks([SQLiteStore.fileName] + segments) <= maximum + 200_000)
        try await expect((41...60).reversed(), in: store)
    }

    @Test func cutsOffWhatWasNotCommitted() async throws {
        do {
            let store = try directory.open()
            try await put(1...2, to: store)
            await store.close()
        }
        let segment = try #require(segments.first)
        try append(body(77), to: segment)
        try append(body(78), to: SQLiteStore.fileName + "-segment-99")
        let store = try directory.open()
        try await store.prune(at: at(5000))
        #expect(segments == [segment])
        for number in [77, 78] as [UInt64] { #expect(try directory.files(with: "<archive \(number)>") == []) }
        try append(body(79), to: segment)
        try append(body(80), to: SQLiteStore.fileName + "-segment-2")
        try await put(3...4, to: store)
        #expect(segments.count == 3)
        try await store.prune(at: at(6000))
        for number in [79, 80] as [UInt64] { #expect(try directory.files(with: "<archive \(number)>") == []) }
        try await expect([4, 3, 2, 1], in: store)
    }

    @Test func letsTwoProcessesAppend() async throws {
        let service = try directory.open()
        let command = try directory.open { $0.copiesLog = false }
        for number in stride(from: 1, to: 20, by: 2) as StrideTo<UInt64> {
            try await put(number...number, to: service)
            try await put(number + 1...number + 1, to: command)
        }
        try await service.prune(at: at(5000))
        try await command.prune(at: at(5000))
        #expect(segments.count == 2)
        try await expect((1...20).reversed(), in: service)
        try await expect((1...20).reversed(), in: command)
    }

    @Test func readsNoRemainsOfARemovedArchive() async throws {
        let store = try directory.open()
        try await put(1...2, to: store)
        let archive = try #require(try await store.history(of: scene(), below: nil, limit: 1).archives.first)
        let stored = try store.readers.read { connection throws(StoreError) in try connection.content(of: archive) }
        let content = try #require(stored)
        #expect(try store.load(content)?.bytes == body(2))
        _ = try await store.erase(owner())
        #expect(try store.load(content) == nil)
    }

    @Test func reportsAMissingSegment() async throws {
        let store = try directory.open()
        try await put(1...1, to: store)
        let archive = try #require(try await store.history(of: scene(), below: nil, limit: 1).archives.first)
        await store.close()
        for name in segments { unlink(directory.path + "/" + name) }
        let damaged = try directory.open()
        #expect(try await damaged.findings() == ["Bytes of segment 1 are missing."])
        let failure = await #expect(throws: StoreError.self) { _ = try await damaged.bytes(of: archive) }
        #expect(failure?.code == .corrupt)
        // New archives get another segment.
        try await put(2...2, to: damaged)
        #expect(segments == [SQLiteStore.fileName + "-segment-2"])
    }

    @Test func includesSegmentsInTheMaximumSize() async throws {
        let store = try directory.open { $0.maximumBytes = 2 << 20 }
        var stored = 0
        let failure = await #expect(throws: StoreError.self) {
            for number in 1...100 as ClosedRange<UInt64> {
                try await put(number...number, to: store, size: 100_000)
                stored += 1
            }
        }
        #expect(failure?.code == .full)
        #expect((10...20).contains(stored))
        #expect(try await store.usedBytes() <= 2 << 20)
        // The pages of the database get what the segments leave.
        let small = await #expect(throws: StoreError.self) {
            for number in 1000...2000 as ClosedRange<UInt64> { try await put(number...number, to: store, size: 4000) }
        }
        #expect(small?.code == .full)
        #expect(try await store.usedBytes() <= 2 << 20)
        #expect(try await store.erase(owner()).value)
        try await put(3000...3005, to: store, size: 100_000)
        #expect(try await store.findings() == [])
    }

    @Test func backsUpAllBytesInOneFile() async throws {
        let other = try DataDirectory()
        let file = other.path + "/backup.sqlite"
        let store = try directory.open()
        try await put(1...3, to: store)
        try await put(4...4, to: store, size: 100)
        _ = try Backup.create(from: directory.path, to: file, replaces: false)
        #expect(other.names == ["backup.sqlite"])
        let target = try DataDirectory()
        let contents = try Backup.install(try Backup.prepare(file, in: target.path, replaces: false))
        #expect(contents.archives == 4)
        #expect(target.names == [SQLiteStore.fileName])
        let restored = try target.open()
        try await expect([4, 3, 2, 1], in: restored)
        _ = try await restored.put(sample(5, bytes: body(5)), retention: 1000)
        try await expect([5, 4, 3, 2, 1], in: restored)
    }

    @Test func restoresACopyOfADataDirectory() async throws {
        let store = try directory.open()
        try await put(1...3, to: store)
        await store.close()
        let target = try DataDirectory()
        do {
            let old = try target.open()
            _ = try await old.put(sample(9, bytes: body(9)), retention: 10)
            await old.close()
        }
        _ = try Backup.install(try Backup.prepare(directory.database, in: target.path, replaces: true))
        // The old database's segments are deleted, because they may have data of erased users.
        #expect(target.names == [SQLiteStore.fileName])
        try await expect([3, 2, 1], in: try target.open())
    }

    @Test func keepsBytesForARunningBackup() async throws {
        let store = try directory.open()
        try await put(1...2, to: store)
        do {
            let lock = try Backup.lockSegments(of: directory.database)
            _ = try await store.erase(owner())
            #expect(try directory.files(with: "<archive 1>") == segments)
            _ = consume lock
        }
        // The writer tries again after later commits.
        while try !directory.files(with: "<archive 1>").isEmpty { try await store.check() }
    }
}

extension SQLiteStore {
    fileprivate func freedPlaces() async throws -> Int {
        try readers.read { connection throws(StoreError) in try connection.number("SELECT count(*) FROM freed") }
    }
}
