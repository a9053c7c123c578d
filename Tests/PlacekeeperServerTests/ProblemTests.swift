import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperServer

/// Tests of each problem code with a request that provokes it.
@Suite struct ProblemTests {
    @Test(arguments: ProblemCode.allCases)
    func answersEachCodeWithItsStatusAndDocument(_ code: ProblemCode) async throws {
        let answer = try await provoke(code)
        #expect(answer.code == code, "\(answer.text)")
        let problem = try #require(answer.problem)
        #expect(answer.status == Int(code.status))
        #expect(problem.status == answer.status)
        #expect(problem.title == code.title)
        #expect(problem.type == "/openapi.yaml#/x-problems/\(code.rawValue)")
        #expect(!problem.detail.isEmpty)
        #expect(answer[.requestID] != nil)
        #expect(answer[.contentTypeOptions] == "nosniff")
        #expect(answer[.contentSecurityPolicy] == "default-src 'none'; frame-ancestors 'none'")
        if [429, 503].contains(answer.status), code != .overloaded, code != .storeFailed {
            #expect(answer[.retryAfter] != nil)
        }
    }

    @Test func keepsTheReasonOfTheCodec() async throws {
        let fixture = try await ServerFixture()
        let answer = Answer(
            fixture.server.response(
                to: Refusal(.badRequest, code: "host-missing", "The Host field is missing."), of: nil,
                from: "127.0.0.1"))
        #expect(answer.problem?.reason == "host-missing")
        #expect(answer.problem?.detail == "The Host field is missing.")
    }

    @Test(arguments: [
        ("app", "pk_none", "/app"), ("idiom", "toaster", "/idiom"), ("name", "\u{7}", "/name"),
        ("model", "\u{7}", "/model"),
    ])
    func pointsToTheInvalidMember(_ member: String, _ value: String, _ pointer: String) async throws {
        let fixture = try await ServerFixture()
        var body = ["app": fixture.app.publishableKey, "idiom": "phone"]
        body[member] = value
        let answer = try await fixture.send(.post, "/v1/devices", json: body)
        #expect(answer.status == 422)
        #expect(answer.problem?.pointer == pointer)
    }

    @Test func describesTheFormOfAPublishableKey() async throws {
        let fixture = try await ServerFixture()
        let answer = try await fixture.send(
            .post, "/v1/devices", json: ["app": "com.example.photos", "idiom": "phone"])
        #expect(answer.problem?.detail.contains("pk_") == true)
    }

    @Test func namesTheReasonOfAnUnreadableArchive() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        let answer = try await fixture.send(
            .put, "/v1/scenes/main/archives/\(ServerFixture.id(1))", token: owner.token,
            body: Array("<?xml version=\"1.0\"?><plist><dict/></plist>".utf8))
        #expect(answer.problem?.reason == "xml")
        #expect(answer.problem?.detail.contains("`plutil -convert binary1 FILE`") == true)
    }

    @Test(arguments: [
        ("/archives/\(ServerFixture.id(1))", ProblemCode.archiveTooLarge, Limits.archive),
        ("/archives/\(ServerFixture.id(1))/screenshot", .screenshotTooLarge, Limits.screenshot),
    ])
    func namesTheLimitOfABody(_ path: String, _ code: ProblemCode, _ limit: Int) async throws {
        let (fixture, owner) = try await ServerFixture(settings: { $0.allowsScreenshots = true }).withDevice()
        let bomb = try #require(SystemGzip().deflate([UInt8](repeating: 0x20, count: 3 << 20)))
        let inflated = try await fixture.send(
            .put, "/v1/scenes/main" + path, token: owner.token, fields: ["Content-Encoding: gzip"], body: bomb)
        let head = try ServerFixture.head("PUT", "/v1/scenes/main" + path, fields: ["X-Request-ID: mine"])
        let declared = Answer(
            fixture.server.response(
                to: Refusal(.contentTooLarge, code: "content-too-large", "Large."), of: head, from: "127.0.0.1"))
        for answer in [inflated, declared] {
            #expect(answer.code == code)
            #expect(answer.problem?.detail.contains("limit of \(limit) bytes") == true)
        }
        #expect(declared[.requestID] == "mine")
    }

    @Test func namesTheByteOffsetOfAnUnreadableArchive() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        var bytes = try Samples.archive(1)
        bytes[8] = 0x70
        let answer = try await fixture.send(
            .put, "/v1/scenes/main/archives/\(ServerFixture.id(1))", token: owner.token, body: bytes)
        #expect(answer.code == .archiveUnreadable)
        #expect(answer.problem?.reason != nil)
        #expect(answer.problem?.offset != nil)
    }
}
