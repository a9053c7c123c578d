import PlacekeeperCore
import PlacekeeperMemoryStore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

/// The service after its system's clock was ahead, and was corrected.
struct ClockTests {
    private static let day = Duration.seconds(86_400)

    /// A user who wrote while the clock was two days ahead, and a user who did not.
    private struct Corrected {
        let fixture: ServiceFixture
        let early: Principal
        let other: Principal

        init() async throws {
            fixture = try await ServiceFixture()
            (early, other) = (try await fixture.join(), try await fixture.join())
            let before = fixture.clock.now()
            fixture.clock.set(before + ClockTests.day * 2)
            try await fixture.upload(1, by: early)
            fixture.clock.set(before)
            fixture.clock.advance(.seconds(60))
            // Any request of the user.
            try await fixture.upload(2, by: early)
        }
    }

    @Test func datesTheWorkOfOthersByTheSystemsClock() async throws {
        let corrected = try await Corrected()
        let (fixture, now) = (corrected.fixture, corrected.fixture.clock.now())
        let archive = try #require(try await fixture.upload(3, by: corrected.other).created)
        #expect(archive.receivedAt == now && archive.capturedAt == now)
        #expect(try await fixture.join().device.createdAt == now)
        #expect(try await fixture.service.devices.createLinkCode(for: corrected.other).expiresAt == now + .seconds(600))
    }

    @Test func keepsTheOrderOfTheUsersOwnWork() async throws {
        let corrected = try await Corrected()
        let fixture = corrected.fixture
        #expect(try await fixture.latest(for: corrected.early).number == 2)
        fixture.clock.advance(.seconds(60))
        // The last interaction was before the upload 2.
        try await fixture.upload(3, by: corrected.early, age: .seconds(90))
        #expect(try await fixture.latest(for: corrected.early).number == 2)
        try await fixture.service.archives.forget("main", principal: corrected.early)
        #expect(try await fixture.latest(for: corrected.early).isNothing)
        try await fixture.upload(4, by: corrected.early)
        #expect(try await fixture.latest(for: corrected.early).number == 4)
    }

    /// Two instances of the service use one store, and the clock of one of them was ahead.
    @Test func ordersNewWorkAboveWorkOfAnInstanceWhoseClockWasAhead() async throws {
        let (fixture, phone, pad) = try await ServiceFixture().withDevices()
        try await fixture.upload(1, by: phone)
        let ahead = ManualClock()
        ahead.set(fixture.clock.now() + Self.day * 2)
        var archive = SampleArchive()
        archive.filler = "archive 2"
        var upload = Upload(id: ArchiveID(high: 0, low: 2), scene: "main", bytes: archive.bytes)
        (upload.idiom, upload.bundleVersion) = (phone.device.idiom, "42")
        _ = try await restarted(fixture, ahead).archives.store(upload, for: phone)
        fixture.clock.advance(.seconds(10))
        try await fixture.upload(3, by: pad, age: .seconds(2))
        #expect(try await fixture.latest(for: phone).number == 3)
        // The ages count again.
        fixture.clock.advance(.seconds(10))
        try await fixture.upload(4, by: phone, age: .seconds(15))
        #expect(try await fixture.latest(for: phone).number == 3)
        fixture.clock.advance(.seconds(10))
        try await fixture.service.archives.forget("main", principal: phone)
        try await fixture.upload(5, by: pad, age: .seconds(5))
        #expect(try await fixture.latest(for: phone).isNothing)
        fixture.clock.advance(.seconds(10))
        try await fixture.upload(6, by: pad, age: .seconds(2))
        #expect(try await fixture.latest(for: phone).number == 6)
    }

    @Test func acceptsLinkCodesOfAUserWhoseTimesAreAhead() async throws {
        let corrected = try await Corrected()
        let joined = try await corrected.fixture.join(with: corrected.early)
        #expect(joined.owner == corrected.early.owner)
    }

