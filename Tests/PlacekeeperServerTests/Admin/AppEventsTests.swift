import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
@testable import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperServer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.timeLimit(.minutes(20))) struct AppEventsTests {
    /// Returns a fixture whose streams do not pause.
    private func fixture() async throws -> ServerFixture {
        var configuration = Server.Configuration()
        configuration.pauseOfAppEvents = {}
        return try await ServerFixture(configuration)
    }

    private func path(_ fixture: ServerFixture, _ query: String = "") -> String {
        "/admin/api/apps/\(fixture.app.id)/events" + query
    }

    private func open(
        _ fixture: ServerFixture, _ query: String = "", role: Role = .viewer, after id: String? = nil
    ) async throws -> EventReader {
        let answer = try await fixture.send(
            .get, path(fixture, query), token: try await fixture.apiToken(role).text,
            fields: id.map { ["Last-Event-ID: \($0)"] } ?? [])
        #expect(answer.status == 200, "\(answer.text)")
        return EventReader(answer)
    }

    @Test func streamsTheChangesOfAllUsersOfTheApp() async throws {
        let fixture = try await fixture()
        let (one, other) = (try await fixture.join(), try await fixture.join())
        let answer = try await fixture.send(.get, path(fixture), token: try await fixture.apiToken(.viewer).text)
        #expect(answer[.contentType] == "text/event-stream" && answer[.cacheControl] == "no-store")
        var stream = EventReader(answer)
        #expect(await stream.next() == "retry: 2000\n\nid: 2\n\n")
        try await fixture.upload(1, by: one)
        let time = String(decoding: JSONTree.time(fixture.clock.now()).bytes, as: UTF8.self)
        #expect(
            await stream.nextEvent() == """
                id: 3
                event: change
                data: {"kind":"archiveStored","at":\(time),"user":"\(one.user)","revision":2,"scene":"main",\
                "archive":"\(ServerFixture.id(1))","device":"\(one.device)"}\n\n
                """)
        try await fixture.upload(2, by: other, scene: "editor")
        let event = try #require(await stream.nextEvent())
        #expect(event.hasPrefix("id: 4\nevent: change\n") && event.contains(other.user) && event.contains("editor"))
        fixture.server.sendHeartbeats()
        #expect(await stream.next() == ":\n\n")
        fixture.server.drain()
        #expect(await stream.nextEvent() == nil)
    }

    @Test func sendsTheAnswersToDevices() async throws {
        let fixture = try await fixture()
        let phone = try await fixture.join()
        let pad = try await fixture.join("pad", with: phone)
        try await fixture.upload(1, by: phone, place: nil)
        let latest = "/v1/scenes/main/archives/latest?idiom=phone&bundleVersion="
        #expect(try await fixture.send(.get, latest + "1", token: pad.token).code == .nothingCompatible)
        var stream = try await open(fixture)
        #expect(await stream.next() != nil)
        #expect(try await fixture.send(.get, latest + "1", token: pad.token).code == .nothingCompatible)
        let refused = try #require(await stream.next())
        #expect(refused.hasPrefix("event: answer\ndata: {\"kind\":\"restoreRefused\""), "\(refused)")
        #expect(
            refused.contains("\"device\":\"\(pad.device)\"") && refused.contains("\"code\":\"bundle-version-newer\""))
        #expect(refused.split(separator: "\n").count == 2 && !refused.contains("id:"))
        #expect(try await fixture.send(.get, latest + "42", token: pad.token).status == 200)
        let served = try #require(await stream.next())
        #expect(served.hasPrefix("event: answer\ndata: {\"kind\":\"restoreServed\""), "\(served)")
        #expect(served.contains("\"archive\":\"\(ServerFixture.id(1))\""))
        fixture.server.sendHeartbeats()
        #expect(await stream.next() == ":\n\n")
        fixture.server.drain()
        #expect(await stream.next() == nil)
        #expect(fixture.service.answers.followed == 0)
    }

    @Test func tellsTheResultOfAReportedRestore() async throws {
        let fixture = try await fixture()
        let phone = try await fixture.join()
        try await fixture.upload(1, by: phone)
        let path = "/v1/scenes/main/archives/\(ServerFixture.id(1))/outcomes"
        for result in ["began", "failed"] {
            let outcome = ["result": result, "idiom": "phone", "path": "root/list"]
            #expect(try await fixture.send(.post, path, token: phone.token, json: outcome).status == 204)
            fixture.clock.advance(.seconds(1))
        }
        var stream = try await open(fixture, "?recent=2")
        let text = try #require(await stream.next())
        #expect(
            text.contains("\"result\":\"began\"") && text.contains("\"result\":\"failed\",\"path\":\"root/list\""),
            "\(text)")
        fixture.server.drain()
    }

    /// The ids of archives are unique only within a scene.
    @Test func tellsTheResultsOfTwoUsersWithEqualArchiveIDs() async throws {
        let fixture = try await fixture()
        let path = "/v1/scenes/main/archives/\(ServerFixture.id(1))/outcomes"
        for result in ["failed", "began"] {
            let member = try await fixture.join()
            try await fixture.upload(1, by: member)
            let outcome = ["result": result, "idiom": "phone"]
            #expect(try await fixture.send(.post, path, token: member.token, json: outcome).status == 204)
        }
        var stream = try await open(fixture, "?recent=9")
        let text = try #require(await stream.next())
        #expect(text.contains("\"result\":\"failed\"") && text.contains("\"result\":\"began\""), "\(text)")
        fixture.server.drain()
    }

    /// A damaged row must not end the stream of the whole app.
    @Test func streamsAChangeWhoseOutcomeCannotBeRead() async throws {
        let fixture = try await fixture()
        let phone = try await fixture.join()
        try await fixture.upload(1, by: phone)
        let path = "/v1/scenes/main/archives/\(ServerFixture.id(1))/outcomes"
        let outcome = ["result": "failed", "idiom": "phone"]
        #expect(try await fixture.send(.post, path, token: phone.token, json: outcome).status == 204)
        fixture.store.fail(with: .corrupt, in: "outcomes(of:in:)")
        var stream = try await open(fixture, "?recent=9")
        let text = try #require(await stream.next())
        #expect(text.contains("outcomeReported") && !text.contains("\"result\""), "\(text)")
        fixture.server.drain()
    }

    @Test func hidesTheChangesOfOtherApps() async throws {
        let fixture = try await fixture()
        let notes = try await fixture.service.apps.createApp("com.example.notes")
        let stranger = try await fixture.join(app: notes.publishableKey)
        var stream = try await open(fixture, "?recent=9")
        #expect(await stream.next() == "retry: 2000\n\nid: 1\n\n")
        try await fixture.upload(1, by: stranger)
        fixture.server.sendHeartbeats()
        #expect(await stream.next() == ":\n\n")
        fixture.server.drain()
    }

    @Test func beginsWithTheNewestChanges() async throws {
        let fixture = try await fixture()
        let member = try await fixture.join()
        for number in 1...3 { try await fixture.upload(number, by: member) }
        var stream = try await open(fixture, "?recent=2")
        let text = try #require(await stream.next())
        let ids = text.split(separator: "\n").filter { $0.hasPrefix("id: ") }
        #expect(ids == ["id: 3", "id: 4", "id: 4"])
        // A reconnect has the same query.
        var again = try await open(fixture, "?recent=2", after: "3")
        #expect(await again.next() == "retry: 2000\n\n")
        #expect(try #require(await again.next()).hasPrefix("id: 4\nevent: change\n"))
        fixture.server.drain()
    }

    @Test(arguments: ["?recent=201", "?recent=-1", "?recent=x"]) func refusesInvalidNumbers(_ query: String)
        async throws
    {
        let fixture = try await fixture()
        let token = try await fixture.apiToken(.viewer).text
        #expect(try await fixture.send(.get, path(fixture, query), token: token).code == .malformedQuery)
        #expect(fixture.service.feed.count == 0)
    }

    @Test func sendsResetAfterAnUnknownEvent() async throws {
        let fixture = try await fixture()
        let member = try await fixture.join()
        for number in 1...2 { try await fixture.upload(number, by: member) }
        for id in ["x", "999", "1:2:"] {
            var stream = try await open(fixture, after: id)
            #expect(await stream.next() == "retry: 2000\n\n")
            #expect(await stream.next() == "id: 3\nevent: reset\ndata: {}\n\n")
        }
        fixture.server.drain()
    }

    enum Ending: CaseIterable {
        case loggedOut, idleSession, revokedToken, lowerRole, greaterRole, removedAdministrator
    }

    @Test(arguments: Ending.allCases) func endsWithTheAccessOfItsCaller(_ ending: Ending) async throws {
        let fixture = try await fixture()
        try await fixture.administrator("anna", .owner)
        let carl = try await fixture.browser("carl", .operator)
        let administrator = try await fixture.service.administration.administrator(.name("carl"))
        let (token, text) = try await fixture.apiToken(.viewer)
        let fields = ending == .revokedToken ? ["Authorization: Bearer \(text)"] : ["Cookie: \(carl.cookie)"]
        var stream = EventReader(try await fixture.send(.get, path(fixture), fields: fields))
        #expect(await stream.next() != nil)
        fixture.server.sendHeartbeats()
        #expect(await stream.next() == ":\n\n")
        switch ending {
        case .loggedOut: _ = try await fixture.send(.delete, "/admin/api/session", fields: carl.fields)
        case .idleSession: fixture.clock.advance(AdminSession.idleTime)
        case .revokedToken: try await fixture.service.administration.revokeToken(token.id, by: .command("test"))
        case .lowerRole, .greaterRole:
            _ = try await fixture.service.administration.changeAdministrator(
                administrator.id, role: ending == .lowerRole ? .viewer : .owner, password: nil, by: .command("test"),
                keeping: nil, source: "test")
        case .removedAdministrator:
            try await fixture.service.administration.removeAdministrator(administrator.id, by: .command("test"))
        }
        // A write wakes the stream before the next sendHeartbeats.
        _ = try await fixture.join()
        #expect(await stream.next() == nil)
        #expect(fixture.service.feed.count == 0)
    }

    /// The token is revoked, and a change follows, while the stream writes its beginning or the first page of a replay.
    @Test(arguments: [1, 2]) func tellsNoChangeAfterTheAccessEnded(write number: Int) async throws {
        let fixture = try await fixture()
        let phone = try await fixture.join()
        for number in 1...9 { try await fixture.upload(number, by: phone) }
        let (token, text) = try await fixture.apiToken(.viewer)
        let answer = try await fixture.send(
            .get, path(fixture), token: text, fields: number == 1 ? [] : ["Last-Event-ID: 1"])
        let write = try #require(answer.stream)
        let writer = CountingWriter { count in
            guard count == number else { return }
            try await fixture.service.administration.revokeToken(token.id, by: .command("test"))
            try await fixture.upload(10, by: phone)
        }
        try await write(writer)
        #expect(writer.count == number)
    }

    /// A page that nobody uses keeps its stream open, and opens it again.
    @Test func isNoUseOfTheSession() async throws {
        let fixture = try await fixture()
        let carl = try await fixture.browser("carl", .viewer)
        fixture.clock.advance(AdminSession.idleTime - .seconds(1))
        for _ in 0..<2 {
            var stream = EventReader(try await fixture.send(.get, path(fixture), fields: ["Cookie: \(carl.cookie)"]))
            #expect(await stream.next() != nil)
            fixture.server.sendHeartbeats()
            #expect(await stream.next() == ":\n\n")
        }
        fixture.clock.advance(.seconds(1))
        #expect(try await fixture.send(.get, path(fixture), fields: ["Cookie: \(carl.cookie)"]).code == .notLoggedIn)
        fixture.server.drain()
    }

    @Test func limitsTheStreamsOfAnApp() async throws {
        let fixture = try await fixture()
        let token = try await fixture.apiToken(.viewer).text
        var streams: [EventReader] = []
        for _ in 0..<Limits.appFollowers { streams.append(try await open(fixture)) }
        let refused = try await fixture.send(.get, path(fixture), token: token)
        #expect(refused.status == 429 && refused.code == .tooManyFollowers && refused[.retryAfter] == "30")
        // Another app, and a user of the app, are not affected.
        let notes = try await fixture.service.apps.createApp("com.example.notes")
        #expect(try await fixture.send(.get, "/admin/api/apps/\(notes.id)/events", token: token).status == 200)
        #expect(try await fixture.send(.get, "/v1/events", token: try await fixture.join().token).status == 200)
        fixture.server.drain()
    }

    /// Between two reads, a stream pauses, however many changes wake it.
    @Test func readsOnceForManyChanges() async throws {
        let (permits, permit) = AsyncStream<Void>.makeStream()
        let (pauses, pause) = AsyncStream<Void>.makeStream()
        var configuration = Server.Configuration()
        configuration.pauseOfAppEvents = {
            pause.yield()
            for await _ in permits { return }
        }
        let (fixture, member) = try await ServerFixture(configuration).withDevice()
        var stream = try await open(fixture)
        #expect(await stream.next() == "retry: 2000\n\nid: 1\n\n")
        try await fixture.upload(1, by: member)
        #expect(try #require(await stream.next()).hasPrefix("id: 2\n"))
        for await _ in pauses { break }
        let reads = fixture.store.count(of: "changes(of:after:)")
        for number in 2...50 { try await fixture.upload(number, by: member) }
        #expect(fixture.store.count(of: "changes(of:after:)") == reads)
        permit.yield()
        var events = try #require(await stream.next())
        // If the first read of the stream already found the upload, the wake of the upload sent a comment.
        if events == ":\n\n" { events = try #require(await stream.next()) }
        #expect(events.split(separator: "\n").filter { $0.hasPrefix("id: ") }.count == 49)
        for await _ in pauses { break }
        #expect(fixture.store.count(of: "changes(of:after:)") == reads + 1)
        permit.finish()
        fixture.server.drain()
    }

    @Test func recordsWhoFollowsAnApp() async throws {
        let fixture = try await fixture()
        let before = try await fixture.service.auditLog.audit(of: fixture.app.id, below: nil, limit: 9).count
        _ = try await open(fixture)
        let entries = try await fixture.service.auditLog.audit(of: fixture.app.id, below: nil, limit: 9)
        #expect(entries.count == before + 1)
        #expect(entries.first?.action == .eventsFollowed && entries.first?.actor == .token("check"))
        fixture.server.drain()
    }

    @Test func refusesStreamsDuringTheShutdown() async throws {
        let fixture = try await fixture()
        fixture.server.drain()
        let answer = try await fixture.send(.get, path(fixture), token: try await fixture.apiToken(.viewer).text)
        #expect(answer.status == 503 && answer.code == .draining)
        #expect(fixture.service.feed.count == 0)
    }
}
