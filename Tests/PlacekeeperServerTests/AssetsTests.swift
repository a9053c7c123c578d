import PlacekeeperHTTP
import PlacekeeperAPI
import Testing

@testable import PlacekeeperServer

@Suite struct AssetsTests {
    private static let files = [
        Assets.File(name: "index.html", bytes: Array("<!doctype html>".utf8)),
        Assets.File(name: "status.js", bytes: [UInt8](repeating: 0x2F, count: 4096)),
        Assets.File(name: "images/mark.svg", bytes: Array("<svg/>".utf8)),
        Assets.File(name: "odd.bin", bytes: [0, 1]),
    ]

    @Test(arguments: [("admin/admin.html", "/admin"), ("demo/index.html", "/demo")])
    func redirectsToTheFolderOfAPage(_ name: String, _ path: String) async throws {
        let page = Assets.File(name: name, bytes: Array("<!doctype html>".utf8))
        let fixture = try await ServerFixture(assets: [page])
        let redirect = try await fixture.send(.get, path)
        #expect(redirect.status == 308)
        #expect(redirect[.location] == path + "/")
        #expect(try await fixture.send(.get, path + "/").body == page.bytes)
        #expect(try await fixture.send(.post, path).status == 404)
        #expect(try await ServerFixture(assets: Self.files).send(.get, path).status == 404)
    }

    @Test func allowsOnlyTheDemoInFramesOfThisOrigin() async throws {
        let names = ["demo/index.html", "demo/reader.html", "demonstration.html", "admin/admin.html"]
        let files = names.map { Assets.File(name: $0, bytes: Array("<!doctype html>".utf8)) }
        let fixture = try await ServerFixture(assets: files)
        for name in names {
            let policy = try #require(try await fixture.send(.get, "/" + name)[.contentSecurityPolicy])
            #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; "))
            #expect(policy.contains("require-trusted-types-for 'script'; trusted-types 'none'"))
            let frames = name.hasPrefix("demo/") ? "'self'" : "'none'"
            #expect(policy.contains("frame-ancestors \(frames);"), "\(name)")
            #expect(policy.contains("frame-src") == name.hasPrefix("demo/"), "\(name)")
        }
    }

    @Test(arguments: [
        ("/", "text/html; charset=utf-8"), ("/index.html", "text/html; charset=utf-8"),
        ("/status.js", "text/javascript; charset=utf-8"), ("/images/mark.svg", "image/svg+xml"),
        ("/odd.bin", "application/octet-stream"),
    ])
    func servesFilesOfTheTable(_ path: String, _ type: String) async throws {
        let answer = try await ServerFixture(assets: Self.files).send(.get, path)
        #expect(answer.status == 200)
        #expect(answer[.contentType] == type)
        let policy = try #require(answer[.contentSecurityPolicy])
        #expect(policy.hasPrefix("default-src 'none'; "))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(!policy.contains("unsafe"))
        #expect(policy.contains("require-trusted-types-for 'script'"))
        #expect(answer[.referrerPolicy] == "no-referrer")
        #expect(answer[.contentTypeOptions] == "nosniff")
    }

    @Test(arguments: [
        "/..", "/../index.html", "/%2e%2e/index.html", "/images/../index.html", "/images%2fmark.svg",
        "/images\\mark.svg",
        "/images/", "/images", "//index.html", "/index.html/", "/index.html%00", "/INDEX.HTML", "/./index.html",
        "/%69ndex.html", "/etc/passwd",
    ])
    func rejectsOtherPaths(_ path: String) async throws {
        let answer = try await ServerFixture(assets: Self.files).send(.get, path)
        #expect(answer.code == .notFound)
    }

    @Test func supportsEntityTagsAndCompression() async throws {
        let fixture = try await ServerFixture(assets: Self.files)
        let plain = try await fixture.send(.get, "/status.js")
        let coded = try await fixture.send(.get, "/status.js", fields: ["Accept-Encoding: gzip"])
        #expect(coded[.contentEncoding] == "gzip")
        #expect(try SystemGzip().inflate(coded.body, count: plain.body.count) == plain.body)
        let tag = try #require(plain[.etag])
        #expect(coded[.etag] != tag)
        let again = try await fixture.send(.get, "/status.js", fields: ["If-None-Match: W/\(tag), \"x\""])
        #expect(again.status == 304)
        #expect(again.body.isEmpty)
        #expect(again[.etag] == tag)
    }
}
