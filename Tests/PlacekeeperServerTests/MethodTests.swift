import HTTPCodec
import PlacekeeperAPI
import RestorationService
import Testing

@testable import PlacekeeperServer

@Suite struct MethodTests {
    @Test func answersHeadWhereverGetWorks() async throws {
        let bench = try await ServerBench(description: [0x61], settings: { $0.allowsSnapshots = true })
        let owner = try await bench.join()
        try await bench.upload(1, by: owner)
        let scenarios = try Scenario.all(device: owner.device, app: "", code: "")
        let needed: [Route] = [.storeSnapshot, .declareDataSource]
        for scenario in scenarios where needed.contains(scenario.route) || scenario.route.method == .get {
            let answer = try await bench.send(
                scenario.method, scenario.target, token: owner.token, body: scenario.body)
            guard scenario.route.method == .get else { continue }
            let head = try await bench.send(.head, scenario.target, token: owner.token)
            #expect(answer.status == 200, "\(scenario.route)")
            // The codec leaves the content out: the same answer gives the same fields.
            #expect(head.comparable == answer.comparable, "\(scenario.route)")
        }
    }

    @Test(arguments: [
        ("/v1/devices", "GET, HEAD, POST, OPTIONS"), ("/v1/devices/self", "GET, HEAD, DELETE, OPTIONS"),
        ("/v1/devices/x", "DELETE, OPTIONS"), ("/v1/link-codes", "POST, OPTIONS"),
        ("/v1/scenes/main", "DELETE, OPTIONS"), ("/v1/scenes/main/archives/x", "GET, HEAD, PUT, DELETE, OPTIONS"),
        ("/v1/scenes/main/archives/latest", "GET, HEAD, OPTIONS"), ("/v1/data-sources/x", "GET, HEAD, PUT, OPTIONS"),
        ("/", "GET, HEAD, OPTIONS"),
    ])
    func tellsWhatAPathAllows(_ path: String, _ allow: String) async throws {
        let bench = try await ServerBench(assets: [Assets.File(name: "index.html", bytes: [0x61])])
        let options = try await bench.send(.options, path)
        #expect(options.status == 204)
        #expect(options[.allow] == allow)
        let patch = try await bench.send(.patch, path)
        #expect(patch.code == .methodNotAllowed)
        #expect(patch[.allow] == allow)
        #expect(try await bench.send("BREW", path).status == 501)
    }

    @Test func answersOptionsForTheServerAsAWhole() async throws {
        let bench = try await ServerBench()
        let answer = try await bench.send(.options, "*")
        #expect(answer.status == 204)
        #expect(answer[.allow] == "GET, HEAD, PUT, POST, PATCH, DELETE, OPTIONS")
    }

    @Test(arguments: ["/v1", "/hello", "/v1/places/", "/favicon.ico", "/.."])
    func answersOptionsAndPatchOnlyWhereSomethingIs(_ path: String) async throws {
        let bench = try await ServerBench()
        for method in [HTTPCodec.Method.get, .options, .patch, .put] {
            #expect(try await bench.send(method, path).code == .notFound)
        }
    }

    @Test func saysHelloOnlyWhenAskedTo() async throws {
        var configuration = Server.Configuration()
        configuration.answersHello = true
        let answer = try await ServerBench(configuration).send(.get, "/hello")
        #expect(answer.status == 200)
        #expect(answer.text == "hello")
    }
}
