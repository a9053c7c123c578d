import PlacekeeperCore
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperService

struct StoppedRestoreTests {
    /// A stop, the versions of an archive and of a device, the device's idiom, and whether the archive is refused.
    private struct Row {
        var stop: (source: String?, target: String?, idiom: String)
        var source: String?
        var target: String?
        var idiom = Idiom.phone
        var isStopped: Bool
    }

    private static let rows: [Row] = [
        Row(stop: ("41", "42", "phone"), source: "41", target: "42", isStopped: true),
        Row(stop: ("41", "42", "phone"), source: "41.0", target: "42", isStopped: true),
        Row(stop: ("41", "42", "phone"), source: "40", target: "42", isStopped: false),
        Row(stop: ("41", "42", "phone"), source: "41", target: "43", isStopped: false),
        Row(stop: ("41", "42", "phone"), source: "41", target: "42", idiom: .pad, isStopped: false),
        Row(stop: (nil, "42", "phone"), source: "7", target: "42", isStopped: true),
        Row(stop: ("41", nil, "phone"), source: "41", target: "50", isStopped: true),
        Row(stop: (nil, nil, "pad"), source: nil, target: nil, idiom: .pad, isStopped: true),
        Row(stop: ("0", "0", "phone"), source: nil, target: nil, isStopped: true),
        Row(stop: ("0", "42", "phone"), source: "41", target: "42", isStopped: false),
    ]

    @Test(arguments: rows.indices) func concernsAPairOfVersionsAndAnIdiom(_ index: Int) {
        let row = Self.rows[index]
        var settings = App.Settings()
        let asked = Context(idiom: row.idiom, bundleVersion: row.target)
        let archive = RestoreCandidate(
            context: Context(idiom: row.idiom, bundleVersion: row.source), capturedAt: .zero, hasPlace: true)
        #expect(settings.evaluate(archive, for: asked, at: .zero).fidelity == .full)
        settings.stoppedRestores = [
            StoppedRestore(
                sourceVersion: row.stop.source, targetVersion: row.stop.target, idiom: row.stop.idiom, by: .breaker)
        ]
        let verdict = settings.evaluate(archive, for: asked, at: .zero)
        #expect(verdict.fidelity == (row.isStopped ? nil : .full))
        let reason = Reason(code: "restores-stopped", archive: row.source, required: row.target, blocks: .place)
        #expect(verdict.reasons == (row.isStopped ? [reason] : []))
    }

    private static func stop(until end: Timestamp? = nil) -> StoppedRestore {
        StoppedRestore(sourceVersion: "42", targetVersion: "42", idiom: "phone", until: end, by: .administrator)
    }

    /// A user with two archives, of which the newer one may not be restored, and a caller with the stop.
    private func stopped(_ stop: StoppedRestore) async throws -> (ServiceFixture, Principal) {
        let fixture = try await ServiceFixture { $0.stoppedRestores = [stop] }
        let phone = try await fixture.join()
        try await fixture.upload(1, by: phone) { $0.bundleVersion = "41" }
        fixture.clock.advance(.seconds(1))
        try await fixture.upload(2, by: phone)
        return (fixture, phone)
    }

    @Test func isObeyedByEachAnswer() async throws {
        let (fixture, phone) = try await stopped(Self.stop())
        #expect(try await fixture.latest(for: phone).number == 1)
        let context = Context(idiom: .phone, bundleVersion: "42")
        // Also if a person selects the archive.
        let selected = try await fixture.service.restores.restorable(
            ArchiveID(high: 0, low: 2), in: "main", for: context, principal: phone)
        #expect(selected.refusals == [["restores-stopped"]])
        let explained = try await fixture.service.restores.explainLatest(
            in: "main", of: nil, for: context, principal: phone)
        #expect(explained.candidates.map { $0.reasons.map(\.code) } == [["restores-stopped"], []])
        #expect(explained.served?.low == 1)
        let places = try await fixture.service.restores.places(for: context, limit: 10, principal: phone)
        #expect(places.map(\.fidelity) == [nil])
        #expect(try await fixture.latest(for: phone, bundleVersion: "43").number == 2)
    }

    /// An answer that may be repeated must not outlive the stop.
    @Test func endsWithItsTime() async throws {
        let end = Timestamp(milliseconds: 1_750_000_060_000)
        let (fixture, phone) = try await stopped(Self.stop(until: end))
        let served = try #require(try await fixture.latest(for: phone).served)
        #expect(served.archive.id.low == 1 && served.expiry == end - .milliseconds(1))
        fixture.clock.set(end - .milliseconds(1))
        #expect(try await fixture.latest(for: phone).number == 1)
        fixture.clock.set(end)
        let next = try #require(try await fixture.latest(for: phone).served)
        #expect(next.archive.id.low == 2 && (next.expiry ?? .zero) > end)
    }
}
