import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
@testable import PlacekeeperService
import PlacekeeperTestSupport
import Synchronization
import Testing

@testable import PlacekeeperServer

@Suite(.timeLimit(.minutes(20))) struct EventsTests {
    @Test func streamsChangesAsTheyHappen() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        let answer = try await fixture.send(.get, "/v1/events", token: owner.token)
        #expect(answer.status == 200)
        #expect(answer[.contentType] == "text/event-stream")
        #expect(answer[.cacheControl] == "no-store")
        var stream = EventReader(answer)
        // The stream begins with an id, so that the client can resume before the first event.
        #expect(await stream.next() == "retry: 2000\n\nid: 1\n\n")
        try await fixture.upload(1, by: owner)
        let event = try #require(await stream.next())
        #expect(event.hasPrefix("id: 2\nevent: archiveStored\ndata: {"))
        #expect(event.hasSuffix("}\n\n"))
        #expect(event.contains(ServerFixture.id(1)))
        fixture.server.sendHeartbeats()
        #expect(await stream.next() == ":\n\n")
        fixture.server.drain()
        #expect(await stream.next() == nil)
    }

    @Test func resumesWithoutAGapAfterARestart() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        for number in 1...150 { try await fixture.upload(number, by: owner) }
        // This server stands for a restarted process: it has the same store, but no state of earlier streams.
        let restarted = Server(
            RestorationService(
                store: fixture.store.intercepted, clock: fixture.clock, random: SystemBytes(), hashing: SystemHashing())
        )
        var again = fixture
        again.server = restarted
        let answer = try await again.send(.get, "/v1/events", token: owner.token, fields: ["Last-Event-ID: 3"])
        var stream = EventReader(answer)
        #expect(await stream.next() == "retry: 2000\n\n")
        var text = ""
        while !text.contains("id: 151\n"), let piece = await stream.next() { text += piece }
        let ids = text.split(separator: "\n").filter { $0.hasPrefix("id: ") }.compactMap { Int($0.dropFirst(4)) }
        #expect(ids == Array(4...151))
        restarted.drain()
    }

    @Test func sendsResetIfChangesWerePruned() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        try await fixture.upload(1, by: owner)
        fixture.clock.advance(.seconds(31 * 86_400))
        try await fixture.service.store.prune(at: fixture.clock.now())
        // A pruned revision, and a revision that does not exist yet.
        for id in ["1", "999"] {
            let answer = try await fixture.send(
                .get, "/v1/events", token: owner.token, fields: ["Last-Event-ID: \(id)"])
            var stream = EventReader(answer)
            #expect(await stream.next() == "retry: 2000\n\n")
            #expect(await stream.next() == "id: 2\nevent: reset\ndata: {\"revision\":2}\n\n")
        }
        fixture.server.drain()
    }

    @Test func sendsAnEventForChangedSettings() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        var stream = EventReader(try await fixture.send(.get, "/v1/events", token: owner.token))
        #expect(await stream.next() != nil)
        var settings = fixture.app.settings
        settings.restoration = .off
        try await fixture.service.apps.replaceSettings(of: fixture.app.id, with: settings)
        #expect(await stream.next() == "event: settingsChanged\ndata: {}\n\n")
        fixture.server.drain()
    }

    @Test func endsTheStreamIfTheTokenIsRevoked() async throws {
        let (fixture, owner, second) = try await ServerFixture().withDevices()
        var stream = EventReader(try await fixture.send(.get, "/v1/events", token: second.token))
        #expect(await stream.next() != nil)
        _ = try await fixture.send(.delete, "/v1/devices/\(second.device)", token: owner.token)
        #expect(await stream.next() == nil)
    }

    /// The access ends, and a change follows, while the stream writes its beginning or the first page of a replay.
    @Test(arguments: [1, 2]) func tellsNoChangeAfterTheAccessEnded(write number: Int) async throws {
        let (fixture, owner, second) = try await ServerFixture().withDevices()
        for number in 1...150 { try await fixture.upload(number, by: owner) }
        let answer = try await fixture.send(
            .get, "/v1/events", token: second.token, fields: number == 1 ? [] : ["Last-Event-ID: 2"])
        let write = try #require(answer.stream)
        let writer = CountingWriter { count in
            guard count == number else { return }
            _ = try await fixture.send(.delete, "/v1/devices/\(second.device)", token: owner.token)
            try await fixture.upload(151, by: owner)
        }
        try await write(writer)
        #expect(writer.count == number)
    }

    @Test func endsTheStreamIfTheDeviceMovesToAnotherUser() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        let mover = try await fixture.join()
        var stream = EventReader(try await fixture.send(.get, "/v1/events", token: mover.token))
        #expect(await stream.next() != nil)
        let code = try await fixture.send(.post, "/v1/link-codes", token: owner.token).json(Wire.LinkCode.self).code
        _ = try await fixture.send(.post, "/v1/devices/self/link", token: mover.token, json: ["code": code])
        #expect(await stream.next() == nil)
    }

    @Test func hidesChangesOfOtherUsers() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        let stranger = try await fixture.join()
        var stream = EventReader(try await fixture.send(.get, "/v1/events", token: stranger.token))
        #expect(await stream.next() != nil)
        try await fixture.upload(1, by: owner)
        fixture.server.sendHeartbeats()
        #expect(await stream.next() == ":\n\n")
        fixture.server.drain()
    }

    @Test func refusesStreamsDuringTheShutdown() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        fixture.server.drain()
        #expect(try await fixture.send(.get, "/v1/events", token: owner.token).code == .draining)
    }

    @Test(arguments: ["x", "-1", "1.5", ""])
    func rejectsInvalidEventIDs(_ id: String) async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        let answer = try await fixture.send(.get, "/v1/events", token: owner.token, fields: ["Last-Event-ID: \(id)"])
        #expect(answer.code == .malformedField)
        #expect(fixture.service.feed.count == 0)
    }
}

extension Answer {
    /// The closure that writes a streamed body.
    var stream: (@Sendable (any BodyWriter) async throws -> Void)? {
        guard case .stream(let write) = response.body else { return nil }
        return write
    }
}

/// Counts the writes of a streamed body, and calls a closure with the number of each write.
final class CountingWriter: BodyWriter {
    private let writes = Mutex(0)
    private let receive: @Sendable (Int) async throws -> Void

    init(_ receive: @escaping @Sendable (Int) async throws -> Void) { self.receive = receive }

    var count: Int { writes.withLock { $0 } }

    func write(_ bytes: [UInt8]) async throws {
        let number = writes.withLock { count in
            count += 1
            return count
        }
        try await receive(number)
    }
}

/// Reads a streamed body in pieces.
struct EventReader {
    private var pieces: AsyncStream<String>.Iterator

    init(_ answer: Answer) {
        let (stream, continuation) = AsyncStream<String>.makeStream()
        pieces = stream.makeAsyncIterator()
        guard let write = answer.stream else {
            continuation.finish()
            return
        }
        Task {
            try? await write(Writer(continuation: continuation))
            continuation.finish()
        }
    }

    mutating func next() async -> String? { await pieces.next(isolation: #isolation) }

    /// Returns the next text that is no comment. A wake whose change was read already leads to a comment.
    mutating func nextEvent() async -> String? {
        var text = await next()
        while text == ":\n\n" { text = await next() }
        return text
    }

    private struct Writer: BodyWriter {
        var continuation: AsyncStream<String>.Continuation
        func write(_ bytes: [UInt8]) async throws { continuation.yield(String(decoding: bytes, as: UTF8.self)) }
    }
}