    @Test(arguments: [(2, false), (0, true)])
    func endsLinkCodesOfAClockThatWasAhead(days: Int, isValid: Bool) async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        let before = fixture.clock.now()
        fixture.clock.set(before + Self.day * days)
        var registration = Registration(publishableKey: fixture.app.publishableKey, idiom: .pad)
        registration.joins = .linkCode(try await fixture.service.devices.createLinkCode(for: phone).code)
        fixture.clock.set(before)
        let device = try? await fixture.service.devices.register(registration).device
        #expect((device != nil) == isValid)
    }

    @Test func endsSessionsOfAClockThatWasAhead() {
        let now = Timestamp(milliseconds: 1_750_000_000_000)
        func session(begunAt time: Timestamp) -> AdminSession {
            AdminSession(
                id: Digest(1, 2, 3, 4), administrator: AdministratorID(high: 0, low: 1), createdAt: time,
                lastUsedAt: time)
        }
        #expect(session(begunAt: now - .seconds(60)).isValid(at: now))
        #expect(session(begunAt: now + .seconds(3600)).isValid(at: now), "an ordinary correction")
        #expect(!session(begunAt: now + Self.day * 2).isValid(at: now))
        #expect(!session(begunAt: now - .seconds(3 * 3600)).isValid(at: now))
    }

    @Test func limitsRatesAlsoIfTheClockIsSet() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        func isWrongCodeThrottled() async -> Bool {
            do throws(ServiceError) {
                _ = try await fixture.service.devices.link(phone, with: "00000000")
                return false
            } catch {
                return error.code == .throttled
            }
        }
        for _ in 0..<10 { #expect(await !isWrongCodeThrottled()) }
        for change in [Self.day * 2, Self.day * -4] {
            #expect(await isWrongCodeThrottled())
            fixture.clock.set(fixture.clock.now() + change)
        }
        fixture.clock.advance(.seconds(60))
        #expect(await !isWrongCodeThrottled())
    }

    // Erasures

    private func signIn(_ fixture: ServiceFixture) async throws -> Principal {
        var registration = Registration(publishableKey: fixture.app.publishableKey, idiom: .phone)
        registration.joins = .account(token: "subject anna")
        return try await fixture.principal(try await fixture.service.devices.register(registration).token)
    }

    /// The service starts again over the store and the erasure log, with another clock.
    private func restarted(_ fixture: ServiceFixture, _ clock: ManualClock) -> RestorationService {
        RestorationService(
            store: fixture.store, clock: clock, random: SeededRandom(seed: 2), hashing: SpreadingHash(),
            signIn: SpokenSubjects(), erasures: fixture.service.erasures)
    }

    @Test func doesNotEraseTheNextUserOfAnAccountThatWasErasedByAClockAhead() async throws {
        let fixture = try await ServiceFixture()
        let before = fixture.clock.now()
        fixture.clock.set(before + Self.day * 730)
        let first = try await signIn(fixture)
        #expect(try await fixture.service.accounts.erase(first.owner))
        fixture.clock.set(before)
        let second = try await signIn(fixture)
        let service = restarted(fixture, fixture.clock)
        #expect(try await service.accounts.resumeErasures() == 0)
        #expect(try await fixture.store.facts(of: second.owner) != nil)
        #expect(try await fixture.service.accounts.erase(second.owner))
        #expect(try await fixture.store.facts(of: second.owner) == nil)
    }

    @Test func erasesAUserOfABackupThatWasCreatedByAClockAhead() async throws {
        let fixture = try await ServiceFixture()
        let before = fixture.clock.now()
        fixture.clock.set(before + Self.day * 2)
        let user = try await signIn(fixture)
        fixture.clock.set(before)
        let createdAt = try #require(try await fixture.store.facts(of: user.owner)).createdAt
        #expect(try await fixture.service.accounts.erase(user.owner))
        #expect(try await fixture.service.erasures.entries().allSatisfy { createdAt < $0.time })
    }

    @Test func dataOfTheErasureLogDoesNotMoveTheClock() async throws {
        let fixture = try await ServiceFixture()
        let (now, entry) = (fixture.clock.now(), Digest(1, 2, 3, 4))
        try await fixture.service.erasures.append([ErasureEntry(digest: entry, time: now + Self.day * 730)])
        #expect(try await fixture.service.accounts.resumeErasures() == 0)
        #expect(try await fixture.join().device.createdAt == now)
    }

    // Pruning

    /// Prunes, and returns whether an old entry of the audit log is gone.
    private func prunes(_ fixture: ServiceFixture) async throws -> Bool {
        let entry = AuditEntry(
            app: fixture.app.id, at: fixture.clock.now() - Self.day * 401, actor: .user, action: .erased, subject: nil,
            detail: "")
        try await fixture.store.append(entry)
        try await fixture.service.upkeep.prune()
        return try await fixture.store.audit(of: fixture.app.id, about: nil, below: nil, limit: 1000)
            .allSatisfy { $0.at != entry.at }
    }

    /// The hours of a service that runs.
    private func run(_ fixture: ServiceFixture, hours: Int) async throws {
        for _ in 0..<hours {
            try await fixture.service.upkeep.prune()
            fixture.clock.advance(.seconds(3600))
        }
    }

    @Test func prunesWhileTheServiceRuns() async throws {
        let fixture = try await ServiceFixture()
        #expect(try await prunes(fixture), "a new database")
        try await run(fixture, hours: 30)
        #expect(try await prunes(fixture))
        #expect(fixture.service.upkeep.clockFindings == ClockFindings())
        // A short pause of the service, as for an update.
        fixture.clock.advance(.seconds(20 * 3600))
        #expect(try await prunes(fixture))
    }

    @Test(arguments: [25, 48, 24 * 400, 24 * 3650])
    func waitsForADayBeforeItPrunesAfterAJumpForward(hours: Int) async throws {
        let fixture = try await ServiceFixture()
        try await run(fixture, hours: 30)
        fixture.clock.set(fixture.clock.now() + .seconds(hours * 3600))
        #expect(try await !prunes(fixture))
        let end = try #require(fixture.service.upkeep.clockFindings.pruningWaitsUntil)
        #expect(end > fixture.clock.now() + .seconds(23 * 3600) && end <= fixture.clock.now() + Self.day)
        // A restart does not end the wait.
        try await restarted(fixture, fixture.clock).upkeep.prune()
        #expect(try await !prunes(fixture))
        try await run(fixture, hours: 23)
        #expect(try await !prunes(fixture))
        fixture.clock.advance(.seconds(3600))
        #expect(try await prunes(fixture))
        #expect(fixture.service.upkeep.clockFindings == ClockFindings())
    }

    @Test func prunesAgainAtOnceWhenAJumpIsCorrected() async throws {
        let fixture = try await ServiceFixture()
        try await run(fixture, hours: 30)
        let before = fixture.clock.now()
        fixture.clock.set(before + Self.day * 730)
        #expect(try await !prunes(fixture))
        fixture.clock.set(before + .seconds(3600))
        #expect(try await prunes(fixture))
        #expect(fixture.service.upkeep.clockFindings.pruningWaitsUntil == nil)
    }

    @Test func waitsAgainAfterASecondJumpForward() async throws {
        let fixture = try await ServiceFixture()
        try await run(fixture, hours: 30)
        let before = fixture.clock.now()
        fixture.clock.set(before + Self.day * 2)
        try await run(fixture, hours: 3)
        fixture.clock.set(before + .seconds(3600))
        #expect(try await prunes(fixture))
        // A day after the hours in which the service ran with the first wrong time.
        fixture.clock.set(before + Self.day * 3)
        #expect(try await !prunes(fixture))
        #expect(fixture.service.upkeep.clockFindings.pruningWaitsUntil != nil)
    }

    @Test func tellsHowFarStoredTimesAreAhead() async throws {
        let corrected = try await Corrected()
        let service = corrected.fixture.service
        #expect(service.upkeep.clockFindings.lead == nil, "the store has not been asked")
        try await service.upkeep.checkClock()
        let lead = try #require(service.upkeep.clockFindings.lead)
        #expect(lead > Self.day * 2 - .seconds(120) && lead <= Self.day * 2)
        corrected.fixture.clock.advance(Self.day)
        #expect(try #require(service.upkeep.clockFindings.lead) == lead - Self.day)
        corrected.fixture.clock.advance(Self.day)
        #expect(service.upkeep.clockFindings.lead == nil)
        // The store is asked again when the clock was set back, and not before.
        try await service.upkeep.checkClock()
        corrected.fixture.clock.set(corrected.fixture.clock.now() - Self.day * 5)
        try await service.upkeep.checkClock()
        #expect(try #require(service.upkeep.clockFindings.lead) > Self.day * 4)
    }
}
