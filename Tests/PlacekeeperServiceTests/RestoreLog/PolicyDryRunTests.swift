import PlacekeeperCore
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperService

struct PolicyDryRunTests {
    private static func candidate(
        _ number: UInt64, _ version: String, idiom: Idiom = .phone, fidelity: Fidelity?, exclusion: Reason? = nil
    ) -> RestoreAnswer.Candidate {
        RestoreAnswer.Candidate(
            archive: ArchiveID(high: 0, low: number),
            facts: RestoreCandidate(
                context: Context(idiom: idiom, bundleVersion: version), capturedAt: Fixture.start,
                hasPlace: fidelity != nil),
            exclusion: exclusion, fidelity: fidelity)
    }

    private static func answer(
        _ candidates: [RestoreAnswer.Candidate], user: UInt64 = 1, at seconds: Int = 0
    ) -> RestoreAnswer {
        RestoreAnswer(
            at: Fixture.start + .seconds(seconds),
            owner: UserKey(app: Fixture.owner.app, user: UserID(high: 0, low: user)),
            device: DeviceID(high: 0, low: user), scene: "main", asked: Context(idiom: .phone, bundleVersion: "42"),
            candidates: candidates)
    }

    private static func dryRun(
        _ answers: [RestoreAnswer], instead present: App.Settings = App.Settings(),
        _ change: (inout App.Settings) -> Void = { _ in }
    ) -> PolicyDryRun {
        var settings = App.Settings()
        change(&settings)
        var dryRun = PolicyDryRun()
        for answer in answers { dryRun.add(answer, with: settings, instead: present) }
        return dryRun
    }

    private static let full = answer([candidate(2, "41", fidelity: .full)])

    @Test func findsNoChangeWithTheSameSettings() {
        let older = Self.answer([Self.candidate(3, "43", fidelity: nil), Self.candidate(2, "42", fidelity: .full)])
        let refused = Self.answer([Self.candidate(3, "43", fidelity: nil)])
        let place = Self.answer([Self.candidate(3, "41", idiom: .pad, fidelity: .place)])
        let dryRun = Self.dryRun([Self.full, older, refused, place])
        #expect(dryRun.answers == 4 && dryRun.unchanged == 4 && dryRun.changes.isEmpty)
    }

    @Test func findsArchivesThatWouldBeRefused() throws {
        let dryRun = Self.dryRun([Self.full]) { $0.policy.minimumBundleVersion = "42" }
        let change = try #require(dryRun.changes[.refused])
        let example = try #require(change.examples.first)
        #expect(dryRun.changes.count == 1 && change.count == 1 && change.users == [UserID(high: 0, low: 1)])
        #expect(example.after == nil && example.answer == Self.full)
        #expect(example.reasons.map(\.code) == ["bundle-version-below-minimum"])
        let stopped = Self.dryRun([Self.full]) {
            $0.stoppedRestores = [
                StoppedRestore(sourceVersion: "41", targetVersion: "42", idiom: "phone", by: .administrator)
            ]
        }
        #expect(stopped.changes[.refused]?.examples.first?.reasons.map(\.code) == ["restores-stopped"])
    }

    @Test func findsArchivesThatWouldBeServed() throws {
        let refused = Self.answer([Self.candidate(3, "43", fidelity: nil)])
        let dryRun = Self.dryRun([refused]) { $0.policy.allowsNewerBundleVersion = true }
        let after = try #require(dryRun.changes[.served]?.examples.first?.after)
        #expect(after.archive.low == 3 && after.fidelity == .full)
    }

    /// The dry run knows the outcomes of the time of the answer.
    @Test func keepsTheExclusionsByOutcomes() {
        let exclusion = Reason(code: "quarantined", archive: "crashed", blocks: .place)
        let refused = Self.answer([Self.candidate(3, "43", fidelity: nil, exclusion: exclusion)])
        #expect(Self.dryRun([refused]) { $0.policy.allowsNewerBundleVersion = true }.unchanged == 1)
    }

