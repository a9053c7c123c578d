import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperService

/// Checks how the service applies the effects of writes.
struct EffectsTests {
    private static func effects(_ change: (inout Effects) -> Void) -> Effects {
        var effects = Effects()
        change(&effects)
        return effects
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
