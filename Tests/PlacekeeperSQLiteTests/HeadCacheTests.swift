import PlacekeeperCore
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperService
@testable import PlacekeeperSQLite

struct HeadCacheTests {
    @Test func returnsOtherProcessesHeadOnceItsWriteIsNoticed() async throws {
        let directory = try DataDirectory()
        let (server, command) = (try directory.open(), try directory.open())
        _ = try await server.put(sample(1), retention: 20)
        #expect(try await server.headNumber() == 1)
        _ = try await command.put(sample(2), retention: 20)
        _ = try await server.externalInvalidations(following: [])
        #expect(try await server.headNumber() == 2)
    }

    @Test func cachesHeadAndItsBytes() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        _ = try await store.put(sample(1), retention: 20)
        let head = try #require(try await store.head())
        let version = try await store.userVersion(of: owner()).version
        let cached = try #require(store.heads.head(of: scene(), at: version))
        #expect(cached.archive == head && cached.bytes == sample(1).bytes)
        #expect(try await store.bytes(of: head) == sample(1).bytes)
    }

    @Test func removesHeadOnEveryWriteToItsScene() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let screenshot = Screenshot(format: .png, bytes: [1])
        let outcome = Outcome(
            archive: ArchiveID(high: 0, low: 1), device: DeviceID(high: 0, low: 1), result: .restored,
            context: Context(idiom: .pad), reportedAt: at(9))
        let writes: [(SQLiteStore) async throws -> Void] = [
            { _ = try await $0.putScreenshot(screenshot, for: ArchiveID(high: 0, low: 1), in: scene()) },
            { _ = try await $0.report(outcome, in: scene()) },
            { _ = try await $0.put(sample(2), retention: 20) },
            { _ = try await $0.delete(ArchiveID(high: 0, low: 2), in: scene(), at: at(10)) },
            { _ = try await $0.forget(scene(), at: at(11)) },
        ]
        _ = try await store.put(sample(1), retention: 20)
        var before = try await store.head()
        for write in writes {
            try await write(store)
            let after = try await store.head()
            #expect(after != before)
            before = after
        }
    }

    @Test func ignoresHeadReadBeforeAWrite() {
        let cache = HeadCache(capacity: 1 << 20)
        cache.insert(CachedHead(archive(1), version: 4))
        #expect(cache.head(of: scene(), at: 5) == nil)
        #expect(cache.head(of: scene(), at: 4)?.archive == archive(1))
    }

    @Test func cachesNoBytesOfLargeArchives() {
        let cache = HeadCache(capacity: 1 << 20)
        var large = archive(1)
        large.size = HeadCache.largest + 1
        cache.insert(CachedHead(large, bytes: [UInt8](repeating: 0, count: large.size), version: 1))
        #expect(cache.head(of: scene(), at: 1)?.archive == large)
        #expect(cache.head(of: scene(), at: 1)?.bytes == nil)
    }

    @Test func staysWithinCapacity() {
        let capacity = 32 << 20
        let cache = HeadCache(capacity: capacity)
        let scenes = (1...200 as ClosedRange<Int64>).map { scene("scene \($0)") }
        for (number, scene) in zip(1... as PartialRangeFrom<Int64>, scenes) {
            let bytes = [UInt8](repeating: 0, count: HeadCache.largest)
            cache.insert(CachedHead(archive(number, in: scene), bytes: bytes, version: 1))
        }
        let held = scenes.compactMap { cache.head(of: $0, at: 1)?.bytes?.count }.reduce(0, +)
        // All scenes belong to one user, and so to one of sixteen shards.
        #expect(held >= capacity / 16 / 2 && held <= capacity / 16)
    }

    private func archive(_ number: Int64, in scene: SceneKey = scene()) -> Archive {
        Archive(
            id: ArchiveID(high: 0, low: UInt64(number)), scene: scene, device: DeviceID(high: 0, low: 1),
            revision: Revision(rawValue: number), capturedAt: at(number), receivedAt: at(number), sequence: nil,
            context: Context(idiom: .phone), digest: Digest(0, 0, 0, 0), size: 1, summary: Archive.Summary())
    }
}

extension SQLiteStore {
    fileprivate func head() async throws -> Archive? {
        let app = App(
            id: owner().app, bundleIdentifier: "com.example.photos", publishableKey: "pk_", createdAt: at(0))
        let choice = Choice(
            in: scene(), of: nil, for: Context(idiom: .phone), principal: Principal(app: app, device: sampleDevice(9)),
            at: at(12))
        return try await choose(choice, limit: 1).choice.accepted?.archive
    }

    fileprivate func headNumber() async throws -> UInt64? { try await head()?.id.low }
}
