import HTTPCodec
import PlacekeeperAPI
import Testing

@testable import PlacekeeperServer

@Suite struct LatestTests {
    private static let phone = "/v1/scenes/main/archives/latest?idiom=phone&bundleVersion=42&systemVersion=17.4"

    @Test func servesAnotherPhoneTheState() async throws {
        let bench = try await ServerBench()
        let maker = try await bench.join()
        let asker = try await bench.join(with: maker)
        let stored = try await bench.upload(1, by: maker)
        #expect(stored.status == 201)
        #expect(stored[.headRevision] == stored[.revision])

        let answer = try await bench.send(.get, Self.phone, token: asker.token)
        #expect(answer.status == 200)
        #expect(answer.body == (try Samples.archive(1)))
        #expect(answer[.contentType] == "application/x-plist")
        #expect(answer[.fidelity] == "full")
        #expect(answer[.superseded] == nil)
        #expect(answer[.servedArchive] == ServerBench.id(1))
        #expect(answer[.servedDevice] == maker.device)
        #expect(answer[.headRevision] == stored[.headRevision])
        #expect(answer[.revision] == stored[.revision])
        #expect(answer[.cacheControl] == "private, no-cache")
        #expect(answer[.vary] == "Authorization")
        #expect(answer[.contentTypeOptions] == "nosniff")
    }
}
