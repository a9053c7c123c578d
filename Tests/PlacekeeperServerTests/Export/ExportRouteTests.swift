import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import PlacekeeperTestSupport
import Synchronization
import Testing

@testable import PlacekeeperServer

@Suite struct ExportRouteTests {
    /// Collects the pieces of a stream, and calls a closure after each piece.
    private final class Pieces: BodyWriter {
        private let pieces = Mutex<[[UInt8]]>([])
        private let afterEach: @Sendable () async throws -> Void

        init(afterEach: @escaping @Sendable () async throws -> Void = {}) { self.afterEach = afterEach }

        var all: [[UInt8]] { pieces.withLock { $0 } }
        var text: String { String(decoding: all.joined(), as: UTF8.self) }

        func write(_ bytes: [UInt8]) async throws {
            pieces.withLock { $0.append(bytes) }
            try await afterEach()
        }
    }

    private func stream(_ answer: Answer, to pieces: Pieces) async throws {
        guard case .stream(let produce) = answer.response.body else {
            Issue.record("The response has no stream.")
            return
        }
        try await produce(pieces)
    }

    @Test func streamsTheWholeExport() async throws {
        let user = try await ExportedUser()
        let answer = try await user.fixture.send(.get, "/v1/export", token: user.phone.token)
        #expect(answer.status == 200)
        #expect(answer[.contentType] == "application/x-ndjson")
        #expect(answer[.contentDisposition]?.hasPrefix("attachment") == true)
        #expect(answer[.cacheControl] == "no-store")
        let pieces = Pieces()
        try await stream(answer, to: pieces)
        let expected = String(decoding: try await user.export(), as: UTF8.self).split(separator: "\n")
        #expect(pieces.text.split(separator: "\n").dropFirst() == expected.dropFirst())
    }

    @Test func exportsNoTokenAndNoSecret() async throws {
        let user = try await ExportedUser(subject: "anna")
        let text = String(decoding: try await user.export(), as: UTF8.self)
        let digest = SystemHashing().sha256(Array(user.phone.token.utf8)).hexadecimal
        #expect(!text.contains(user.phone.token) && !text.contains(digest))
        #expect(!text.contains(user.fixture.app.publishableKey))
    }

    @Test func exportsOnlyTheDataOfTheUser() async throws {
        let user = try await ExportedUser()
        let stranger = try await user.fixture.join()
        try await user.fixture.upload(50, by: stranger, scene: "private")
        let text = String(decoding: try await user.export(), as: UTF8.self)
        #expect(!text.contains(stranger.user) && !text.contains(ServerFixture.id(50)) && !text.contains("private"))
    }

    @Test func requiresATokenAndAcceptsAReadOnlyToken() async throws {
        let user = try await ExportedUser()
        #expect(try await user.fixture.send(.get, "/v1/export").status == 401)
        let reader = try await user.fixture.send(
            .post, "/v1/devices/self/token", token: user.phone.token, json: ["access": "readOnly"]
        ).json(Wire.NewToken.self).token
        #expect(try await user.fixture.send(.get, "/v1/export", token: reader).status == 200)
    }

    @Test func answersHeadWithoutAStream() async throws {
        let user = try await ExportedUser()
        for _ in 0..<5 {
            let answer = try await user.fixture.send(.head, "/v1/export", token: user.phone.token)
            #expect(answer.status == 200 && answer[.contentType] == "application/x-ndjson")
        }
    }

    @Test func refusesAThirdExportUntilAnotherHasEnded() async throws {
        let user = try await ExportedUser()
        func send() async throws -> Answer {
            try await user.fixture.send(.get, "/v1/export", token: user.phone.token)
        }
        var running = [try await send(), try await send()]
        #expect(running.map(\.status) == [200, 200])
        let refused = try await send()
        #expect(refused.status == 429 && refused.code == .throttled && refused[.retryAfter] != nil)
        let stranger = try await user.fixture.join()
        #expect(try await user.fixture.send(.get, "/v1/export", token: stranger.token).status == 200)
        running.removeLast()
        #expect(try await send().status == 200)
    }

    @Test(arguments: ["revoked", "erased", "moved"]) func endsWithoutTheLastLineIfTheDeviceLeaves(
        _ end: String
    ) async throws {
        let user = try await ExportedUser()
        let fixture = user.fixture
        for number in 100..<300 {
            try await fixture.upload(
                number, by: user.phone, scene: "scene\(number)", place: String(repeating: "x", count: 1000))
        }
        let other = try await fixture.join()
        let answer = try await fixture.send(.get, "/v1/export", token: user.phone.token)
        let hasLeft = Mutex(false)
        let pieces = Pieces {
            guard !hasLeft.withLock({ $0 }) else { return }
            hasLeft.withLock { $0 = true }
            switch end {
            case "revoked": _ = try await fixture.send(.delete, "/v1/devices/self", token: user.phone.token)
            case "erased": _ = try await fixture.send(.delete, "/v1/users/self", token: user.phone.token)
            default:
                let code = try await fixture.send(.post, "/v1/link-codes", token: other.token)
                    .json(Wire.LinkCode.self).code
                _ = try await fixture.send(
                    .post, "/v1/devices/self/link", token: user.phone.token, json: ["code": code])
            }
        }
        await #expect(throws: (any Error).self) { try await stream(answer, to: pieces) }
        #expect(pieces.all.count == 1)
        #expect(!pieces.text.contains("\"kind\":\"end\""))
    }

    @Test func keepsChangesThatAreMadeDuringTheExportConsistent() async throws {
        let user = try await ExportedUser()
        let fixture = user.fixture
        for number in 100..<300 {
            try await fixture.upload(
                number, by: user.phone, scene: "scene\(number)", place: String(repeating: "x", count: 1000))
        }
        let answer = try await fixture.send(.get, "/v1/export", token: user.phone.token)
        let count = Mutex(400)
        let pieces = Pieces {
            let number = count.withLock { count in
                count += 1
                return count
            }
            try await fixture.upload(number, by: user.phone, scene: "scene115")
            _ = try await fixture.send(
                .delete, "/v1/scenes/scene\(number - 100)/archives/\(ServerFixture.id(number - 100))",
                token: user.phone.token)
        }
        try await stream(answer, to: pieces)
        let target = try await ServerFixture()
        target.clock.set(fixture.clock.now())
        let result = try await ExportedUser.load(Array(pieces.text.utf8), into: target)
        let owner = UserKey(app: target.app.id, user: result.user)
        let summary = try #require(try await target.service.exports.summary(of: owner))
        #expect(summary.scenes.count > 10)
    }
}

@Suite struct Base64Tests {
    @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")])
    func encodesAndDecodesTheVectorsOfRFC4648(_ text: String, _ encoded: String) {
        #expect(Base64.encode(Array(text.utf8)) == encoded)
        #expect(Base64.decode(encoded) == Array(text.utf8))
    }

    @Test func decodesEveryByte() {
        for count in 0..<10 {
            let bytes = (0..<256 + count).map { UInt8(truncatingIfNeeded: $0) }
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
    }

    @Test(arguments: [
        "Z", "Zg", "Zg=", "Zh==", "Zm9=", "Zg==Zg==", "Z===", "====", "=", "Zm9v=", "Zm 9v", "Zm9v\n", "Zm-_", "Zm9é",
        "Zg=a", "==Zg",
    ])
    func refusesOtherEncodings(_ text: String) { #expect(Base64.decode(text) == nil) }
}
