import PlacekeeperHTTP
import PlacekeeperAPI
import Testing

@testable import PlacekeeperServer

@Suite struct ContentCodingTests {
    @Test func compressesLongJSONIfTheClientAcceptsGzip() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        for number in 1...4 { try await fixture.upload(number, by: owner) }
        let path = "/v1/scenes/main/archives"
        let plain = try await fixture.send(.get, path, token: owner.token)
        #expect(plain.body.count > 1024)
        #expect(plain[.contentEncoding] == nil)
        #expect(plain[.vary] == "Authorization, Accept-Encoding")

        let coded = try await fixture.send(.get, path, token: owner.token, fields: ["Accept-Encoding: gzip"])
        #expect(coded[.contentEncoding] == "gzip")
        #expect(coded[.vary] == "Authorization, Accept-Encoding")
        #expect(coded[.etag] != plain[.etag])
        #expect(try SystemGzip().inflate(coded.body, count: plain.body.count) == plain.body)

        let tag = try #require(coded[.etag])
        let fields = ["Accept-Encoding: gzip", "If-None-Match: \(tag)"]
        #expect(try await fixture.send(.get, path, token: owner.token, fields: fields).status == 304)
        // The uncompressed form is another representation with another entity tag.
        #expect(try await fixture.send(.get, path, token: owner.token, fields: ["If-None-Match: \(tag)"]).status == 200)
    }

    @Test(arguments: ["gzip;q=0", "br", "identity", "gzip;q=0.5, identity"])
    func sendsUncompressedJSONToOtherClients(_ accepted: String) async throws {
        let fixture = try await ServerFixture(description: [UInt8](repeating: 0x61, count: 5000))
        let answer = try await fixture.send(.get, "/openapi.yaml", fields: ["Accept-Encoding: \(accepted)"])
        #expect(answer[.contentEncoding] == nil)
        #expect(answer.body.count == 5000)
    }

    @Test func doesNotCompressShortJSONAndArchives() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        try await fixture.upload(1, by: owner)
        for path in ["/v1/devices/self", "/v1/scenes/main/archives/\(ServerFixture.id(1))"] {
            let answer = try await fixture.send(.get, path, token: owner.token, fields: ["Accept-Encoding: gzip"])
            #expect(answer.status == 200)
            #expect(answer[.contentEncoding] == nil)
        }
    }

    @Test func acceptsCompressedBodies() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        let archive = try Samples.archive(1)
        let path = "/v1/scenes/main/archives/\(ServerFixture.id(1))"
        let coded = try #require(SystemGzip().deflate(archive))
        let stored = try await fixture.send(
            .put, path, token: owner.token, fields: ["Content-Encoding: gzip"], body: coded)
        #expect(stored.status == 201)
        #expect(try await fixture.send(.get, path, token: owner.token).body == archive)
        // The uncompressed upload of the same bytes is treated as a repeated upload.
        #expect(try await fixture.send(.put, path, token: owner.token, body: archive).status == 200)
    }

    @Test func rejectsADecompressionBomb() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        for size in [200 << 10, 3 << 20] {
            let bomb = try #require(SystemGzip().deflate([UInt8](repeating: 0, count: size)))
            let answer = try await fixture.send(
                .put, "/v1/scenes/main/archives/\(ServerFixture.id(1))", token: owner.token,
                fields: ["Content-Encoding: gzip"], body: bomb)
            #expect(answer.code == .archiveTooLarge)
        }
    }

    /// What follows the member may look like any length of the content.
    @Test(arguments: [[0], [0xFF, 0xFF, 0xFF, 0xFF], [1, 0, 0, 0], Array("another content".utf8)] as [[UInt8]])
    func rejectsBytesAfterTheMember(bytes: [UInt8]) async throws {
        let fixture = try await ServerFixture()
        let member = try #require(SystemGzip().deflate([UInt8](repeating: 0x20, count: 500)))
        let second = SystemGzip().deflate(bytes + [UInt8](repeating: 7, count: 100)) ?? []
        for body in [member + bytes, member + member, member + second, Array(member.dropLast()), [0x1F], []] {
            let answer = try await fixture.send(
                .post, "/v1/devices", fields: ["Content-Encoding: gzip"], body: body)
            #expect(answer.code == .malformedContentCoding, "\(body.count) bytes: \(answer.text)")
        }
    }

    @Test func rejectsABodyOfMoreThan64KiBWithoutACredential() async throws {
        let fixture = try await ServerFixture()
        for count in [64 << 10, 64 << 10 + 1] {
            let body = try #require(
                SystemGzip().deflate([UInt8](repeating: 0x20, count: 60_000) + Self.noise(count - 60_000)))
            let answer = try await fixture.send(
                .post, "/v1/devices", fields: ["Content-Encoding: gzip"], body: body)
            #expect(answer.code == (count > 64 << 10 ? .contentTooLarge : .malformedJSON))
        }
    }

    /// Bytes that do not repeat, so that they are compressed by less than 100:1.
    private static func noise(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
    }

    @Test func rejectsUnknownCodingsAndNamesTheSupportedOnes() async throws {
        for coding in ["br", "gzip, gzip", "deflate", "compress, gzip"] {
            let answer = try await ServerFixture().send(
                .post, "/v1/devices", fields: ["Content-Encoding: \(coding)"], body: [1])
            #expect(answer.code == .unsupportedContentCoding, "\(coding)")
            #expect(answer[.acceptEncoding] == "gzip")
        }
        let plain = try await ServerFixture(gzip: nil).send(
            .post, "/v1/devices", fields: ["Content-Encoding: gzip"], body: [1])
        #expect(plain.code == .unsupportedContentCoding)
        #expect(plain[.acceptEncoding] == "identity")
    }
}
