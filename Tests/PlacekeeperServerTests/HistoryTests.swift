import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperServer

@Suite struct HistoryTests {
    @Test(arguments: [1, 2, 3, 7, 100])
    func listsArchivesInPagesNewestFirst(_ limit: Int) async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        for number in 1...7 {
            try await fixture.upload(number, by: owner)
            // The archives come in pairs with the same time. In a pair, the revisions determine the order.
            if number % 2 == 0 { fixture.clock.advance(.seconds(1)) }
        }
        var found: [String] = []
        var path: String? = "/v1/scenes/main/archives?limit=\(limit)"
        while let next = path {
            let answer = try await fixture.send(.get, next, token: owner.token)
            #expect(answer.status == 200)
            #expect(answer[.headRevision] != nil)
            let page = try answer.json(Wire.Page<Wire.Archive>.self)
            #expect(!page.items.isEmpty)
            #expect(page.items.count <= limit)
            found += page.items.map(\.id)
            #expect((answer[.link] == nil) == (page.next == nil))
            path = answer[.link].map { String($0.dropFirst().prefix { $0 != ">" }) }
        }
        #expect(found == (1...7).reversed().map(ServerFixture.id))
    }

    @Test(arguments: 1...4) func listsLateCapturesOfTheSameTimeInPages(_ limit: Int) async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        // The service's clock stands still, so that all captures have the same time.
        for number in [4, 1, 3, 2] {
            try await fixture.upload(number, by: owner, fields: ["Capture-Sequence: \(number)"])
        }
        var found: [String] = []
        var path: String? = "/v1/scenes/main/archives?limit=\(limit)"
        while let next = path {
            let answer = try await fixture.send(.get, next, token: owner.token)
            found += try answer.json(Wire.Page<Wire.Archive>.self).items.map(\.id)
            path = answer[.link].map { String($0.dropFirst().prefix { $0 != ">" }) }
        }
        #expect(found == [4, 3, 2, 1].map(ServerFixture.id))
    }

    @Test(arguments: [99, 100, 101])
    func returnsNoEmptyPageAfterTheLast(_ count: Int) async throws {
        let (fixture, owner) = try await ServerFixture(settings: { $0.retainedArchives = 1000 }).withDevice()
        for number in 1...count { try await fixture.upload(number, by: owner) }
        let page = try await fixture.send(.get, "/v1/scenes/main/archives", token: owner.token)
            .json(Wire.Page<Wire.Archive>.self)
        #expect(page.items.count == min(count, 100))
        #expect((page.next != nil) == (count > 100))
    }

    @Test(arguments: [
        "limit=0", "limit=101", "limit=x", "limit=-1", "cursor=x", "cursor=1", "cursor=1.2", "cursor=1.2.3",
        "cursor=1.2.x.3", "cursor=1.2.3.4.5", "cursor=...",
    ])
    func rejectsInvalidLimitsAndCursors(_ query: String) async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        let answer = try await fixture.send(.get, "/v1/scenes/main/archives?\(query)", token: owner.token)
        #expect(answer.code == .malformedQuery)
    }

    @Test func deletesArchivesAndForgetsScenes() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        let first = try await fixture.upload(1, by: owner)
        fixture.clock.advance(.seconds(1))
        try await fixture.upload(2, by: owner)
        let main = "/v1/scenes/main"
        let path = main + "/archives/" + ServerFixture.id(2)
        let deleted = try await fixture.send(.delete, path, token: owner.token)
        #expect(deleted.status == 204)
        #expect(deleted[.headRevision] == first[.revision])
        #expect(try await fixture.send(.delete, path, token: owner.token).code == .archiveDeleted)
        #expect(try await fixture.upload(2, by: owner).code == .archiveDeleted)

        fixture.clock.advance(.seconds(1))
        let forgotten = try await fixture.send(.delete, main, token: owner.token)
        #expect(forgotten.status == 204)
        #expect(forgotten[.headRevision] == nil)
        fixture.clock.advance(.seconds(10))
        #expect(try await fixture.upload(3, by: owner, fields: ["Interaction-Age: 11"]).code == .sceneForgotten)
        #expect(try await fixture.upload(4, by: owner, fields: ["Interaction-Age: 9"]).status == 201)
    }
}
