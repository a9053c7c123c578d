import RestorationService
import Testing

@testable import SQLiteStore

struct HeadCacheTests {
    @Test func aWriteOfAnotherProcessShowsOnceItIsNoticed() async throws {
        let directory = try DataDirectory()
        let (server, command) = (try directory.open(), try directory.open())
        _ = try await server.put(sample(1), retention: 20)
        #expect(try await server.headNumber() == 1)
        _ = try await command.put(sample(2), retention: 20)
        #expect(try await server.hasForeignChanges())
        #expect(try await server.headNumber() == 2)
    }

    @Test func aHeadAndItsBytesAreReadOnceOnly() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        _ = try await store.put(sample(1), retention: 20)
        let head = try #require(try await store.head())
        let bytes = try await store.bytes(of: head)
        #expect(store.heads.head(of: scene())?.archive == head)
        #expect(store.heads.head(of: scene())?.bytes == bytes && bytes != nil)
        #expect(try await store.bytes(of: head) == bytes)
    }

    @Test func everyWriteToASceneMakesItForgotten() async throws {
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
            { try await $0.forget(scene(), at: at(11)) },
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

    @Test func whatWasReadBeforeAWriteIsNotPutBackAfterIt() {
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

    @Test func bytesOfWhatIsNoLongerTheHeadAreNotKept() {
        let cache = HeadCache(capacity: 1 << 20)
        cache.insert(archive(2), ticket: cache.ticket(for: scene()))
        cache.insert([1], of: archive(1))
        #expect(cache.head(of: scene())?.bytes == nil)
        cache.insert([UInt8](repeating: 0, count: HeadCache.largest + 1), of: archive(2))
        #expect(cache.head(of: scene())?.bytes == nil)
    }

    private func archive(_ number: Int64) -> Archive {
        Archive(
            id: ArchiveID(high: 0, low: UInt64(number)), scene: scene(), device: DeviceID(high: 0, low: 1),
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
