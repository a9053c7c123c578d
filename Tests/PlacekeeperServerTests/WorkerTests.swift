import HTTPCodec
import KeyedArchive
import PlacekeeperAPI
import RestorationService
import Synchronization
import Testing

@testable import PlacekeeperServer

/// What holds a connection's worker up, and what is left to run elsewhere.
@Suite struct WorkerTests {
    private let worker = TestWorker()

    /// A device with an archive that refers to an element of this data source, and another one that asks for it.
    private func cast(referringTo dataSource: String) async throws -> (ServerBench, one: Member, other: Member) {
        let bench = try await ServerBench()
        let one = try await bench.join()
        let other = try await bench.join(with: one)
        try await bench.declare(by: one)
        try await bench.declare("shared", named: "books", by: one)
        try await bench.change(#"{"upserts": [{"identifier": "a1", "aliases": ["one"]}]}"#, by: one)
        try await bench.change(#"{"upserts": [{"identifier": "b1", "aliases": ["one"]}]}"#, by: other)
        var archive = StateArchive(bundleVersion: "42", idiom: 0)
        archive.references = [ModelReference(dataSource: dataSource, element: .init("a1"), role: .selected)]
        let stored = try await bench.send(
            .put, "/v1/scenes/main/archives/\(ServerBench.id(1))", token: one.token, body: try archive.encoded())
        #expect(stored.status == 201, "\(stored.text)")
        return (bench, one, other)
    }

    /// Asks on the worker, and tells which questions the store was asked there.
    private func questionsOnWorker(
        of bench: ServerBench, _ ask: @concurrent @Sendable () async throws -> Answer
    ) async throws -> Set<String> {
        bench.store.forgetQuestions()
        let answer = try await withTaskExecutorPreference(worker) { try await ask() }
        #expect(answer.status == 200, "\(answer.text)")
        return bench.store.questionsOnWorkers
    }

    private static let searches: Set<String> = ["registries(of:)", "items(_:in:)", "textsOfSoleBearers(of:in:)"]

    @Test(arguments: ["latest", "latest/explanation", ServerBench.id(1) + "/restorable"])
    func registeredItemsAreSearchedForElsewhere(_ path: String) async throws {
        let (bench, _, other) = try await cast(referringTo: "photos")
        let asked = try await questionsOnWorker(of: bench) {
            try await bench.send(
                .get, "/v1/scenes/main/archives/\(path)?idiom=phone&bundleVersion=42", token: other.token)
        }
        #expect(asked.contains("candidates(in:device:below:limit:)"))
        #expect(asked.isDisjoint(with: Self.searches))
        // What waits for its turn holds nothing of the archive: it is read there.
        #expect(bench.store.questionsElsewhere.isSuperset(of: Self.searches.union(["bytes(of:)"])))
    }

    @Test func identifiersAreResolvedElsewhere() async throws {
        let (bench, one, other) = try await cast(referringTo: "photos")
        let asked = try await questionsOnWorker(of: bench) {
            try await bench.resolve(["a1"], of: one.device, by: other)
        }
        #expect(asked.isDisjoint(with: Self.searches))
        #expect(bench.store.questionsElsewhere.isSuperset(of: Self.searches))
    }

    @Test func itemsAreRegisteredElsewhere() async throws {
        let (bench, one, _) = try await cast(referringTo: "photos")
        for (text, fields) in [(#"{"upserts": []}"#, []), ("", [ServerBench.lines])] {
            let asked = try await questionsOnWorker(of: bench) {
                try await bench.change(text, by: one, fields: fields)
            }
            #expect(!asked.contains("apply(_:to:of:limit:)"))
            #expect(bench.store.questionsElsewhere.contains("apply(_:to:of:limit:)"))
        }
    }

    @Test func placesAreLookedForElsewhere() async throws {
        let (bench, one, _) = try await cast(referringTo: "books")
        let asked = try await questionsOnWorker(of: bench) {
            try await bench.send(.get, "/v1/places?bundleVersion=42", token: one.token)
        }
        #expect(!asked.contains("heads(of:below:limit:)"))
        #expect(bench.store.questionsElsewhere.contains("heads(of:below:limit:)"))
    }

    @Test func refusesWhatTakesLongWhereTooMuchIsWaiting() async throws {
        let bench = try await ServerBench(offload: OffloadQueue(limit: 0))
        let owner = try await bench.join()
        let answer = try await bench.send(.get, "/v1/places", token: owner.token)
        #expect(answer.status == 503 && answer.code == .overloaded)
        #expect(answer[.retryAfter] == "1")
        #expect(try await bench.upload(1, by: owner).status == 201)
    }

    @Test func logsNoFailureOfARequestThatWasCancelled() async throws {
        let bench = try await ServerBench(offload: OffloadQueue(limit: 0))
        let owner = try await bench.join()
        for isCancelled in [true, false] {
            let task = Task {
                if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
                return try await bench.send(.get, "/v1/places", token: owner.token).status
            }
            #expect(try await task.value == 503)
            #expect(bench.log.all.isEmpty == isCancelled)
        }
    }

    @Test func refusalsAreToldElsewhere() async throws {
        let gzip = WatchedGzip()
        let bench = try await ServerBench(gzip: gzip)
        let owner = try await bench.join()
        for number in 1...3 { try await bench.upload(number, by: owner) }
        bench.store.forgetQuestions()
        let answer = try await withTaskExecutorPreference(worker) { @concurrent () async throws in
            try await bench.send(
                .get, "/v1/scenes/main/archives/latest?bundleVersion=1", token: owner.token,
                fields: ["Accept-Encoding: gzip"])
        }
        #expect(answer.code == nil && answer.status == 406 && answer[.contentEncoding] == "gzip")
        // The head is looked at where it is asked for, the archives below it elsewhere.
        #expect(bench.store.questionsOnWorkers.contains("candidates(in:device:below:limit:)"))
        #expect(bench.store.questionsElsewhere.contains("candidates(in:device:below:limit:)"))
        #expect(gzip.codedElsewhere && !gzip.codedOnWorker)
    }

    @Test func explanationsAreWrittenElsewhere() async throws {
        let gzip = WatchedGzip()
        let bench = try await ServerBench(gzip: gzip)
        let owner = try await bench.join()
        for number in 1...3 { try await bench.upload(number, by: owner) }
        let answer = try await withTaskExecutorPreference(worker) { @concurrent () async throws in
            try await bench.send(
                .get, "/v1/scenes/main/archives/latest/explanation?bundleVersion=1", token: owner.token,
                fields: ["Accept-Encoding: gzip"])
        }
        #expect(answer.status == 200 && answer[.contentEncoding] == "gzip")
        #expect(gzip.codedElsewhere && !gzip.codedOnWorker)
    }

    @Test func whatRefersToNoRegisteredItemIsAnsweredAtOnce() async throws {
        let (bench, _, other) = try await cast(referringTo: "books")
        let asked = try await questionsOnWorker(of: bench) {
            try await bench.send(
                .get, "/v1/scenes/main/archives/latest?idiom=phone&bundleVersion=42", token: other.token)
        }
        #expect(asked.contains("bytes(of:)"))
        #expect(bench.store.questionsElsewhere.isEmpty)
    }
}

/// The coding `gzip`, which remembers where it was asked to code.
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

    func inflating(_ bytes: [UInt8], limit: Int) throws(GzipError) -> any GzipPieces {
        try gzip.inflating(bytes, limit: limit)
    }
}
