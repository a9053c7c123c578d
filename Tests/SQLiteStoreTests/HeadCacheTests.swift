import Testing

@testable import RestorationService
@testable import SQLiteStore

struct HeadCacheTests {
    @Test func returnsOtherProcessesHeadOnceItsWriteIsNoticed() async throws {
        let directory = try DataDirectory()
        let (server, command) = (try directory.open(), try directory.open())
        _ = try await server.put(sample(1), retention: 20)
        #expect(try await server.headNumber() == 1)
        _ = try await command.put(sample(2), retention: 20)
        #expect(try await server.hasForeignChanges())
        #expect(try await server.headNumber() == 2)
    }

    @Test func cachesHeadAndItsBytes() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        _ = try await store.put(sample(1), retention: 20)
        let head = try #require(try await store.head())
        let bytes = try await store.bytes(of: head)
        #expect(store.heads.head(of: scene())?.archive == head)
        #expect(store.heads.head(of: scene())?.bytes == bytes && bytes != nil)
        #expect(try await store.bytes(of: head) == bytes)
    }

    @Test func removesHeadOnEveryWriteToItsScene() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let snapshot = Snapshot(format: .png, bytes: [1])
        let outcome = Outcome(
            archive: ArchiveID(high: 0, low: 1), device: DeviceID(high: 0, low: 1), result: .restored,
            context: Context(idiom: .phone), reportedAt: at(9))
        let writes: [(SQLiteStore) async throws -> Void] = [
            { _ = try await $0.putSnapshot(snapshot, for: ArchiveID(high: 0, low: 1), in: scene()) },
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
        let archive = archive(1)
        let ticket = cache.ticket(for: scene())
        cache.forget(scene())
        cache.insert(archive, ticket: ticket)
        #expect(cache.head(of: scene()) == nil)
        let late = cache.ticket(for: scene())
        cache.forgetAll()
        cache.insert(archive, ticket: late)
        #expect(cache.head(of: scene()) == nil)
        cache.insert(archive, ticket: cache.ticket(for: scene()))
        #expect(cache.head(of: scene())?.archive == archive)
    }

    @Test func ignoresBytesOfFormerHeadsAndOfLargeArchives() {
        let cache = HeadCache(capacity: 1 << 20)
        cache.insert(archive(2), ticket: cache.ticket(for: scene()))
        cache.insert([1], of: archive(1))
        #expect(cache.head(of: scene())?.bytes == nil)
        cache.insert([UInt8](repeating: 0, count: HeadCache.largest + 1), of: archive(2))
        #expect(cache.head(of: scene())?.bytes == nil)
    }

    /// The limit includes every response, also rewritten archives.
    @Test func staysWithinCapacityWithItsResponses() {
        let capacity = 32 << 20
        let cache = HeadCache(capacity: capacity)
        let scenes = (1...100 as ClosedRange<Int64>).map { scene("scene \($0)") }
        let caller = caller()
        for (number, scene) in zip(1... as PartialRangeFrom<Int64>, scenes) {
            let archive = archive(number, in: scene)
            cache.insert(archive, ticket: cache.ticket(for: scene))
            cache.insert([UInt8](repeating: 0, count: 1024), of: archive)
            guard let head = cache.head(of: scene) else { continue }
            for question in 0..<3 as Range<UInt8> {
                cache.remember(
                    RememberedAnswer(
                        caller: caller, question: [question], expiry: at(1), form: caller, size: HeadCache.largest,
                        identity: nil), with: head)
            }
            #expect(head.size == 1024 + 3 * HeadCache.largest)
        }
        let held = scenes.compactMap { cache.head(of: $0)?.size }.reduce(0, +)
        // All scenes belong to one user, and so to one of sixteen shards.
        #expect(held > capacity / 16 / 2 && held <= capacity / 16)
    }

    private func caller() -> Caller {
        let app = App(
            id: owner().app, bundleIdentifier: "com.example.photos", publishableKey: "pk_", createdAt: at(0))
        let device = sampleDevice()
        return Caller(app: app, device: device)
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
        try await candidates(in: scene(), device: nil, below: nil, limit: 1).first
    }

    fileprivate func headNumber() async throws -> UInt64? { try await head()?.id.low }
}
