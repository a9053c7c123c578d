import PlacekeeperHTTP
import Testing

@testable import PlacekeeperServer

@Suite struct RequestIDTests {
    @Test(arguments: ["a", "A-Za-z0-9._-", String(repeating: "x", count: 64)])
    func echoesAValidID(_ id: String) async throws {
        let answer = try await ServerFixture().send(.get, "/livez", fields: ["X-Request-ID: \(id)"])
        #expect(answer[.requestID] == id)
    }

    @Test(arguments: [String(repeating: "x", count: 65), "a b", "a\"b", "é", "a,b", "{}"])
    func replacesAnInvalidID(_ id: String) async throws {
        let answer = try await ServerFixture().send(.get, "/livez", fields: ["X-Request-ID: \(id)"])
        #expect(answer[.requestID] != id)
        #expect(answer[.requestID]?.utf8.count == 16)
    }

    @Test func createsUniqueIDs() {
        let ids = RequestIDs()
        #expect(Set((0..<10_000).map { _ in ids.next() }).count == 10_000)
    }
}
