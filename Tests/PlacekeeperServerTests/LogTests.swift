import Foundation
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import Testing

@testable import PlacekeeperServer

@Suite struct LogTests {
    @Test func logsOnlyFailuresByDefault() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        try await fixture.upload(1, by: owner)
        _ = try await fixture.send(.get, "/v1/nothing")
        _ = try await fixture.send("BREW", "/livez")
        #expect(fixture.log.all.isEmpty)
    }

    @Test func logsAFailureWithRequestRouteAndCause() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        fixture.store.fail(with: .full)
        let answer = try await fixture.send(
            .put, "/v1/scenes/secret/archives/\(ServerFixture.id(1))", token: owner.token,
            fields: ["X-Request-ID: mine"], body: try Samples.archive(1))
        #expect(answer.status == 507)
        #expect(!answer.text.contains("sda"))
        let line = try #require(fixture.log.all.first)
        let members = try #require(
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(members["request"] as? String == "mine")
        #expect(members["level"] as? String == "error")
        #expect(members["method"] as? String == "PUT")
        #expect(members["route"] as? String == "/v1/scenes/{scene}/archives/{archive}")
        #expect(members["status"] as? Int == 507)
        #expect(members["code"] as? String == "store-full")
        #expect((members["cause"] as? String)?.contains("the disk \"sda\"") == true)
        #expect(!line.contains(owner.token))
        #expect(!line.contains("secret"))
    }

    @Test func logsEveryRequestIfConfigured() async throws {
        var configuration = Server.Configuration()
        configuration.logsAccess = true
        let (fixture, owner) = try await ServerFixture(configuration).withDevice()
        _ = try await fixture.send(.get, "/v1/scenes/main/archives/latest?device=self", token: owner.token)
        _ = try await fixture.send(.get, "/nowhere")
        let lines = try fixture.log.all.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(lines.map { $0["status"] as? Int } == [201, 404, 404])
        #expect(
            lines.map { $0["route"] as? String } == ["/v1/devices", "/v1/scenes/{scene}/archives/latest", "none"])
        #expect(lines.allSatisfy { $0["microseconds"] is Int && $0["client"] as? String == "127.0.0.1" })
        #expect(!fixture.log.all.joined().contains(owner.token))
    }

    @Test func escapesTextsInLogLines() throws {
        var line = LogLine()
        line.add("text", "a\"b\\c\n\r\t\u{0}\u{7F}\u{2028}é\u{1F600}")
        line.add("number", -3)
        #expect(line.whole.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0.value != 0x2028 })
        let members = try JSONSerialization.jsonObject(with: Data(line.whole.utf8)) as? [String: Any]
        #expect(members?["text"] as? String == "a\"b\\c\n\r\t\u{0}\u{7F}\u{2028}é\u{1F600}")
        #expect(members?["number"] as? Int == -3)
    }
}
