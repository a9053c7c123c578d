import Foundation
import HTTPCodec
import RestorationService
import Testing

@testable import PlacekeeperServer

@Suite struct LogTests {
    @Test func saysNothingOfWhatWentWell() async throws {
        let bench = try await ServerBench()
        let owner = try await bench.join()
        try await bench.upload(1, by: owner)
        _ = try await bench.send(.get, "/v1/nothing")
        _ = try await bench.send("BREW", "/livez")
        #expect(bench.log.all.isEmpty)
    }

    @Test func tellsFailuresByRequestRouteAndCause() async throws {
        let bench = try await ServerBench()
        let owner = try await bench.join()
        bench.store.fail(with: .full)
        let answer = try await bench.send(
            .put, "/v1/scenes/secret/archives/\(ServerBench.id(1))", token: owner.token,
            fields: ["X-Request-ID: mine"], body: try Samples.archive(1))
        #expect(answer.status == 507)
        #expect(!answer.text.contains("sda"))
        let line = try #require(bench.log.all.first)
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

    @Test func tellsEveryRequestWhenAsked() async throws {
        var configuration = Server.Configuration()
        configuration.logsAccess = true
        let bench = try await ServerBench(configuration)
        let owner = try await bench.join()
        _ = try await bench.send(.get, "/v1/scenes/main/archives/latest?device=self", token: owner.token)
        _ = try await bench.send(.get, "/nowhere")
        let lines = try bench.log.all.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(lines.map { $0["status"] as? Int } == [201, 404, 404])
        #expect(
            lines.map { $0["route"] as? String } == ["/v1/devices", "/v1/scenes/{scene}/archives/latest", "none"])
        #expect(lines.allSatisfy { $0["microseconds"] is Int && $0["client"] as? String == "127.0.0.1" })
        #expect(!bench.log.all.joined().contains(owner.token))
    }

    @Test func keepsTextsInsideTheirQuotes() throws {
        var line = LogLine()
        line.add("text", "a\"b\\c\n\r\t\u{0}\u{7F}\u{2028}é\u{1F600}")
        line.add("number", -3)
        #expect(line.whole.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0.value != 0x2028 })
        let members = try JSONSerialization.jsonObject(with: Data(line.whole.utf8)) as? [String: Any]
        #expect(members?["text"] as? String == "a\"b\\c\n\r\t\u{0}\u{7F}\u{2028}é\u{1F600}")
        #expect(members?["number"] as? Int == -3)
    }
}
