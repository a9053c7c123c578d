import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperService

/// Checks how the service applies the effects of writes.
struct InvalidationsTests {
    private static func invalidations(_ change: (inout Invalidations) -> Void) -> Invalidations {
        var invalidations = Invalidations()
        change(&invalidations)
        return invalidations
    }

    @Test(.timeLimit(.minutes(20))) func wakesFollowersOfChangedUsers() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        for invalidations in [Self.invalidations { $0.news = [phone.owner] }, Self.invalidations { $0.allNews = true }]
        {
            var wakes = try #require(fixture.service.feed.follow(phone.owner)).makeAsyncIterator()
            fixture.service.apply(invalidations)
            #expect(await wakes.next() != nil)
        }
    }
}