    @Test func findsChangesOfTheFidelity() {
        let pad = Self.answer([Self.candidate(3, "41", idiom: .pad, fidelity: .place)])
        #expect(Self.dryRun([pad]) { $0.policy.acceptedIdioms = ["phone": ["pad"]] }.changes[.full]?.count == 1)
        let accepted = Self.answer([Self.candidate(3, "41", idiom: .pad, fidelity: .full)])
        var present = App.Settings()
        present.policy.acceptedIdioms = ["phone": ["pad"]]
        let place = Self.dryRun([accepted], instead: present).changes[.place]
        #expect(place?.count == 1 && place?.examples.first?.reasons.map(\.code) == ["idiom-not-accepted"])
    }

    @Test func saysWhyAnswersStayTheSame() {
        let newer = Self.answer([Self.candidate(3, "43", fidelity: nil), Self.candidate(2, "42", fidelity: .full)])
        let pad = Self.answer([Self.candidate(3, "43", idiom: .pad, fidelity: .place)], user: 2)
        let dryRun = Self.dryRun([Self.full, newer, newer, pad, pad]) { $0.policy.maximumAge = .days(7) }
        #expect(dryRun.unchanged == 5)
        let found = dryRun.blockers.map { "\($0.reason.code) \($0.answers) \($0.users.count)" }
        #expect(found == ["bundle-version-newer 4 2", "idiom-not-accepted 2 1", "no-place 2 1"])
        #expect(Self.dryRun([newer]) { $0.policy.allowsNewerBundleVersion = true }.blockers.isEmpty)
    }

    /// The recorded fidelity came from settings that have changed since.
    @Test func ignoresEarlierChangesOfTheSettings() {
        let accepted = Self.answer([Self.candidate(3, "41", idiom: .pad, fidelity: .full)])
        #expect(Self.dryRun([accepted]).unchanged == 1)
    }

    @Test func findsOtherArchives() throws {
        let older = Self.answer([Self.candidate(3, "43", fidelity: nil), Self.candidate(2, "42", fidelity: .full)])
        let dryRun = Self.dryRun([older]) { $0.policy.allowsNewerBundleVersion = true }
        #expect(try #require(dryRun.changes[.other]?.examples.first?.after).archive.low == 3)
    }

    @Test func judgesTheAgeAtTheTimeOfTheAnswer() {
        let answer = Self.answer([Self.candidate(2, "41", fidelity: .full)], at: 86_400)
        #expect(Self.dryRun([answer]) { $0.policy.maximumAge = .days(1) }.unchanged == 1)
        #expect(Self.dryRun([answer]) { $0.policy.maximumAge = .days(0) }.changes[.refused]?.count == 1)
    }

    @Test func countsUsersAndKeepsTheNewestExamples() throws {
        let answers = (0..<50).map { number in
            Self.answer([Self.candidate(2, "41", fidelity: .full)], user: UInt64(number % 5), at: 50 - number)
        }
        let dryRun = Self.dryRun(answers) { $0.policy.minimumBundleVersion = "42" }
        let change = try #require(dryRun.changes[.refused])
        #expect(change.count == 50 && change.users.count == 5 && change.examples.count == 20)
        #expect(change.examples.map(\.answer.at) == (31...50).reversed().map { Fixture.start + .seconds($0) })
        #expect(dryRun.from == Fixture.start + .seconds(1) && dryRun.to == Fixture.start + .seconds(50))
    }

    @Test func readsTheAnswersOfTheLogAndChangesNothing() async throws {
        let fixture = try await ServiceFixture()
        for number in 1...3 as ClosedRange<UInt64> {
            let phone = try await fixture.join()
            try await fixture.upload(number, by: phone)
            _ = try await fixture.latest(for: phone)
        }
        _ = try await fixture.answers()
        var settings = App.Settings()
        settings.policy.minimumBundleVersion = "50"
        let dryRun = try await fixture.service.health.tryOut(settings, of: fixture.app)
        #expect(dryRun.answers == 3 && dryRun.changes[.refused]?.count == 3)
        #expect(try await fixture.service.apps.app(.id(fixture.app.id)).settings == fixture.app.settings)
        settings.policy.minimumBundleVersion = "x"
        let error = await #expect(throws: ServiceError.self) {
            try await fixture.service.health.tryOut(settings, of: fixture.app)
        }
        #expect(error?.code == .settingsInvalid)
    }
}

extension Fixture {
    static let start = Timestamp(milliseconds: 1_750_000_000_000)
}
