import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
@testable import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperServer

@Suite struct OperationsTests {
    @Test func isReadyWhileTheStoreAnswersAndUntilTheShutdown() async throws {
        let fixture = try await ServerFixture()
        #expect(try await fixture.send(.get, "/readyz").status == 200)
        fixture.store.fail(with: .unavailable)
        fixture.clock.advance(.milliseconds(999))
        #expect(try await fixture.send(.get, "/readyz").status == 200, "the store is asked once a second")
        fixture.clock.advance(.milliseconds(1))
        let unavailable = try await fixture.send(.get, "/readyz")
        #expect(unavailable.code == .storeUnavailable)
        #expect(unavailable[.retryAfter] == "1")
        #expect(try await fixture.send(.get, "/livez").text == "ok\n")
        fixture.store.fail(with: nil)
        #expect(try await fixture.send(.get, "/readyz").status == 200)
        fixture.server.drain()
        #expect(try await fixture.send(.get, "/readyz").code == .draining)
        #expect(try await fixture.send(.get, "/livez").status == 200)
    }

    @Test func namesTheStoresLibraryInTheHealthCheck() async throws {
        var configuration = Server.Configuration()
        configuration.storeLibrary = "SQLite 3.51.3"
        let fixture = try await ServerFixture(configuration)
        #expect(try await fixture.send(.get, "/readyz").text == "ok\nSQLite 3.51.3\n")
        #expect(
            try await fixture.send(.get, "/readyz").text == "ok\nSQLite 3.51.3\n", "the store is asked once a second")
        #expect(try await ServerFixture().send(.get, "/readyz").text == "ok\n")
    }

    @Test func warnsOfAClockThatWasAhead() async throws {
        let fixture = try await ServerFixture()
        let before = fixture.clock.now()
        fixture.clock.set(before + .seconds(2 * 86_400))
        _ = try await fixture.join()
        #expect(try await fixture.server.checkClock() == [])
        fixture.clock.set(before)
        let warning = "stored times are 2 days ahead of the system's clock: check the clock"
        #expect(try await fixture.server.checkClock() == [warning])
        #expect(try await fixture.server.checkClock() == [], "the log is told once")
        #expect(try await fixture.send(.get, "/readyz").text == "ok\nwarning: \(warning)\n")
        fixture.clock.advance(.seconds(2 * 86_400))
        #expect(try await fixture.send(.get, "/readyz").text == "ok\n")
    }

    @Test func warnsWhilePruningWaits() async throws {
        let fixture = try await ServerFixture()
        fixture.clock.advance(.seconds(2 * 86_400))
        try await fixture.service.upkeep.prune()
        #expect(
            try await fixture.server.checkClock() == [
                "expired data is kept until 2025-06-18T15:00:00.000Z: the service was off for more than a day, this version is new, or the clock was set forward"
            ])
    }

    @Test func hasMetricsOnlyIfTheyAreTurnedOn() async throws {
        #expect(try await ServerFixture().send(.get, "/metrics").code == .notFound)
        var configuration = Server.Configuration()
        configuration.answersMetrics = true
        configuration.version = "1.2.3"
        let fixture = try await ServerFixture(configuration)
        let page = try await fixture.send(.get, "/metrics")
        #expect(page.status == 200 && page[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(page.text.contains("\nplacekeeper_info{version=\"1.2.3\"} 1\n"))
    }

    @Test func countsResponsesInTheMetricsSinceTheStart() async throws {
        var configuration = Server.Configuration()
        configuration.answersMetrics = true
        let fixture = try await ServerFixture(configuration)
        let line = "placekeeper_responses_total{method=\"GET\",route=\"/livez\",status=\"200\"}"
        for number in 1...3 {
            _ = try await fixture.send(.get, "/livez")
            #expect(try await fixture.send(.get, "/metrics").text.contains("\n\(line) \(number)\n"))
            // The hourly counters get each response once, and the metrics keep all.
            try await fixture.server.flush()
        }
        let now = fixture.clock.now()
        let hour = try await fixture.service.browsing.counts(of: nil, named: "request", from: now, to: now)
        #expect(hour.filter { $0.key.label == "GET /livez 200" }.map(\.value) == [3])
    }

    @Test func givesResponseTimesAsAHistogram() async throws {
        var configuration = Server.Configuration()
        configuration.answersMetrics = true
        let (fixture, owner) = try await ServerFixture(configuration).withDevice()
        for _ in 1...3 { _ = try await fixture.send(.get, "/v1/scenes/main/archives/latest", token: owner.token) }
        let labels = "{method=\"GET\",route=\"/v1/scenes/{scene}/archives/latest\""
        let lines = try await fixture.send(.get, "/metrics").text.split(separator: "\n").filter {
            $0.hasPrefix("placekeeper_response_seconds") && $0.contains(labels)
        }
        let buckets = lines.filter { $0.contains("_bucket") }.compactMap { Int($0.split(separator: " ").last ?? "") }
        #expect(buckets.count == RequestCounts.bucketCount && buckets == buckets.sorted() && buckets.last == 3)
        #expect(lines.contains("placekeeper_response_seconds_count\(labels)} 3"))
        #expect(lines.contains { $0.hasPrefix("placekeeper_response_seconds_sum\(labels)} ") })
    }

    @Test func showsTheLastPruneInTheMetrics() async throws {
        var configuration = Server.Configuration()
        configuration.answersMetrics = true
        let fixture = try await ServerFixture(configuration)
        #expect(try await !fixture.send(.get, "/metrics").text.contains("last_prune"))
        try await fixture.service.upkeep.prune()
        let page = try await fixture.send(.get, "/metrics").text
        let end = Double(fixture.clock.now().milliseconds) / 1000
        let line = page.split(separator: "\n").first { $0.hasPrefix("placekeeper_last_prune_timestamp_seconds ") }
        #expect(line?.split(separator: " ").last.flatMap { Double($0) } == end)
        #expect(page.contains("\nplacekeeper_last_prune_duration_seconds 0\n"))
    }

    @Test func returnsTheLimits() async throws {
        let limits = try await ServerFixture().send(.get, "/v1/limits").json(Wire.Limits.self)
        #expect(limits.archiveBytes == 1 << 20)
        #expect(limits.jsonBytes == 64 << 10)
        #expect(limits.jsonDepth == 64)
        #expect(limits.jsonValues == 200_000)
        #expect(limits.screenshotBytes == 2 << 20)
        #expect(limits.scenes == 256)
        #expect(limits.interactionAgeSeconds == 3650 * 86_400)
        #expect(limits.linkCodeSeconds == 600)
        #expect(limits.tombstoneSeconds == 30 * 86_400)
        #expect(limits.dataSources == 256)
        #expect(limits.items == ServerFixture.itemLimit)
        #expect(limits.deltaItems == 10_000)
        #expect(limits.devices == 256)
        #expect(limits.deltaAliases == 64_000)
        #expect(limits.itemsBytes == 4 << 20)
        #expect(limits.itemLineBytes == 128 << 10)
        #expect(limits.itemPageItems == 1000)
        #expect(limits.identifierBytes == 512)
        #expect(limits.aliasBytes == 512)
        #expect(limits.aliases == 32)
    }

    @Test func admitsBodiesByTheRoutesLimit() async throws {
        let server = try await ServerFixture().server
        func limit(_ line: String, _ field: String? = nil) throws -> Int {
            guard
                case .accept(let limit, _) = try Self.admission(
                    of: line, token: Self.soundToken, field: field, server)
            else { return -1 }
            return limit
        }
        #expect(try limit("PUT /v1/scenes/main/archives/x") == 1 << 20)
        #expect(try limit("PUT /v1/scenes/main/archives/x/screenshot") == 2 << 20)
        #expect(try limit("POST /v1/devices") == 64 << 10)
        #expect(try limit("PATCH /v1/data-sources/x/items") == 4 << 20)
        #expect(try limit("PATCH /v1/data-sources/x/items", ServerFixture.lines) == 4 << 20)
        #expect(try limit("PUT /v1/scenes/main/archives/x", ServerFixture.lines) == 1 << 20)
        #expect(try limit("PUT /v1/data-sources/x") == 64 << 10)
        #expect(try limit("POST /v1/data-sources/x/resolve") == 4 << 20)
        #expect(try limit("GET /v1/devices") == 64 << 10)
        #expect(try limit("POST /nowhere") == 64 << 10)
    }

    @Test(arguments: [nil, "", "nonsense", "pkd_short", soundToken + "A"])
    func refusesABodyWithoutAPlausibleToken(_ token: String?) async throws {
        let fixture = try await ServerFixture()
        let asked = try await fixture.send(.get, "/v1/devices", token: token)
        for line in [
            "PUT /v1/scenes/main/archives/x", "PUT /v1/scenes/main/archives/x/screenshot", "POST /v1/link-codes",
            "PATCH /v1/data-sources/x/items", "PUT /v1/data-sources/x", "POST /v1/data-sources/x/resolve",
        ] {
            guard case .refuse(let response) = try Self.admission(of: line, token: token, fixture.server) else {
                Issue.record("\(line) was admitted")
                continue
            }
            #expect(Answer(response).comparable == asked.comparable, "\(line)")
        }
        for line in ["POST /v1/devices", "POST /nowhere", "PATCH /v1/devices"] {
            guard case .accept = try Self.admission(of: line, token: token, fixture.server) else {
                Issue.record("\(line) was refused")
                continue
            }
        }
    }

    private static let soundToken = "pkd_" + String(repeating: "A", count: 43)

    /// Returns the admission of a request's body.
    private static func admission(
        of line: String, token: String?, field: String? = nil, _ server: Server
    ) throws -> Admission {
        let fields = [token.map { "Authorization: Bearer \($0)" }, field].compactMap(\.self).map { $0 + "\r\n" }
            .joined()
        let bytes = Array("\(line) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n".utf8)
        var decoder = RequestDecoder()
        guard case .head(let head) = bytes.withUnsafeBytes({ decoder.next($0) }).event else {
            throw ServerFixture.Unreadable(target: line)
        }
        return server.admit(head, from: "127.0.0.1")
    }

    @Test func returnsTheVersionAndTheDescription() async throws {
        var configuration = Server.Configuration()
        configuration.version = "1.2.3"
        let fixture = try await ServerFixture(configuration, description: Array("openapi: 3.1.0".utf8))
        #expect(try await fixture.send(.get, "/version").json(Wire.Version.self).version == "1.2.3")
        let description = try await fixture.send(.get, "/openapi.yaml")
        #expect(description.text == "openapi: 3.1.0")
        #expect(description[.contentType] == "application/yaml")
        let tag = try #require(description[.etag])
        #expect(try await fixture.send(.get, "/openapi.yaml", fields: ["If-None-Match: \(tag)"]).status == 304)
    }

    @Test func countsResponsesByRouteAndHour() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        for _ in 0..<3 { _ = try await fixture.send(.get, "/v1/scenes/main/archives/latest", token: owner.token) }
        _ = try await fixture.send(.head, "/livez")
        try await fixture.server.flush()
        try await fixture.server.flush()
        let now = fixture.clock.now()
        let counts = try await fixture.service.store.counts(from: now, to: now)
        let requests = counts.filter { $0.key.name == "request" }.map { ($0.key.label, $0.value) }
        #expect(
            Dictionary(requests, uniquingKeysWith: +) == [
                "POST /v1/devices 201": 1, "GET /v1/scenes/{scene}/archives/latest 404": 3, "GET /livez 200": 1,
            ])
    }

    @Test func countsResponseTimesOfRoutesWithoutStreams() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        for _ in 0..<3 { _ = try await fixture.send(.get, "/v1/scenes/main/archives/latest", token: owner.token) }
        #expect(try await fixture.send(.head, "/v1/events", token: owner.token).status == 200)
        #expect(try await fixture.send(.get, "/nowhere").status == 404)
        try await fixture.server.flush()
        try await fixture.server.flush()
        let now = fixture.clock.now()
        var counts: [String: Int] = [:]
        for (counter, count) in try await fixture.service.browsing.counts(of: nil, named: "latency", from: now, to: now)
        {
            let route = counter.label.split(separator: " ").dropLast().joined(separator: " ")
            counts[route, default: 0] += count
        }
        #expect(counts == ["POST /v1/devices": 1, "GET /v1/scenes/{scene}/archives/latest": 3])
    }

    @Test(arguments: [
        (-1, "500"), (0, "500"), (500, "500"), (501, "1000"), (2500, "2500"), (999_999, "1000000"),
        (1_000_000, "1000000"), (1_000_001, "more"), (1 << 40, "more"),
    ])
    func sortsResponseTimesIntoBuckets(_ microseconds: Int, _ bucket: String) throws {
        let counts = RequestCounts()
        let hourlyCounters = HourlyCounters()
        let row = try #require(Route.all.firstIndex(of: "registerDevice"))
        counts.count(row, after: .microseconds(microseconds))
        counts.copy(to: hourlyCounters, at: Timestamp(milliseconds: 0))
        #expect(hourlyCounters.take().map(\.key.label) == ["POST /v1/devices \(bucket)"])
    }
}
