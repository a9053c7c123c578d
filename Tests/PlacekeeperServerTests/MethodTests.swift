import PlacekeeperAPI
import PlacekeeperHTTP
import PlacekeeperService
import Testing

@testable import PlacekeeperServer

@Suite struct MethodTests {
    private static let known = ["GET", "HEAD", "PUT", "POST", "PATCH", "DELETE", "OPTIONS", "TRACE"]

    @Test func allowsExactlyTheDescribedMethodsOfEachPath() async throws {
        let fixture = try await ServerFixture(
            assets: [Assets.File(name: "index.html", bytes: [0x61])], description: [0x61])
        var paths = try Description().methods
        #expect(paths["/v1/devices/self"] == ["GET", "PATCH", "DELETE"])
        #expect(paths.values.reduce(0) { $0 + $1.count } == Route.all.count)
        paths["/"] = ["GET"]
        for (template, described) in paths {
            let path = String(template).replacing("{", with: "").replacing("}", with: "")
            let allowed = described.union(["OPTIONS"]).union(described.contains("GET") ? ["HEAD"] : [])
            let allow = Self.known.filter(allowed.contains).joined(separator: ", ")
            for method in Self.known {
                let answer = try await fixture.send(method, path)
                #expect((answer.code == .methodNotAllowed) == !allowed.contains(method), "\(method) \(path)")
                let tellsMethods = method == "OPTIONS" || answer.status == 405
                #expect(answer[.allow] == (tellsMethods ? allow : nil), "\(method) \(path)")
            }
            #expect(try await fixture.send(.options, path).status == 204)
            let unknown = try await fixture.send("BREW", path)
            #expect(unknown.status == 501 && unknown[.allow] == nil)
        }
    }

    @Test func answersOptionsForTheServerAsAWhole() async throws {
        let fixture = try await ServerFixture()
        let answer = try await fixture.send(.options, "*")
        #expect(answer.status == 204)
        #expect(answer[.allow] == "GET, HEAD, PUT, POST, PATCH, DELETE, OPTIONS")
    }

    @Test(arguments: ["/v1", "/hello", "/v1/places/", "/favicon.ico", "/.."])
    func rejectsEveryMethodOnUnknownPaths(_ path: String) async throws {
        let fixture = try await ServerFixture()
        for method in [PlacekeeperHTTP.Method.get, .options, .patch, .put, .trace] {
            #expect(try await fixture.send(method, path).code == .notFound)
        }
    }
}
