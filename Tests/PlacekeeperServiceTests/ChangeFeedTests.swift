import PlacekeeperCore
import PlacekeeperService
import Testing

struct ChangeFeedTests {
    static let owner = Fixture.owner
    static let other = UserKey(app: owner.app, user: UserID(high: 9, low: 9))

    @Test func wakesAllFollowersOfUser() async {
        let feed = ChangeFeed()
        var first = feed.follow(Self.owner)?.makeAsyncIterator()
        var second = feed.follow(Self.owner)?.makeAsyncIterator()
        feed.wake(Self.owner)
        #expect(await first?.next() != nil)
        #expect(await second?.next() != nil)
    }

    @Test func combinesWakesThatAreNotAwaited() async {
        let feed = ChangeFeed()
        var wakes = feed.follow(Self.owner)?.makeAsyncIterator()
        for _ in 0..<100 { feed.wake(Self.owner) }
        #expect(await wakes?.next() != nil)
        feed.finish()
        #expect(await wakes?.next() == nil)
    }

    @Test func wakesFollowersOfOtherUsersOnlyWithWakeAll() async {
        let feed = ChangeFeed()
        var mine = feed.follow(Self.owner)?.makeAsyncIterator()
        var others = feed.follow(Self.other)?.makeAsyncIterator()
        feed.wakeAll()
        #expect(await mine?.next() != nil)
        #expect(await others?.next() != nil)
        feed.wake(Self.owner)
        feed.finish()
        #expect(await others?.next() == nil)
        #expect(await mine?.next() != nil)
    }

    @Test func removesFollowerWhoseSequenceIsDropped() async {
        let feed = ChangeFeed(limit: 2)
        do {
            let first = feed.follow(Self.owner)
            let second = feed.follow(Self.owner)
            #expect(first != nil && second != nil)
            #expect(feed.follow(Self.owner) == nil, "the limit is reached")
            #expect(feed.follow(Self.other) != nil)
            #expect(feed.count == 2)
            withExtendedLifetime((first, second)) {}
        }
        #expect(feed.count == 0)
        #expect(feed.follow(Self.owner) != nil)
    }

    @Test func endsWaitOnCancellation() async {
        let feed = ChangeFeed()
        let waiting = Task {
            var wakes = feed.follow(Self.owner)?.makeAsyncIterator()
            return await wakes?.next() == nil
        }
        waiting.cancel()
        #expect(await waiting.value)
        #expect(feed.count == 0)
    }

    @Test func wakesOnEveryWriteOfUser() async throws {
        let fixture = try await ServiceFixture { $0.allowsScreenshots = true }
        let phone = try await fixture.join()
        let other = try await fixture.join(with: phone)
        var wakes = try fixture.service.changes.follow(phone).makeAsyncIterator()
        let scene = "main"
        let first = ArchiveID(high: 0, low: 1)
        let writes: [@Sendable () async throws -> Void] = [
            { try await fixture.upload(1, by: other) },
            { try await fixture.report(.restored, of: 1, by: other) },
            {
                _ = try await fixture.service.archives.makeHead(
                    first, as: ArchiveID(high: 0, low: 2), in: scene, principal: other)
            },
            { try await fixture.service.archives.delete(first, in: scene, principal: other) },
            { try await fixture.service.archives.forget(scene, principal: other) },
            { _ = try await fixture.join(with: phone) },
            { try await fixture.service.apps.replaceSettings(of: fixture.app.id, with: App.Settings()) },
            { try await fixture.service.devices.revoke(other.device.id, for: phone) },
        ]
        for write in writes {
            try await write()
            #expect(await wakes.next() != nil)
        }
        try await fixture.upload(3, by: fixture.join())
        fixture.service.feed.finish()
        #expect(await wakes.next() == nil, "another user's write does not wake")
    }
}
