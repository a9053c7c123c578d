import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperServer

/// The metrics of restores, log-ins and alerts after real requests.
@Suite struct MetricsTests {
    private static let latest = "/v1/scenes/main/archives/latest?idiom=phone&bundleVersion="
    private let fixture: ServerFixture

    init() async throws {
        var configuration = Server.Configuration()
        configuration.answersMetrics = true
        fixture = try await ServerFixture(configuration)
    }

    private func lines() async throws -> [String] {
        try await fixture.send(.get, "/metrics").text.split(separator: "\n").map(String.init)
    }

    private func value(_ name: String, _ label: String = "") async throws -> Double? {
        let prefix = "placekeeper_" + name + (label.isEmpty ? " " : "{" + label + "} ")
        return try await lines().first { $0.hasPrefix(prefix) }.flatMap { Double($0.dropFirst(prefix.count)) }
    }

    private func report(_ result: String, by member: Member) async throws {
        let outcomes = "/v1/scenes/main/archives/\(ServerFixture.id(1))/outcomes"
        let body = #"{"result": "\#(result)", "idiom": "phone", "bundleVersion": "42"}"#
        let answer = try await fixture.send(
            .post, outcomes, token: member.token, fields: ["Content-Type: application/json"], body: Array(body.utf8))
        #expect(answer.status == 204, "\(answer.text)")
    }

    @Test func countsRestoresRefusalsAndOutcomes() async throws {
        let author = try await fixture.join()
        let reader = try await fixture.join(with: author)
        try await fixture.upload(1, by: author)
        #expect(try await fixture.send(.get, Self.latest + "42", token: reader.token).status == 200)
        // The same device is counted once.
        #expect(try await fixture.send(.get, Self.latest + "42", token: reader.token).status == 200)
        for result in ["began", "restored", "failed"] { try await report(result, by: reader) }
        #expect(try await fixture.send(.get, Self.latest + "42", token: reader.token).status == 406)
        for (name, label, number) in [
            ("uploads_total", "", 1), ("restores_total", #"fidelity="full""#, 1),
            ("restores_total", #"fidelity="place""#, 0),
            ("restore_outcomes_total", #"result="restored""#, 1), ("restore_outcomes_total", #"result="failed""#, 1),
            ("restore_outcomes_total", #"result="crashed""#, 0),
            ("restore_refusals_total", #"reason="quarantined""#, 1),
            ("restore_refusals_total", #"reason="too-old""#, 0), ("quarantined_answers_total", "", 1),
        ] as [(String, String, Double)] {
            #expect(try await value(name, label) == number, "\(name) \(label)")
        }
        // The hourly counters are written to the store, and the metrics keep their counts.
        try await fixture.server.flush()
        #expect(try await value("uploads_total") == 1)
    }

    @Test func countsLogIns() async throws {
        try await fixture.administrator("anna", .owner)
        #expect(try await fixture.logIn("anna").status == 201)
        for _ in 0..<12 { _ = try await fixture.logIn("anna", "wrong password") }
        #expect(try await value("log_ins_total", #"result="succeeded""#) == 1)
        #expect(try await value("log_ins_total", #"result="refused""#) == 9)
        #expect(try await value("log_ins_total", #"result="throttled""#) == 3)
    }

    @Test func hasTheReadinessAndTheAlerts() async throws {
        #expect(try await value("ready") == 1)
        fixture.store.fail(with: .unavailable)
        fixture.clock.advance(.seconds(2))
        _ = try await fixture.send(.get, "/readyz")
        #expect(try await value("ready") == 0)
        fixture.store.fail(with: nil)
        _ = try await fixture.send(.get, "/readyz")
        #expect(try await value("ready") == 1)
        fixture.service.alerts.update(.diskLow, to: [Alert(.diskLow, "a", "")], by: fixture.clock)
        #expect(try await value("alerts", #"alert="disk-low""#) == 1)
        #expect(try await value("alerts", #"alert="store-failing""#) == 0)
        fixture.server.drain()
        #expect(try await value("ready") == 0)
    }

    /// A label with a text of a client would let the client add series without limit.
    @Test func hasTheSameSeriesForEveryAppAndClient() async throws {
        func series() async throws -> Set<Substring> {
            Set(
                try await lines().filter { !$0.hasPrefix("#") && !$0.hasPrefix("placekeeper_response") }
                    .map { $0.prefix { $0 != " " } })
        }
        let before = try await series()
        for number in 0..<50 {
            let app = try await fixture.service.apps.createApp("com.example.app\(number)")
            let author = try await fixture.join(app: app.publishableKey)
            try await fixture.upload(1, by: author)
            for version in ["7.\(number)", "x", "\"}"] {
                _ = try await fixture.send(
                    .get, Self.latest + version.utf8.map { "%" + String(Int($0) + 256, radix: 16).suffix(2) }.joined(),
                    token: author.token)
            }
            _ = try await fixture.logIn("nobody\(number)", "wrong password")
            _ = try await fixture.send(.get, "/v1/\(number)")
        }
        #expect(try await series() == before)
    }

    /// `.ci/monitoring` has promtool check a page, too.
    @Test func followsTheFormat() async throws {
        let author = try await fixture.join()
        try await fixture.upload(1, by: author)
        var (names, families, last) = (Set<Substring>(), Set<Substring>(), Substring())
        for line in try await lines() {
            if line.hasPrefix("# HELP ") {
                last = line.dropFirst(7).prefix { $0 != " " }
                #expect(families.insert(last).inserted, "\(line)")
            } else if line.hasPrefix("# TYPE ") {
                #expect(line.hasPrefix("# TYPE \(last) "))
                #expect(line.hasSuffix(" counter") == last.hasSuffix("_total"), "\(line)")
            } else {
                #expect(line.hasPrefix(last), "\(line)")
                #expect(names.insert(line.prefix { $0 != " " }).inserted, "\(line)")
                #expect(try Double(#require(line.split(separator: " ").last)) != nil)
            }
        }
        #expect(families.contains("placekeeper_event_streams"))
    }

    @Test func answersOnlyMetricsOnAListenerOfItsOwn() async throws {
        let responder = MemoryResponder.metrics(of: try await ServerFixture().server)
        func status(_ line: String) throws -> Response {
            let bytes = Array("\(line) HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
            var decoder = RequestDecoder()
            guard case .head(let head) = bytes.withUnsafeBytes({ decoder.next($0) }).event,
                case .ready(let response) = responder.answer(to: Request(head: head, body: [], peer: "127.0.0.1"))
            else { throw ServerFixture.Unreadable(target: line) }
            return response
        }
        #expect(try status("GET /metrics").status == .ok)
        for line in ["POST /metrics", "GET /", "GET /livez", "GET /admin/api/status", "GET /metrics/"] {
            #expect(try status(line).status == .notFound, "\(line)")
        }
    }
}
