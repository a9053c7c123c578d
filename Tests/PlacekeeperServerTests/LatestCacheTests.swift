import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperServer

@Suite struct LatestCacheTests {
    private static let latest = "/v1/scenes/main/archives/latest?idiom=phone&bundleVersion=42&systemVersion=17.4"

    /// Two phones of one user. The first phone uploaded an archive, and the service served the archive to the second
    /// phone.
    private struct Pair {
        let fixture: ServerFixture
        let maker: Member
        let reader: Member

        init(isShared: Bool = false, _ settings: (inout App.Settings) -> Void = { _ in }) async throws {
            fixture = try await ServerFixture(isShared: isShared, settings: settings)
            maker = try await fixture.join()
            reader = try await fixture.join(with: maker)
            try await fixture.upload(1, by: maker)
            try await ask()
            fixture.store.forgetQuestions()
        }

        @discardableResult
        func ask(_ target: String = LatestCacheTests.latest, _ fields: [String] = []) async throws -> Answer {
            try await fixture.send(.get, target, token: reader.token, fields: fields)
        }

        /// Returns the names of the store's methods that were called since the last call of this function.
        func takeQuestions() -> Set<String> {
            defer { fixture.store.forgetQuestions() }
            return fixture.store.questionsElsewhere.union(fixture.store.questionsOnWorkers)
        }
    }

    /// A store that other processes use is asked for the versions of many users together.
    @Test(arguments: [(false, "knownUserVersion(of:)"), (true, "askUserVersion(of:_:)")])
    func asksOnlyForTheVersionIfNothingChanged(isShared: Bool, question: String) async throws {
        let pair = try await Pair(isShared: isShared)
        let answer = try await pair.ask()
        let uploaded = try Samples.archive(1)
        #expect(answer.status == 200 && answer.body == uploaded)
        #expect(pair.takeQuestions() == [question])
        let tag = try #require(answer[.etag])
        let unchanged = try await pair.ask(Self.latest, ["If-None-Match: \(tag)"])
        #expect(unchanged.status == 304 && unchanged[.etag] == tag)
        #expect(pair.takeQuestions() == [question])
    }

    @Test func answersOnlyCachedQuestionsWithoutATask() async throws {
        let pair = try await Pair()
        let server = pair.fixture.server
        func answerAtOnce(_ method: String, _ target: String, _ fields: [String] = []) throws -> Int? {
            let fields = ["Authorization: Bearer \(pair.reader.token)"] + fields
            let head = try ServerFixture.head(method, target, fields: fields)
            guard case .ready(let response) = server.answer(to: Request(head: head)) else { return nil }
            return Int(response.status.rawValue)
        }
        #expect(try answerAtOnce("GET", Self.latest) == 200)
        let tag = try #require(try await pair.ask()[.etag])
        #expect(try answerAtOnce("GET", Self.latest, ["If-None-Match: \(tag)"]) == 304)
        #expect(try answerAtOnce("GET", Self.latest + "&layout=regular") == nil)
        #expect(try answerAtOnce("GET", Self.latest, ["Accept: application/json"]) == nil)
        #expect(try answerAtOnce("GET", "/v1/manifest") == nil)
        try await pair.fixture.upload(2, by: pair.maker)
        #expect(try answerAtOnce("GET", Self.latest) == nil)
        try await pair.ask()
        #expect(try answerAtOnce("GET", Self.latest) == 200)
        _ = try await pair.fixture.send("DELETE", "/v1/devices/self", token: pair.reader.token)
        #expect(try answerAtOnce("GET", Self.latest) == nil)
        #expect(try await pair.ask().status == 401)
    }

