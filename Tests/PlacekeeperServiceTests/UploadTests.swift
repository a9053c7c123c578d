import PlacekeeperCore
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperService

struct UploadTests {
    @Test func readsContextFromArchive() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        var sample = SampleArchive(
            idiom: 1, bundleVersion: "1.2", systemVersion: "17.4", stateVersion: 3, layout: "regular")
        sample.place = ["Albums", "Sea"]
        let upload = Upload(id: ArchiveID(high: 0, low: 1), scene: "main", bytes: sample.bytes)
        let stored = try #require(try await fixture.service.archives.store(upload, for: phone).created)
        #expect(
            stored.context
                == Context(
                    idiom: .pad, layout: .regular, bundleVersion: "1.2", systemVersion: "17.4", stateVersion: 3))
        #expect(stored.summary.place == ["Albums", "Sea"])
        #expect(stored.device == phone.device.id && stored.scene.owner == phone.owner)
        #expect(try await fixture.service.archives.bytes(of: stored) == sample.bytes)
    }

    @Test func readsMissingContextFromQuery() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        var upload = Upload(
            id: ArchiveID(high: 0, low: 1), scene: "main", bytes: SampleArchive(idiom: -1, bundleVersion: "1.0").bytes)
        upload.idiom = .pad
        upload.bundleVersion = "1"
        upload.layout = .compact
        upload.systemVersion = "18"
        upload.stateVersion = 9
        let stored = try #require(try await fixture.service.archives.store(upload, for: phone).created)
        #expect(
            stored.context
                == Context(idiom: .pad, layout: .compact, bundleVersion: "1.0", systemVersion: "18", stateVersion: 9))
    }

    @Test(arguments: ["idiom", "layout", "bundleVersion", "systemVersion", "stateVersion"])
    func rejectsQueryThatContradictsArchive(_ member: String) async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        let sample = SampleArchive(
            idiom: 0, bundleVersion: "1", systemVersion: "17", stateVersion: 3, layout: "compact")
        var upload = Upload(id: ArchiveID(high: 0, low: 1), scene: "main", bytes: sample.bytes)
        let values: (archive: String, query: String)
        switch member {
        case "idiom": (upload.idiom, values) = (.pad, ("phone", "pad"))
        case "layout": (upload.layout, values) = (.regular, ("compact", "regular"))
        case "bundleVersion": (upload.bundleVersion, values) = ("2", ("1", "2"))
        case "systemVersion": (upload.systemVersion, values) = ("18", ("17", "18"))
        default: (upload.stateVersion, values) = (4, ("3", "4"))
        }
        let error = await #expect(throws: ServiceError.self) {
            try await fixture.service.archives.store(upload, for: phone)
        }
        #expect(error?.code == .contextContradicted)
        #expect(error?.details == ["member": member, "archive": values.archive, "query": values.query])
        #expect(try await fixture.latest(for: phone).isNothing)
    }

    struct Refusal: Sendable, CustomStringConvertible {
        var description: String
        var code: ServiceError.Code
        var sample = SampleArchive(idiom: 0)
        var change: @Sendable (inout Upload) -> Void = { _ in }
    }

    @Test(arguments: ["42", "1.2b3", "1.0.0-beta.2", "21A5268h", "1.2.3.4.5", "0"])
    func acceptsCommonVersionFormats(_ version: String) async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        let sample = SampleArchive(idiom: 0, bundleVersion: version)
        let upload = Upload(id: ArchiveID(high: 0, low: 1), scene: "main", bytes: sample.bytes)
        #expect(try await fixture.service.archives.store(upload, for: phone).created?.context.bundleVersion == version)
    }

    static let refusals = [
        Refusal(description: "no idiom at all", code: .idiomRequired, sample: SampleArchive()),
        Refusal(description: "an unspecified idiom twice", code: .idiomRequired, sample: SampleArchive(idiom: -1)) {
            $0.idiom = .unspecified
        },
        Refusal(description: "an unknown idiom", code: .contextInvalid, sample: SampleArchive(idiom: 7)),
        Refusal(
            description: "a version with a control character", code: .contextInvalid,
            sample: SampleArchive(idiom: 0, bundleVersion: "1\u{0}2")),
        Refusal(
            description: "a version of 65 bytes", code: .contextInvalid,
            sample: SampleArchive(idiom: 0, systemVersion: String(repeating: "1", count: 65))),
        Refusal(
            description: "a version that is not a number", code: .contextInvalid,
            sample: SampleArchive(idiom: 0, bundleVersion: "beta")),
        Refusal(description: "a version in the query that is not a number", code: .contextInvalid) {
            $0.bundleVersion = "v42"
        },
        Refusal(description: "an empty version", code: .contextInvalid) { $0.systemVersion = "" },
        Refusal(description: "no scene", code: .sceneNameInvalid) { $0.scene = "" },
        Refusal(description: "a scene of 65 characters", code: .sceneNameInvalid) {
            $0.scene = String(repeating: "a", count: 65)
        },
        Refusal(description: "a scene with a slash", code: .sceneNameInvalid) { $0.scene = "a/b" },
        Refusal(description: "a scene beyond ASCII", code: .sceneNameInvalid) { $0.scene = "é" },
        Refusal(description: "over a mebibyte", code: .archiveTooLarge) {
            $0.bytes = [UInt8](repeating: 0, count: 1 << 20 + 1)
        },
        Refusal(description: "not an archive", code: .archiveUnreadable) { $0.bytes = Array("not an archive".utf8) },
        Refusal(description: "no bytes", code: .archiveUnreadable) { $0.bytes = [] },
    ]

    @Test(arguments: refusals) func rejectsInvalidUpload(_ refusal: Refusal) async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        var upload = Upload(id: ArchiveID(high: 0, low: 1), scene: "main", bytes: refusal.sample.bytes)
        refusal.change(&upload)
        let error = await #expect(throws: ServiceError.self) {
            try await fixture.service.archives.store(upload, for: phone)
        }
        #expect(error?.code == refusal.code)
        #expect(
            try await fixture.service.archives.history(in: "main", below: nil, limit: 10, principal: phone).archives
                .isEmpty)
    }

    @Test func reportsReasonAndOffsetOfUnreadableArchive() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        let upload = Upload(id: ArchiveID(high: 0, low: 1), scene: "main", bytes: Array("<?xml version".utf8))
        let error = await #expect(throws: ServiceError.self) {
            try await fixture.service.archives.store(upload, for: phone)
        }
        #expect(error?.details["reason"] == "xml")
        #expect(error?.message.contains("XML property list") == true)
        #expect(error?.details["offset"].flatMap { Int($0) } != nil)
    }

    @Test func acceptsAgeAndSceneNameAtTheirLimits() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        let scene = String(repeating: "a", count: 61) + "._-"
        let stored = try #require(
            try await fixture.upload(1, by: phone, scene: scene, age: .seconds(30 * 86_400)).created)
        #expect(stored.receivedAt - stored.capturedAt == .seconds(30 * 86_400))
    }

    /// A device that was in a drawer for a year sends what it kept.
    @Test func ordersAnOldInteractionByItsAge() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        let stored = try #require(try await fixture.upload(1, by: phone, age: .seconds(365 * 86_400)).created)
        #expect(stored.receivedAt - stored.capturedAt == .seconds(365 * 86_400))
        let oldest = try #require(try await fixture.upload(2, by: phone, age: .seconds(1e12)).created)
        #expect(oldest.receivedAt - oldest.capturedAt == Limits.interactionAge)
    }

    @Test func limitsStepsAndTitlesOfSummary() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        let steps = (0..<40).map { _ in String(repeating: "é", count: 500) }
        let stored = try #require(try await fixture.upload(1, by: phone, place: steps).created)
        #expect(stored.summary.place.count == Limits.summarySteps)
        #expect(stored.summary.place.allSatisfy { $0.utf8.count == Limits.summaryTitle })
    }

    @Test(arguments: [
        ("", 3, ""), ("abc", 3, "abc"), ("abcd", 3, "abc"), ("aé", 2, "a"), ("aé", 3, "aé"), ("👩‍👩‍👧", 17, ""),
        ("a👩‍👩‍👧", 18, "a"), ("e" + String(repeating: "\u{301}", count: 1000), 240, ""),
    ])
    func cutsTitleBetweenCharacters(_ title: String, _ limit: Int, _ cut: String) {
        #expect(title.wholeCharacters(within: limit) == cut)
    }

    @Test func makesHeadAsNewArchiveWithSameBytes() async throws {
        let (fixture, phone, pad) = try await ServiceFixture().withDevices(.phone, .pad)
        let first = try #require(try await fixture.upload(1, by: phone).created)
        fixture.clock.advance(.seconds(10))
        try await fixture.upload(2, by: pad)
        fixture.clock.advance(.seconds(10))
        let new = ArchiveID(high: 0, low: 3)
        let result = try await fixture.service.archives.makeHead(first.id, as: new, in: "main", principal: pad)
        guard case .created(let head, let revision) = result else {
            Issue.record("not created: \(result)")
            return
        }
        #expect(revision == head.revision && head.device == phone.device.id && head.context == first.context)
        #expect(try await fixture.service.archives.bytes(of: head) == fixture.service.archives.bytes(of: first))
        let again = try await fixture.service.archives.makeHead(first.id, as: new, in: "main", principal: pad)
        #expect(again == .identical(head, head: head.revision))
        await #expect(throws: ServiceError.self) {
            try await fixture.service.archives.makeHead(ArchiveID(high: 9, low: 9), as: new, in: "main", principal: pad)
        }
    }
}
