import PlacekeeperHTTP
import PlacekeeperAPI
import Synchronization
import Testing

@testable import PlacekeeperServer

/// Tests of the memory that a request holds in addition to its body.
@Suite struct ReservationTests {
    private final class Budget: MemoryBudget {
        private let counts = Mutex((used: 0, most: 0))
        private let limit: Int

        init(limit: Int = .max) { self.limit = limit }

        var used: Int { counts.withLock(\.used) }
        var most: Int { counts.withLock(\.most) }

        func charge(_ count: Int, holding held: Int) -> Bool {
            counts.withLock { counts in
                guard counts.used + count <= limit else { return false }
                counts.used += count
                counts.most = max(counts.most, counts.used)
                return true
            }
        }

        func release(_ count: Int) { counts.withLock { $0.used -= count } }
    }

    private func change(
        _ text: String, as fields: [String], on fixture: ServerFixture, by owner: Member, _ budget: Budget
    ) async throws -> Answer {
        let body = try #require(SystemGzip().deflate(Array(text.utf8)))
        let head = try ServerFixture.head(
            "PATCH", "/v1/data-sources/photos/items",
            fields: fields + [
                "Content-Encoding: gzip", "Content-Length: \(body.count)", "Authorization: Bearer \(owner.token)",
            ])
        return Answer(await fixture.server.answer(to: Request(head: head, body: body, budget: budget)).response)
    }

    private static let forms: [(String, [String])] = [
        ("{\"upserts\": [" + (0..<90).map { "{\"identifier\": \"p\($0)\"}" }.joined(separator: ",") + "]}", []),
        ((0..<90).map { "{\"identifier\": \"p\($0)\"}" }.joined(separator: "\n"), [ServerFixture.lines]),
    ]

    @Test(arguments: forms)
    func countsInflatedMemoryUntilTheRequestIsAnswered(_ text: String, _ fields: [String]) async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        try await fixture.declare(by: owner)
        let budget = Budget()
        #expect(try await change(text, as: fields, on: fixture, by: owner, budget).status == 200)
        #expect(budget.most >= text.utf8.count)
        #expect(budget.used == 0)
    }

    @Test(arguments: forms)
    func refusesToInflateBeyondTheBudget(_ text: String, _ fields: [String]) async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        try await fixture.declare(by: owner)
        let budget = Budget(limit: text.utf8.count - 1)
        let answer = try await change(text, as: fields, on: fixture, by: owner, budget)
        #expect(answer.status == 503 && answer.code == .overloaded, "\(answer.text)")
        #expect(answer[.retryAfter] == "1")
        #expect(budget.used == 0)
        #expect(try await fixture.registration(of: owner)?.count == 0)
    }
}
