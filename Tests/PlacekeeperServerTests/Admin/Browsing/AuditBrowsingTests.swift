import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperServer

@Suite struct AuditBrowsingTests {
    private static let day = Timestamp(milliseconds: 20_000 * 86_400_000)

    /// An app's log of four days, with a change and some reads each hour.
    private static func world(reads: Int) async throws -> (fixture: ServerFixture, path: String, token: String) {
        let fixture = try await ServerFixture()
        for hour in 0..<96 {
            for number in 0...reads {
                let isChange = number == 0
                try await fixture.store.intercepted.append(
                    AuditEntry(
                        app: fixture.app.id, at: day + .seconds(hour * 3600 + number),
                        actor: .administrator(hour % 2 == 0 ? "anna" : "ben"),
                        action: isChange ? .settingsChanged : .usersListed, subject: nil, detail: "\(hour)"))
            }
        }
        let token = try await fixture.apiToken(.viewer).text
        return (fixture, "/admin/api/apps/\(fixture.app.id)/audit", token)
    }

    @Test func selectsEntriesInPages() async throws {
        let (fixture, path, token) = try await Self.world(reads: 20)
        func hours(_ query: String) async throws -> [Int] {
            var found: [Int] = []
            var cursor: String? = ""
            while let next = cursor {
                let answer = try await fixture.send(
                    .get, path + query + (next.isEmpty ? "" : "&cursor=" + next), token: token)
                found += try answer.items.compactMap { ($0["detail"] as? String).flatMap { Int($0) } }
                cursor = try answer.tree["next"] as? String
            }
            return found
        }
        #expect(try await hours("?kind=changes&limit=7") == (0..<96).reversed())
        let even = try await hours("?action=settings-changed&actor=administrator%20anna")
        #expect(even == Array(stride(from: 94, through: 0, by: -2)))
        #expect(try await hours("?action=settings-changed&actor=anna") == even)
        for other in ["ann", "administrator", "administrator%20", "nna", "Anna"] {
            #expect(try await hours("?action=settings-changed&actor=" + other).isEmpty, "\(other)")
        }
        #expect(try await hours("?kind=changes&day=2024-10-05") == (24..<48).reversed())
        #expect(try await hours("?kind=reads&day=2024-10-04&limit=100").count == 480)
        #expect(try await hours("?kind=log-ins").isEmpty)
        for day in ["2024-10-03", "2024-10-08"] { #expect(try await hours("?day=\(day)").isEmpty) }
        for query in ["?kind=all", "?day=today", "?day=2024-13-01", "?cursor=x"] {
            #expect(try await fixture.send(.get, path + query, token: token).code == .malformedQuery, "\(query)")
        }
    }

    /// So the log of one app may have millions of entries.
    @Test func looksAtALimitedNumberOfEntries() async throws {
        let (fixture, path, token) = try await Self.world(reads: 300)
        let answer = try await fixture.send(.get, path + "?actor=token%20nobody", token: token)
        #expect(try answer.items.isEmpty && answer.tree["next"] as? String == "\(96 * 301 - 20_000 + 1)")
        let entry = try #require(try await fixture.send(.get, path + "?limit=1", token: token).items.first)
        #expect(entry["kind"] as? String == "reads" && entry["actor"] as? String == "administrator ben")
    }
}