    @Test(arguments: [false, true])
    func refusesACopyOfTheDeviceAlthoughTheAnswerIsCached(isShared: Bool) async throws {
        let pair = try await Pair(isShared: isShared)
        func status(_ number: Int, _ launch: String) async throws -> Int {
            try await pair.ask(Self.latest, ["Counted-Launch: \(number)-\(launch)"]).status
        }
        for _ in 0..<2 { #expect(try await status(4, "a") == 200) }
        #expect(try await status(3, "b") == 401)
        #expect(try await status(4, "b") == 401)
        #expect(try await status(4, "a") == 200)
        // The copy launches more often. Then the original is refused.
        #expect(try await status(5, "b") == 200)
        #expect(try await status(4, "a") == 401)
        #expect(try await pair.ask(Self.latest, ["Counted-Launch: 5"]).status == 400)
        // A store that cannot write keeps no read from its answer.
        pair.fixture.store.fail(with: .unavailable, in: "begin(_:of:of:)")
        #expect(try await status(6, "c") == 200)
        pair.fixture.store.fail(with: nil)
        #expect(try await status(0, "b") == 400)
        #expect(try await pair.ask().status == 200)
    }

    @Test func reportsTheFailureOfASharedStore() async throws {
        let pair = try await Pair(isShared: true)
        pair.fixture.store.fail(with: .unavailable, in: "askUserVersion(of:_:)")
        let answer = try await pair.ask()
        #expect(answer.status == 503)
        #expect(answer[.retryAfter] != nil)
        #expect(pair.fixture.log.all.contains { $0.contains(#""status":503"#) })
        pair.fixture.store.fail(with: nil)
        #expect(try await pair.ask().status == 200)
    }

    @Test(arguments: [false, true]) func refusesCachedAnswersBeyondTheRateLimit(isShared: Bool) async throws {
        let pair = try await Pair(isShared: isShared) {
            ($0.rateLimits.deviceBurst, $0.rateLimits.devicePerSecond) = (4, 1)
        }
        var statuses: [Int] = []
        for _ in 0..<5 {
            statuses.append(
                try await pair.fixture.send(.get, Self.latest, token: pair.reader.token, peer: "192.0.2.1").status)
        }
        #expect(statuses == [200, 200, 200, 200, 429])
    }

    @Test(arguments: [(false, "knownUserVersion(of:)"), (true, "askUserVersion(of:_:)")])
    func asksTheStoreOnceForAnArchiveAndItsBytes(isShared: Bool, question: String) async throws {
        let pair = try await Pair(isShared: isShared)
        try await pair.fixture.upload(2, by: pair.maker)
        _ = pair.takeQuestions()
        #expect(try await pair.ask()[.servedArchive] == ServerFixture.id(2))
        #expect(pair.takeQuestions() == [question, "choose(_:limit:)", "recordServing(_:in:to:at:)"])
        _ = try await pair.fixture.send("DELETE", "/v1/devices/self", token: pair.reader.token)
        #expect(try await pair.ask().status == 401)
    }

    @Test func answersAnewAfterEachWriteToTheUser() async throws {
        let pair = try await Pair { $0.allowsScreenshots = true }
        let archive = "/v1/scenes/main/archives/" + ServerFixture.id(1)
        let writes: [(String, (ServerFixture, Member) async throws -> Answer)] = [
            ("upload", { try await $0.upload(2, by: $1, scene: "other") }),
            ("forget", { try await $0.send(.delete, "/v1/scenes/other", token: $1.token) }),
            ("screenshot", { try await $0.send(.put, archive + "/screenshot", token: $1.token, body: Samples.png) }),
            (
                "outcome",
                {
                    try await $0.send(
                        .post, archive + "/outcomes", token: $1.token,
                        json: ["result": "restored", "idiom": "phone", "bundleVersion": "42"])
                }
            ),
            ("data source", { try await $0.declare(by: $1) }),
            ("items", { try await $0.change(#"{"upserts": [{"identifier": "a1", "aliases": ["x"]}]}"#, by: $1) }),
            ("delete", { try await $0.send(.delete, archive, token: $1.token) }),
        ]
        for (name, write) in writes {
            try await pair.ask()
            _ = pair.takeQuestions()
            try await pair.ask()
            #expect(!pair.takeQuestions().contains("choose(_:limit:)"), "before the write: \(name)")
            let answer = try await write(pair.fixture, pair.maker)
            #expect((200..<300).contains(answer.status), "\(name): \(answer.text)")
            _ = pair.takeQuestions()
            try await pair.ask()
            #expect(pair.takeQuestions().contains("choose(_:limit:)"), "\(name)")
        }
        #expect(try await pair.ask().status == 404)
    }

    /// A write may be acknowledged while an answer is made from older data.
    @Test func doesNotReuseAnAnswerThatWasBegunBeforeAWrite() async throws {
        let pair = try await Pair()
        let server = pair.fixture.server
        let target = Self.latest + "&layout=regular"
        let head = try ServerFixture.head(
            "GET", target, fields: ["Authorization: Bearer \(pair.reader.token)"])
        let authentication = try #require(
            try await server.service.devices.authenticate(token: ArraySlice(pair.reader.token.utf8)))
        try await pair.fixture.upload(2, by: pair.maker)
        let match = try #require(server.router.match(head.bytes, path: head.path))
        let context = RequestContext(
            request: Request(head: head), match: match, bodyLimit: BodyLimit(bytes: 0))
        let late = try await server.readLatest(context, authentication)
        #expect(late.status == .ok)
        _ = pair.takeQuestions()
        try await pair.ask(target)
        #expect(pair.takeQuestions().contains("choose(_:limit:)"))
    }

    @Test func cachesTwoQuestionsOfADevice() async throws {
        let pair = try await Pair()
        let targets = [Self.latest, Self.latest + "&layout=regular"]
        for target in targets { try await pair.ask(target) }
        _ = pair.takeQuestions()
        for target in targets { try await pair.ask(target) }
        #expect(pair.takeQuestions() == ["knownUserVersion(of:)"])
    }

    @Test func doesNotCacheAnswersToLongQuestions() async throws {
        let pair = try await Pair()
        let long = Self.latest + "&x=" + String(repeating: "a", count: LatestCache.longestQuestion)
        for _ in 0..<2 { try await pair.ask(long) }
        _ = pair.takeQuestions()
        try await pair.ask(long)
        #expect(pair.takeQuestions().contains("choose(_:limit:)"))
    }

    /// The first launch did not report the end of its restore, so the second launch must not get the same archive.
    @Test func doesNotRepeatAnAnswerToTheNextLaunchAfterAnUnfinishedRestore() async throws {
        let pair = try await Pair()
        try await pair.fixture.upload(2, by: pair.maker)
        for _ in 0..<2 { #expect(try await pair.ask(Self.latest, ["Launch-Id: first"])[.servedArchive] == id(2)) }
        let began = try await pair.fixture.send(
            .post, "/v1/scenes/main/archives/\(id(2))/outcomes", token: pair.reader.token,
            json: ["result": "began", "idiom": "phone", "bundleVersion": "42", "launch": "first"])
        #expect(began.status == 204)
        for _ in 0..<2 {
            for fields in [[], ["Launch-Id: first"]] {
                #expect(try await pair.ask(Self.latest, fields)[.servedArchive] == id(2))
            }
        }
        #expect(try await pair.ask(Self.latest, ["Launch-Id: second"])[.servedArchive] == id(1))
        #expect(try await pair.ask()[.servedArchive] == id(1))
    }

    @Test(arguments: ["", "a b", "é", String(repeating: "a", count: 65)])
    func refusesMalformedLaunchID(_ launch: String) async throws {
        let pair = try await Pair()
        for path in ["latest", "latest/explanation", "\(id(1))/restorable"] {
            let target = "/v1/scenes/main/archives/\(path)?idiom=phone&bundleVersion=42&layout=regular"
            // The answer to this request is in the cache.
            #expect(try await pair.ask(target, []).status != 400)
            let answer = try await pair.ask(target, ["Launch-Id: \(launch)"])
            #expect(answer.status == 400 && answer.code == .malformedField, "\(path)")
        }
    }

    private func id(_ number: Int) -> String { ServerFixture.id(number) }

    @Test func keepsAnswersApartByDeviceAndQuestion() async throws {
        let pair = try await Pair()
        let other = try await pair.ask(
            "/v1/scenes/main/archives/latest?idiom=pad&bundleVersion=42&systemVersion=17.4")
        #expect(other[.fidelity] == "place")
        let own = try await pair.fixture.send(.get, Self.latest, token: pair.maker.token)
        #expect(own[.fidelity] == "full" && own[.etag] != other[.etag])
        #expect(try await pair.ask()[.fidelity] == "full")
        let stranger = try await pair.fixture.join()
        #expect(try await pair.fixture.send(.get, Self.latest, token: stranger.token).status == 404)
    }

    @Test func answersAnewWhenTheArchiveExpires() async throws {
        let pair = try await Pair()
        pair.fixture.clock.advance(.seconds(30 * 86_400))
        #expect(try await pair.ask().status == 200)
        pair.fixture.clock.advance(.milliseconds(1))
        #expect(try await pair.ask().status == 406)
    }

    @Test func answersAnewWhenTheAppsSettingsChange() async throws {
        let pair = try await Pair()
        var settings = pair.fixture.app.settings
        settings.policy.minimumBundleVersion = "43"
        try await pair.fixture.service.apps.replaceSettings(of: pair.fixture.app.id, with: settings)
        #expect(try await pair.ask().status == 406)
    }

    @Test func staysWithinItsCapacity() async throws {
        let (fixture, maker) = try await ServerFixture().withDevice()
        let principal = try #require(
            try await fixture.service.devices.authenticate(token: ArraySlice(maker.token.utf8))?.principal)
        let capacity = 8 << 20
        let cache = LatestCache(capacity: capacity)
        let heads = try (0..<400).map { number in
            try ServerFixture.head("GET", "/v1/scenes/\(number)/archives/latest", fields: [])
        }
        func insert(_ count: Int, for head: RequestHead) {
            let whole = Response(.ok, body: .bytes([UInt8](repeating: 0, count: count)))
            cache.insert(
                LatestCache.Answer(
                    to: head, of: principal, at: 1, until: fixture.clock.now(), entityTag: "\"a\"",
                    unchanged: Response(.notModified), whole: whole),
                for: head)
        }
        func isHeld(_ head: RequestHead) -> Bool {
            cache.answer(to: head, of: principal, at: 1, fixture.clock.now()) != nil
        }
        for head in heads { insert(LatestCache.largestBody, for: head) }
        let held = heads.count(where: isHeld) * LatestCache.largestBody
        #expect(held > capacity / 4 && held <= capacity)
        let fields = ["If-None-Match: \"a\""]
        let last = try ServerFixture.head("GET", "/v1/scenes/last/archives/latest", fields: [])
        let conditional = try ServerFixture.head("GET", "/v1/scenes/last/archives/latest", fields: fields)
        insert(LatestCache.largestBody + 1, for: last)
        #expect(!isHeld(last) && isHeld(conditional))
    }
}
