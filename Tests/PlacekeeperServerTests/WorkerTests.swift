import PlacekeeperConcurrency
import PlacekeeperHTTP
import PlacekeeperArchive
import PlacekeeperAPI
import PlacekeeperService
import Synchronization
import Testing

@testable import PlacekeeperServer

/// Tests that long work runs on the offload queue instead of the connection's worker.
@Suite struct WorkerTests {
    private let worker = TestWorker()

    /// Creates a device with an archive that refers to an item of the data source, and another device of the same user,
    /// which requests the archive.
    private func cast(referringTo dataSource: String) async throws -> (ServerFixture, one: Member, other: Member) {
        let (fixture, one, other) = try await ServerFixture().withDevices()
        try await fixture.declare(by: one)
        try await fixture.declare("shared", named: "books", by: one)
        try await fixture.change(#"{"upserts": [{"identifier": "a1", "aliases": ["one"]}]}"#, by: one)
        try await fixture.change(#"{"upserts": [{"identifier": "b1", "aliases": ["one"]}]}"#, by: other)
        var archive = StateArchive(bundleVersion: "42", idiom: 0)
        archive.references = [ModelReference(dataSource: dataSource, element: .init("a1"), role: .selected)]
        let stored = try await fixture.send(
            .put, "/v1/scenes/main/archives/\(ServerFixture.id(1))", token: one.token, body: try archive.encoded())
        #expect(stored.status == 201, "\(stored.text)")
        return (fixture, one, other)
    }

    /// Runs a request on the worker, and returns the store's methods that were called on the worker.
    private func questionsOnWorker(
        of fixture: ServerFixture, _ ask: @concurrent @Sendable () async throws -> Answer
    ) async throws -> Set<String> {
        fixture.store.forgetQuestions()
        let answer = try await withTaskExecutorPreference(worker) { try await ask() }
        #expect(answer.status == 200, "\(answer.text)")
        return fixture.store.questionsOnWorkers
    }

    private static let searches: Set<String> = ["registries(of:)", "items(_:in:)", "textsOfSoleItems(withAliases:in:)"]

    @Test(arguments: ["latest", "latest/explanation", ServerFixture.id(1) + "/restorable"])
    func searchesRegisteredItemsOnTheOffloadQueue(_ path: String) async throws {
        let (fixture, _, other) = try await cast(referringTo: "photos")
        let asked = try await questionsOnWorker(of: fixture) {
            try await fixture.send(
                .get, "/v1/scenes/main/archives/\(path)?idiom=phone&bundleVersion=42", token: other.token)
        }
        #expect(!asked.isDisjoint(with: ["choose(_:limit:)", "history(of:below:limit:)"]))
        #expect(asked.isDisjoint(with: Self.searches))
        // The archive is also read on the offload queue, so a waiting request holds no memory for the archive.
        #expect(fixture.store.questionsElsewhere.isSuperset(of: Self.searches.union(["bytes(of:)"])))
    }

    @Test func resolvesIdentifiersOnTheOffloadQueue() async throws {
        let (fixture, one, other) = try await cast(referringTo: "photos")
        let asked = try await questionsOnWorker(of: fixture) {
            try await fixture.resolve(["a1"], of: one.device, by: other)
        }
        #expect(asked.isDisjoint(with: Self.searches))
        #expect(fixture.store.questionsElsewhere.isSuperset(of: Self.searches))
    }

    @Test func registersItemsOnTheOffloadQueue() async throws {
        let (fixture, one, _) = try await cast(referringTo: "photos")
        for (text, fields) in [(#"{"upserts": []}"#, []), ("", [ServerFixture.lines])] {
            let asked = try await questionsOnWorker(of: fixture) {
                try await fixture.change(text, by: one, fields: fields)
            }
            #expect(!asked.contains("apply(_:to:of:limit:)"))
            #expect(fixture.store.questionsElsewhere.contains("apply(_:to:of:limit:)"))
        }
    }

    @Test func listsPlacesOnTheOffloadQueue() async throws {
        let (fixture, one, _) = try await cast(referringTo: "books")
        let asked = try await questionsOnWorker(of: fixture) {
            try await fixture.send(.get, "/v1/places?bundleVersion=42", token: one.token)
        }
        #expect(!asked.contains("heads(of:below:limit:)"))
        #expect(fixture.store.questionsElsewhere.contains("heads(of:below:limit:)"))
    }

    @Test func refusesLongRequestsIfTheOffloadQueueIsFull() async throws {
        let (fixture, owner) = try await ServerFixture(offload: OffloadQueue(limit: 0)).withDevice()
        let answer = try await fixture.send(.get, "/v1/places", token: owner.token)
        #expect(answer.status == 503 && answer.code == .overloaded)
        #expect(answer[.retryAfter] == "1")
        #expect(try await fixture.upload(1, by: owner).status == 201)
    }

    @Test func logsNoFailureOfACancelledRequest() async throws {
        let (fixture, owner) = try await ServerFixture(offload: OffloadQueue(limit: 0)).withDevice()
        for isCancelled in [true, false] {
            let task = Task {
                if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
                return try await fixture.send(.get, "/v1/places", token: owner.token).status
            }
            #expect(try await task.value == 503)
            #expect(fixture.log.all.isEmpty == isCancelled)
        }
    }

    @Test(arguments: [("latest", 406), ("latest/explanation", 200)])
    func encodesCandidatesOnTheOffloadQueue(_ path: String, _ status: Int) async throws {
        let gzip = WatchedGzip()
        let (fixture, owner) = try await ServerFixture(gzip: gzip).withDevice()
        for number in 1...3 { try await fixture.upload(number, by: owner, place: nil) }
        fixture.store.forgetQuestions()
        let answer = try await withTaskExecutorPreference(worker) { @concurrent () async throws in
            try await fixture.send(
                .get, "/v1/scenes/main/archives/\(path)?bundleVersion=1", token: owner.token,
                fields: ["Accept-Encoding: gzip"])
        }
        #expect(answer.status == status && answer[.contentEncoding] == "gzip")
        // The offload queue checks the archives below the scene's head.
        if path == "latest" { #expect(fixture.store.questionsElsewhere.contains("choose(_:limit:)")) }
        #expect(gzip.codedElsewhere && !gzip.codedOnWorker)
    }

    @Test func answersOnTheWorkerWithoutRegisteredItems() async throws {
        let (fixture, _, other) = try await cast(referringTo: "books")
        let asked = try await questionsOnWorker(of: fixture) {
            try await fixture.send(
                .get, "/v1/scenes/main/archives/latest?idiom=phone&bundleVersion=42", token: other.token)
        }
        #expect(asked.contains("choose(_:limit:)"))
        #expect(fixture.store.questionsElsewhere.isEmpty)
    }
}

/// A gzip coding that remembers whether it ran on the worker.
private final class WatchedGzip: GzipCoding {
    private let gzip = SystemGzip()
    private let seen = Mutex((onWorker: false, elsewhere: false))

    var codedOnWorker: Bool { seen.withLock(\.onWorker) }
    var codedElsewhere: Bool { seen.withLock(\.elsewhere) }

    func deflate(_ bytes: [UInt8]) -> [UInt8]? {
        let isOnWorker = TestWorker.isCurrent
        seen.withLock { if isOnWorker { $0.onWorker = true } else { $0.elsewhere = true } }
        return gzip.deflate(bytes)
    }

    func inflate(_ bytes: [UInt8], count: Int) throws(GzipError) -> [UInt8] { try gzip.inflate(bytes, count: count) }

    func inflating(_ bytes: [UInt8], limit: Int) throws(GzipError) -> any GzipPieces {
        try gzip.inflating(bytes, limit: limit)
    }
}
