import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperService
import Testing

@testable import placekeeper

@Suite struct GeneratedUserTests {
    private let app = AppID(high: 1, low: 2)
    private let now = Timestamp(milliseconds: 1_700_000_000_000)

    private func user(_ number: Int, seed: UInt64 = 7, isHostile: Bool = false) throws -> GeneratedUser {
        try GeneratedUser(number, of: app, archives: 40, seed: seed, isHostile: isHostile, until: now)
    }

    private func archives(_ user: GeneratedUser) -> [ExportedArchive] {
        user.records.compactMap { if case .archive(let archive) = $0 { archive } else { nil } }
    }

    @Test func hasTheNumberOfArchivesInTheOrderOfTheirRevisions() throws {
        for number in 0..<20 {
            let revisions = archives(try user(number)).map(\.archive.revision.rawValue)
            #expect(revisions == Array(1...40))
        }
    }

    @Test func describesEachArchiveAsItsBytesDo() throws {
        for exported in archives(try user(3)) {
            let summary = try ArchiveSummary(reading: exported.bytes)
            #expect(summary.placeTitles == exported.archive.summary.place)
            #expect(summary.objectCount == exported.archive.summary.objectCount)
            #expect(summary.referenceCount == exported.archive.summary.referenceCount)
            #expect(summary.bundleVersion == exported.archive.context.bundleVersion)
            #expect(exported.archive.size == exported.bytes.count)
            #expect(exported.archive.capturedAt <= exported.archive.receivedAt)
            #expect(exported.archive.receivedAt <= now)
        }
    }

    @Test func logsTheAnswersOfThePolicyAndTheEndsOfTheirRestores() throws {
        var settings = App.Settings()
        settings.policy.minimumBundleVersion = "43"
        for number in 0..<20 {
            var user = try user(number)
            let entries = user.restore(judgedBy: settings, until: now)
            let outcomes = archives(user).flatMap(\.outcomes)
            var served: ArchiveID?
            var answers = 0
            var ends: [String: Int] = [:]
            var tooOld = 0
            for entry in entries {
                switch entry {
                case .answer(let answer):
                    answers += 1
                    served = answer.served?.archive
                    let reasons = answer.served == nil ? answer.candidates.flatMap(\.reasons) : []
                    tooOld += reasons.contains("bundle-version-below-minimum") ? 1 : 0
                    #expect(answer.served.map { $0.facts.context.bundleVersion == "43" } ?? true)
                    #expect(answer.candidates.dropLast().allSatisfy { $0.fidelity == nil && !$0.reasons.isEmpty })
                case .report(let report):
                    #expect(report.archive == served && report.at <= now)
                    ends[report.result.rawValue, default: 0] += 1
                    let own = outcomes.filter { $0.archive == report.archive && $0.device == report.device }
                    let end = own.firstIndex { $0.result == report.result && $0.reportedAt == report.at } ?? 0
                    #expect(end > 0 && own[end - 1].result == .began, "the archive has the outcomes that the log has")
                case .note: Issue.record("a note of the breaker")
                }
            }
            #expect(answers >= 4)
            for result in RestoreReport.results {
                #expect(total("outcome", result.rawValue, of: user) == ends[result.rawValue] ?? 0)
            }
            #expect(total("refusal", "bundle-version-below-minimum", of: user) == tooOld)
            #expect(total("upload", "stored", of: user) == 40)
        }
    }

    private func total(_ name: String, _ label: String, of user: GeneratedUser) -> Int {
        user.counts.reduce(0) { $0 + ($1.key.name == name && $1.key.label == label ? $1.value : 0) }
    }

    @Test func refusesTheStatesOfANewerVersionToOlderDevices() throws {
        var refusals = 0
        var passed = 0
        for number in 0..<50 {
            var user = try GeneratedUser(number, of: app, archives: 10, seed: 7, isHostile: false, until: now)
            for case .answer(let answer) in user.restore(judgedBy: App.Settings(), until: now) {
                let newer = answer.candidates.filter { $0.reasons.contains("state-version-newer") }
                #expect(newer.allSatisfy { $0.fidelity == nil })
                passed += answer.served != nil && !newer.isEmpty ? 1 : 0
            }
            refusals += total("refusal", "state-version-newer", of: user)
        }
        #expect(refusals > 0 && passed > 0)
    }

    @Test func makesTheSameContentFromTheSameSeed() throws {
        let titles = archives(try user(5)).map(\.archive.summary.place)
        #expect(archives(try user(5)).map(\.archive.summary.place) == titles)
        #expect(archives(try user(5, seed: 8)).map(\.archive.summary.place) != titles)
        #expect(archives(try user(6)).map(\.archive.summary.place) != titles)
    }

    @Test func givesHostileNamesOnlyOnRequest() throws {
        let hostile = Set(GeneratedUser.hostileNames)
        #expect(try user(10, isHostile: true).devices.allSatisfy { hostile.contains($0.name ?? "") })
        #expect(
            archives(try user(10, isHostile: true)).contains { !hostile.isDisjoint(with: $0.archive.summary.place) })
        #expect(!archives(try user(10)).contains { !hostile.isDisjoint(with: $0.archive.summary.place) })
    }
}
