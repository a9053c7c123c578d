import Dispatch
import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

struct LatestTests {
    @Test func servesFullHeadToSameContext() async throws {
        let (fixture, phone, other) = try await ServiceFixture().withDevices()
        try await fixture.upload(1, by: phone)
        fixture.clock.advance(.seconds(5))
        let head = try #require(try await fixture.upload(2, by: phone).created)
        guard case .served(let served, let bytes) = try await fixture.latest(for: other) else {
            Issue.record("not served")
            return
        }
        #expect(served.archive == head && served.fidelity == .full && served.superseded == nil)
        #expect(served.head == head.revision)
        #expect(try await bytes == fixture.service.archives.bytes(of: head))
    }

    @Test func reportsThatNothingIsStored() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        #expect(try await fixture.latest(for: phone).isNothing)
    }

    @Test func servesNoArchivesOfOtherUsers() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.upload(1, by: fixture.join())
        #expect(try await fixture.latest(for: fixture.join()).isNothing)
    }

    @Test func prefersPlaceOfHeadToOlderFullState() async throws {
        let (fixture, pad) = try await ServiceFixture().withDevice(.pad)
        let phone = try await fixture.join(.phone, with: pad)
        try await fixture.upload(1, by: pad)
        fixture.clock.advance(.seconds(5))
        try await fixture.upload(2, by: phone)
        let served = try #require(try await fixture.latest(for: pad).served)
        #expect(served.archive.id.low == 2 && served.fidelity == .place && served.superseded == nil)
    }

    @Test func servesOlderArchiveAsSupersededIfHeadIsRefused() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        try await fixture.upload(1, by: phone)
        fixture.clock.advance(.milliseconds(2500))
        let head = try #require(try await fixture.upload(2, by: phone, place: []) { $0.bundleVersion = "43" }.created)
        let served = try #require(try await fixture.latest(for: phone).served)
        #expect(served.archive.id.low == 1 && served.fidelity == .full && served.head == head.revision)
        #expect(served.superseded == Superseded(head: head.revision, by: .milliseconds(2500)))
    }

    @Test func servesADevicesArchiveAsSupersededIfItIsNotTheScenesHead() async throws {
        let (fixture, phone, other) = try await ServiceFixture().withDevices(.phone, .phone)
        let own = try #require(try await fixture.upload(1, by: phone).created)
        let asked = Context(idiom: .phone, bundleVersion: "42")
        func latest() async throws -> Selection.Served? {
            try await fixture.service.restores.latest(in: "main", of: phone.device.id, for: asked, principal: phone)
                .served
        }
        #expect(try await latest()?.superseded == nil)
        fixture.clock.advance(.seconds(5))
        let head = try #require(try await fixture.upload(2, by: other).created)
        for principal in [phone, other] {
            let served = try #require(
                try await fixture.service.restores.latest(
                    in: "main", of: phone.device.id, for: asked, principal: principal
                )
                .served)
            #expect(served.archive == own && served.head == head.revision)
            #expect(served.superseded == Superseded(head: head.revision, by: .seconds(5)))
        }
        // The newest archive of the device is refused, and another device has the head.
        fixture.clock.advance(.seconds(5))
        try await fixture.upload(3, by: phone, place: []) { $0.bundleVersion = "43" }
        fixture.clock.advance(.seconds(5))
        let newest = try #require(try await fixture.upload(4, by: other).created)
        #expect(try await latest()?.superseded == Superseded(head: newest.revision, by: .seconds(15)))
    }

    @Test func listsReasonsOfEachRefusedCandidate() async throws {
        let (fixture, phone, pad) = try await ServiceFixture().withDevices(.phone, .pad)
        try await fixture.upload(1, by: phone, place: [])
        fixture.clock.advance(.seconds(1))
        try await fixture.upload(2, by: phone) { ($0.bundleVersion, $0.stateVersion) = ("43", 2) }
        let selection = try await fixture.latest(for: pad, stateVersion: 1)
        #expect(
            selection.refusals == [
                ["state-version-newer", "idiom-not-accepted"], ["idiom-not-accepted", "no-place"],
            ])
        let counts = fixture.service.hourlyCounters.take()
        #expect(Set(counts.keys.filter { $0.name == "refusal" }.map(\.label)) == ["state-version-newer", "no-place"])
    }

    @Test func searchesWholeScene() async throws {
        let fixture = try await ServiceFixture { $0.retainedArchives = 1000 }
        let phone = try await fixture.join()
        try await fixture.upload(1, by: phone, place: [])
        for number in 2...150 as ClosedRange<UInt64> {
            fixture.clock.advance(.seconds(1))
            try await fixture.upload(number, by: phone, place: []) { $0.bundleVersion = "43" }
        }
        #expect(try await fixture.latest(for: phone).number == 1)
        let refused = try await fixture.latest(for: phone, bundleVersion: "41")
        #expect(refused.refusals?.count == Limits.explainedCandidates)
    }

    @Test func servesOnlyArchivesOfRequestedDevice() async throws {
        let (fixture, phone, other) = try await ServiceFixture().withDevices()
        try await fixture.upload(1, by: phone, place: [])
        fixture.clock.advance(.seconds(1))
        let own = try #require(try await fixture.upload(2, by: phone, place: []).created)
        fixture.clock.advance(.seconds(1))
        let head = try #require(try await fixture.upload(3, by: other).created)
        let served = try #require(try await fixture.latest(for: phone, of: phone.device.id).served)
        #expect(served.archive == own && served.head == head.revision)
        #expect(served.superseded == Superseded(head: head.revision, by: .seconds(1)))
        let older = try await fixture.latest(for: phone, of: phone.device.id, bundleVersion: "41")
        #expect(older.refusals?.count == 2)
        #expect(try await fixture.latest(for: phone, of: DeviceID(high: 9, low: 9)).isNothing)
    }

    @Test func answersNotModifiedUntilHeadChanges() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        try await fixture.upload(1, by: phone)
        let tag = try #require(try await fixture.latest(for: phone).served?.version)
        guard case .notModified(let known) = try await fixture.latest(for: phone, isHeld: { $0 == tag }) else {
            Issue.record("modified")
            return
        }
        #expect(known.version == tag)
        fixture.clock.advance(.seconds(1))
        try await fixture.upload(2, by: phone)
        #expect(try await fixture.latest(for: phone, isHeld: { $0 == tag }).number == 2)
    }

    /// The scene still has archives, so the answer is not that it has none.
    @Test func failsIfEachChosenArchiveIsDeletedBeforeItIsRead() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        for number in 1...4 {
            try await fixture.upload(UInt64(number), by: phone)
            fixture.clock.advance(.seconds(1))
        }
        let asked = LockBox<Set<ServedVersion>>([])
        let service = fixture.service
        let error = await #expect(throws: ServiceError.self) {
            _ = try await fixture.latest(for: phone) { version in
                // The choice asks first. So the bytes are not read with the choice, but afterward.
                if asked.withLock({ $0.insert(version).inserted }) { return true }
                let newest = ArchiveID(high: 0, low: UInt64(5 - asked.withLock(\.count)))
                let isDeleted = DispatchSemaphore(value: 0)
                Task.detached {
                    try? await service.archives.delete(newest, in: "main", principal: phone)
                    isDeleted.signal()
                }
                isDeleted.wait()
                return false
            }
        }
        #expect(error?.code == .storeUnavailable && error?.retryAfter == .seconds(1))
        #expect(try await fixture.latest(for: phone).number == 1)
    }

    @Test func explainsSameAnswerWithoutWriting() async throws {
        let (fixture, phone, pad) = try await ServiceFixture().withDevices(.phone, .pad)
        try await fixture.upload(1, by: phone)
        fixture.clock.advance(.seconds(1))
        let head = try #require(try await fixture.upload(2, by: phone, place: []).created)
        let asked = Context(idiom: .pad, bundleVersion: "42")
        let before = try await fixture.service.changes.changes(after: head.revision, limit: 10, principal: pad).latest
        let told = try await fixture.service.restores.explainLatest(in: "main", of: nil, for: asked, principal: pad)
        #expect(told.asked == asked && told.head == head.revision && told.served?.low == 1)
        #expect(told.candidates.map(\.archive.id.low) == [2, 1])
        #expect(told.candidates.map(\.fidelity) == [nil, .place])
        #expect(
            told.candidates.map { $0.reasons.map(\.code) } == [
                ["idiom-not-accepted", "no-place"], ["idiom-not-accepted"],
            ])
        #expect(try await fixture.latest(for: pad).number == told.served?.low)
        #expect(
            try await fixture.service.changes.changes(after: head.revision, limit: 10, principal: pad).latest == before)
        let empty = try await fixture.service.restores.explainLatest(in: "editor", of: nil, for: asked, principal: pad)
        #expect(empty.candidates.isEmpty && empty.head == nil && empty.served == nil)
    }

    @Test func servesOneArchiveById() async throws {
        let (fixture, phone, pad) = try await ServiceFixture().withDevices(.phone, .pad)
        let first = try #require(try await fixture.upload(1, by: phone).created)
        fixture.clock.advance(.seconds(3))
        let head = try #require(try await fixture.upload(2, by: phone, place: []).created)
        let asked = Context(idiom: .pad, bundleVersion: "42")
        let served = try #require(
            try await fixture.service.restores.restorable(first.id, in: "main", for: asked, principal: pad).served)
        #expect(served.fidelity == .place && served.superseded == Superseded(head: head.revision, by: .seconds(3)))
        let refused = try await fixture.service.restores.restorable(head.id, in: "main", for: asked, principal: pad)
        #expect(refused.refusals == [["idiom-not-accepted", "no-place"]])
        let error = await #expect(throws: ServiceError.self) {
            try await fixture.service.restores.restorable(
                ArchiveID(high: 9, low: 9), in: "main", for: asked, principal: pad)
        }
        #expect(error?.code == .archiveNotFound)
    }
}
