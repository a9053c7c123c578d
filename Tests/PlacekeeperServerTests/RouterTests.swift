import PlacekeeperHTTP
import Testing

@testable import PlacekeeperServer

@Suite struct RouterTests {
    @Test(arguments: Route.all)
    func findsEveryRouteByItsTemplate(_ route: Route) throws {
        let match = try #require(find(route.template.replacing("{", with: "").replacing("}", with: "")))
        let method = try #require(PlacekeeperHTTP.Method.allCases.first { "\($0.token)" == route.method.rawValue })
        #expect(Router().resources[match.resource].endpoint(for: method)?.route == route)
        #expect(match.parameterCount == route.template.count { $0 == "{" })
    }

    @Test func tableIsThatOfTheDescription() throws {
        let described = try Description().operations.map { "\($0.method) \($0.path) \($0.operationID)" }
        #expect(described.sorted() == Route.all.map { "\($0.method.rawValue) \($0.template) \($0.operation)" }.sorted())
    }

    @Test func findsTheRangesOfParameters() throws {
        let path = "/v1/scenes/main/archives/x%2Fy/outcomes"
        let match = try #require(find(path))
        let bytes = Array(path.utf8)
        #expect(String(decoding: bytes[match.parameters.0], as: UTF8.self) == "main")
        #expect(String(decoding: bytes[match.parameters.1], as: UTF8.self) == "x%2Fy")
    }

    @Test func prefersALiteralSegment() throws {
        let match = try #require(find("/v1/scenes/main/archives/latest"))
        #expect(Router().resources[match.resource].get?.route == "readLatest")
        #expect(match.parameterCount == 1)
    }

    @Test(arguments: [
        "/", "", "*", "v1/devices", "/v1", "/v1/", "/v1/devices/", "//v1/devices", "/v1//devices", "/V1/devices",
        "/v1/devices/self/link/more", "/v1/scenes", "/v1/scenes/", "/v1/scenes//archives", "/v1/devicesx", "/v1/device",
        "/v1/scenes/main/archives/latest/screenshot", "/livez/", "/%6Civez",
    ])
    func rejectsOtherPaths(_ path: String) { #expect(find(path) == nil) }

    private func find(_ path: String) -> PathMatch? {
        let bytes = Array(path.utf8)
        return Router().match(bytes, path: bytes.indices)
    }
}
