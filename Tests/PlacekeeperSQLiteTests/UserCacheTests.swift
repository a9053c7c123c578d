@testable import PlacekeeperCore
@testable import PlacekeeperMatching
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperService
@testable import PlacekeeperSQLite

/// Checks that the store decides uploads correctly with its cached states, even after other writes.
struct UserCacheTests {
    /// Each scene is full, so that each upload removes an archive. The store chooses this archive by the positions of
    /// the scene's other archives.
    @Test func prunesAndNumbersSuccessiveUploads() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        for number in 1...30 as ClosedRange<UInt64> {
            let name = number.isMultiple(of: 3) ? "other" : "main"
            let result = try await store.put(sample(number, in: scene(name)), retention: 2).value
            guard case .created(let archive, let head) = result else { return #expect(Bool(false), "\(result)") }
            #expect(archive.revision.rawValue == Int64(number) && head == archive.revision)
        }
        #expect(try await store.numbers() == [29, 2])
        #expect(try await store.numbers(in: scene("other")) == [30, 27])
        #expect(try await store.findings().isEmpty)
        let changes = try await store.changes(of: owner(), after: Revision(rawValue: 0), limit: 100).changes
        #expect(changes.map(\.revision.rawValue) == Array(1...30))
    }

    @Test func noticesWritesOfAnotherProcess() async throws {
        let directory = try DataDirectory()
        let (server, command) = (try directory.open(), try directory.open())
        let device = sampleDevice()
        guard case .joined = try await server.register(device, token: Digest(1, 0, 0, 1), linkCode: nil).value else {
            return #expect(Bool(false), "not joined")
        }
        var upload = sample(1)
        upload.actor = device.id
        #expect(try await revision(of: server.put(upload, retention: 20).value) == 2)
        #expect(try await revision(of: command.put(sample(2), retention: 20).value) == 3)
        upload = sample(3)
        upload.actor = device.id
        #expect(try await revision(of: server.put(upload, retention: 20).value) == 4)
        #expect(try await server.numbers() == [3, 2, 1])
        #expect(try await command.delete(ArchiveID(high: 0, low: 3), in: scene(), at: at(4)).value)
        upload = sample(4)
        upload.precondition = .revision(Revision(rawValue: 4))
        upload.actor = device.id
        #expect(try await server.put(upload, retention: 20).value == .headMoved(head: Revision(rawValue: 3)))
        #expect(try await command.revoke(device.id, of: owner(), at: at(5)).value)
        #expect(try await server.put(upload, retention: 20).value == .actorGone)
        #expect(try await server.findings().isEmpty)
    }

