import Concurrency
import TestSupport
import Testing

@testable import RestorationService

/// The one place that applies the effects of writes.
struct EffectsTests {
    private static func effects(_ change: (inout Effects) -> Void) -> Effects {
        var effects = Effects()
        change(&effects)
        return effects
    }

    @Test func forgetsTheCallersOfChangedDevices() async throws {
        let fixture = try await ServiceFixture()
        let (phone, pad) = (try await fixture.join(), try await fixture.join())
        let (first, second) = (Digest(1, 0, 0, 1), Digest(2, 0, 0, 2))
        let principals = fixture.service.principals
        func isCached(_ token: Digest) -> Bool { principals.caller(for: token, at: fixture.clock.now()) != nil }
        func insert() {
            for (token, caller) in [(first, phone), (second, pad)] {
                principals.insert(caller, for: token, readIn: principals.generation, at: fixture.clock.now())
            }
        }
        insert()
        fixture.service.apply(.none)
        #expect(isCached(first) && isCached(second))
        fixture.service.apply(Self.effects { $0.devices = [phone.device.id] })
        #expect(!isCached(first) && isCached(second))
        insert()
        fixture.service.apply(Self.effects { $0.allDevices = true })
        #expect(!isCached(first) && !isCached(second))
    }

    @Test func outdatesAnswersOfChangedIdentities() async throws {
        let fixture = try await ServiceFixture()
        let phone = try await fixture.join()
        let versions = fixture.service.identityVersions
        for effects in [Self.effects { $0.identities = [phone.owner] }, Self.effects { $0.allIdentities = true }] {
            let stamp = versions.stamp(of: phone.owner)
            fixture.service.apply(.none)
            #expect(versions.isCurrent(stamp))
            fixture.service.apply(effects)
            #expect(!versions.isCurrent(stamp))
        }
    }

    @Test func outdatesAnswersWhenItemsArePruned() async throws {
        let fixture = try await ServiceFixture()
        let phone = try await fixture.join()
        let stamp = fixture.service.identityVersions.stamp(of: phone.owner)
        try await fixture.service.prune()
        #expect(!fixture.service.identityVersions.isCurrent(stamp))
    }

    @Test(.timeLimit(.minutes(20))) func wakesFollowersOfChangedUsers() async throws {
        let fixture = try await ServiceFixture()
        let phone = try await fixture.join()
        for effects in [Self.effects { $0.news = [phone.owner] }, Self.effects { $0.allNews = true }] {
            var wakes = try #require(fixture.service.feed.follow(phone.owner)).makeAsyncIterator()
            fixture.service.apply(effects)
            #expect(await wakes.next() != nil)
        }
    }
}
