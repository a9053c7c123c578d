import PlacekeeperCore
import PlacekeeperService
import PlacekeeperStoreConformance
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperSQLite

struct RestoreLogTests {
    private static let context = Context(
        idiom: .mac, layout: .regular, bundleVersion: "1.2", systemVersion: "15", stateVersion: .min)
    private static let candidate = RestoreAnswer.Candidate(
        archive: ArchiveID(high: .max, low: 1),
        facts: RestoreCandidate(context: context, capturedAt: at(-1), hasPlace: true),
        exclusion: Reason(code: "abandoned", blocks: .place), fidelity: nil, reasons: ["", "ä"])
    private static let entries: [RestoreLogEntry] = [
        .answer(
            RestoreAnswer(
                at: at(1), owner: owner(), device: DeviceID(high: 0, low: 1), scene: "main", asked: context,
                candidates: [candidate, candidate])),
        .report(
            RestoreReport(
                at: at(2), owner: owner(), device: DeviceID(high: 0, low: 1), scene: "main",
                archive: ArchiveID(high: 0, low: 1), result: .crashed, path: "root/é", duration: .milliseconds(300),
                source: context, target: Context(idiom: .unspecified))),
        .note(
            BreakerTransition(
                at: at(3), app: owner().app, pair: RestorePair(sourceVersion: "1", targetVersion: "2", idiom: .tv),
                state: .stopped, until: at(4))),
    ]

    private static func read(_ entry: RestoreLogEntry, body: [UInt8]) -> RestoreLogEntry? {
        guard let party = entry.party else { return RestoreLogEntry(noteOf: entry.app, at: entry.at, body: body) }
        let tenure = RestoreReport.UserTenure(createdAt: at(0), restoredOnTwoDays: true)
        return RestoreLogEntry(
            entry.kind, at: entry.at, owner: party.owner, device: party.device, tenure: tenure, body: body)
    }

    @Test(arguments: entries) func readsEveryBodyThatItWrites(_ entry: RestoreLogEntry) throws {
        var read = try #require(Self.read(entry, body: entry.body))
        if case .report(var report) = read {
            report.tenure = nil
            read = .report(report)
        }
        #expect(read == entry)
        #expect(entry.body.count < 300)
    }

    @Test(arguments: entries) func refusesEveryPartOfABodyAndFurtherBytes(_ entry: RestoreLogEntry) {
        for count in 0..<entry.body.count { #expect(Self.read(entry, body: Array(entry.body[..<count])) == nil) }
        #expect(Self.read(entry, body: entry.body + [0]) == nil)
        #expect(Self.read(entry, body: [3] + entry.body.dropFirst()) == nil)
    }

    @Test func readsTheAnswersOfVersion010() throws {
        guard case .answer(let answer) = Self.entries[0] else { return }
        let whole = RestoreAnswer(
            at: answer.at, owner: answer.owner, device: answer.device, scene: answer.scene, asked: answer.asked,
            candidates: answer.candidates, wasHeld: true, repeats: 2, lastAt: at(3), omitted: 70)
        let read = try #require(Self.read(.answer(whole), body: RestoreLogEntry.answer(whole).body))
        #expect(read == .answer(whole))
        // One byte for `wasHeld`, one for `repeats`, six for `lastAt`, one for `omitted`.
        let body = RestoreLogEntry.answer(answer).body
        #expect(Self.read(.answer(answer), body: [1] + body.dropFirst().dropLast(9)) == .answer(answer))
    }

    /// Every byte is replaced, so lengths, counts and words have each possible value. None of them traps.
    @Test(arguments: entries) func survivesEveryChangedByte(_ entry: RestoreLogEntry) {
        for index in entry.body.indices {
            for byte in 0...255 as ClosedRange<UInt8> {
                var body = entry.body
                body[index] = byte
                for tail in [[], Array(repeating: 0xFF, count: 20)] as [[UInt8]] {
                    guard case .answer(let answer)? = Self.read(entry, body: body + tail) else { continue }
                    // The age of a candidate is computed from its time.
                    _ = App.Settings().evaluate(
                        answer.candidates.last?.facts ?? Self.candidate.facts, for: answer.asked, at: at(0))
                }
            }
        }
    }

    @Test func skipsDamagedRows() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        _ = try await store.register(sampleDevice(), token: Digest(0, 0, 0, 1), linkCode: nil)
        for _ in 0..<7 { try await store.log(Self.entries) }
        let connection = try Connection(path: directory.database)
        try connection.execute(
            """
            UPDATE restore_log SET body = x'' WHERE id <= 3;
            UPDATE restore_log SET body = zeroblob(100000) WHERE id BETWEEN 4 AND 6;
            UPDATE restore_log SET at = 9223372036854775807 WHERE id BETWEEN 7 AND 9;
            UPDATE restore_log SET device = x'01', app = app WHERE id BETWEEN 10 AND 11;
            UPDATE restore_log SET user = 999 WHERE id BETWEEN 13 AND 14;
            UPDATE user SET created_at = 9223372036854775807;
            """)
        for kind in RestoreLogEntry.Kind.allCases {
            let page = try await store.restoreLog(kind, of: owner().app, below: nil, limit: 4)
            #expect(page.entries.count == (kind == .note ? 4 : 2), "\(kind)")
            let rest = try await store.restoreLog(kind, of: owner().app, below: page.next, limit: 4)
            #expect(rest.entries.isEmpty && rest.next == nil, "\(kind)")
        }
    }
}