    @Test func ignoresUploadThatWasRolledBack() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        #expect(try await revision(of: store.put(sample(1), retention: 20).value) == 1)
        await #expect(throws: StoreError.self) {
            try await store.writer.write { transaction throws(StoreError) in
                _ = try transaction.carryOut(.put(sample(2), retention: 20), Content(encoding: 0, bytes: [1]))
                throw StoreError(.exists, "no")
            }
        }
        #expect(try await revision(of: store.put(sample(3), retention: 20).value) == 2)
        #expect(try await store.numbers() == [3, 1])
        #expect(try await store.findings().isEmpty)
    }

    @Test func noticesOtherWritesToTheScene() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        for number in 1...3 as ClosedRange<UInt64> { _ = try await store.put(sample(number), retention: 3) }
        // The oldest archive is removed with its screenshot, although the screenshot was stored after the scene was
        // cached.
        let oldest = ArchiveID(high: 0, low: 1)
        #expect(try await store.putScreenshot(Screenshot(format: .png, bytes: [7]), for: oldest, in: scene()).value)
        _ = try await store.put(sample(4), retention: 3)
        #expect(try await store.findings().isEmpty)
        #expect(try await store.delete(ArchiveID(high: 0, low: 4), in: scene(), at: at(5)).value)
        #expect(try await store.put(sample(4), retention: 3).value == .deleted(head: Revision(rawValue: 3)))
        _ = try await store.forget(scene(), at: at(100))
        #expect(try await store.put(sample(6), retention: 3).value == .forgotten(head: nil))
    }

    /// A device that uploads often registers items as often, so a delta must not empty the cache.
    @Test func keepsScenesAfterADelta() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let device = sampleDevice()
        _ = try await store.register(device, token: Digest(1, 0, 0, 1), linkCode: nil)
        _ = try await store.put(sample(1), retention: 20)
        let item = PreparedDelta.Upsert(
            key: LookupKey(rawValue: 1), aliases: [], position: nil, texts: [1], digest: ItemDigest())
        let delta = sampleDelta([item])
        let list = ItemList(owner: owner(), dataSource: "photos")
        guard case .applied = try await store.apply(delta, to: list, of: device.id, limit: 10).value else {
            return #expect(Bool(false), "not applied")
        }
        try await store.writer.write { transaction throws(StoreError) in
            #expect(transaction.users.user(owner()) != nil)
        }
    }

    /// To decide uploads, the store does not need the facts that these writes change, so the cached scenes stay valid.
    @Test func keepsScenesAfterServingAndLastUse() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        let device = sampleDevice()
        _ = try await store.register(device, token: Digest(1, 0, 0, 1), linkCode: nil)
        _ = try await store.put(sample(1), retention: 20)
        try await store.recordServing(ArchiveID(high: 0, low: 1), in: scene(), to: device.id, at: at(300))
        try await store.recordSeen([owner(): [device.id: at(500)]])
        try await store.check()
        try await store.writer.write { transaction throws(StoreError) in
            #expect(transaction.users.user(owner()) != nil)
        }
        // The cached row of the user does not contain the time of last use, so an upload with an earlier time must not
        // lower the latest time.
        _ = try await store.put(sample(2), retention: 20)
        #expect(try await store.latestTime(of: owner()) == at(500))
        _ = try await store.put(sample(501), retention: 20)
        #expect(try await store.latestTime(of: owner()) == at(501))
    }

    /// Another write of this process changed the user, and did not forget the state in memory.
    @Test func decidesAgainIfTheStateIsNotTheNewest() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        #expect(try await revision(of: store.put(sample(1), retention: 20).value) == 1)
        try await store.writer.write { transaction throws(StoreError) in
            try transaction.connection.execute("UPDATE user SET version = version + 1, revision = 7")
        }
        async let first = store.put(sample(2), retention: 20)
        async let second = store.put(sample(3), retention: 20)
        #expect(
            try await [revision(of: first.value), revision(of: second.value)].compactMap(\.self).sorted() == [8, 9])
        #expect(try await store.numbers() == [3, 2, 1])
    }

    @Test func evictsLeastRecentlyWrittenUsers() {
        var cache = UserCache()
        let entry = History.Entry(
            id: ArchiveID(high: 0, low: 1), device: DeviceID(high: 0, low: 1),
            position: Archive.Position(capturedAt: at(0), revision: Revision(rawValue: 1)), receivedAt: at(0), size: 1,
            idiom: .phone,
            isViewOnly: false, hasPlace: false)
        for number in 1...1000 as ClosedRange<UInt64> {
            let user = UserState(owner(number))
            let scene = SceneState(SceneKey(owner: owner(number), name: "main"))
            scene.history = History(Array(repeating: entry, count: 1000), servedLast: [:])
            user.scenes["main"] = scene
            cache.insert(user)
        }
        #expect(cache.user(owner(1000)) != nil)
        // The cache's capacity is enough for at most 131 users of this weight.
        #expect((1...1000).count { cache.user(owner($0)) != nil } <= 131)
    }

    /// A request may name any scene.
    @Test func keepsNoSceneThatIsNotStored() {
        let user = UserState(owner(1))
        for number in 1...3 { user.scenes["\(number)"] = SceneState(SceneKey(owner: owner(1), name: "\(number)")) }
        user.scenes["2"]?.exists = true
        user.endRule()
        #expect(Array(user.scenes.keys) == ["2"])
    }

    private func revision(of result: PutResult) -> Int64? {
        if case .created(let archive, _) = result { archive.revision.rawValue } else { nil }
    }
}
