import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperMemoryStore
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperService

/// The app's setting `tokenLifetime`, here 30 days.
@Suite struct TokenLifetimeTests {
    private static let day = Duration.seconds(86_400)
    private let store = FaultyStore()
    private let fixture: ServiceFixture

    init() async throws {
        fixture = try await ServiceFixture(store: store.intercepted) { $0.tokenLifetime = .days(30) }
    }

    private func register(_ subject: String? = nil, pair: UInt64? = nil) async throws -> Registered {
        var registration = Registration(publishableKey: fixture.app.publishableKey, idiom: .phone)
        if let subject { registration.joins = .account(token: "subject " + subject) }
        registration.installation = pair.map {
            (InstallationID(high: 7, low: $0), String(repeating: "s", count: 43))
        }
        return try await fixture.service.devices.register(registration)
    }

    /// The code of the error that refuses a token. Nil if the token is accepted.
    private func refusal(of token: String, by service: RestorationService? = nil) async -> ServiceError.Code? {
        do throws(ServiceError) {
            let known = try await (service ?? fixture.service).devices.authenticate(token: ArraySlice(token.utf8))
            return known == nil ? .callerGone : nil
        } catch {
            return error.code
        }
    }

    private func codeOfRegistration(_ pair: UInt64) async throws -> ServiceError.Code? {
        await #expect(throws: ServiceError.self) { _ = try await register(pair: pair) }?.code
    }

    private func actions() async throws -> [AuditAction] {
        try await fixture.service.auditLog.audit(of: fixture.app.id, below: nil, limit: 9).map(\.action)
    }

    /// Lets days pass in which the service runs.
    ///
    /// - Parameter token: is used each day.
    private func run(days: Int, using token: String? = nil) async throws {
        for _ in 0..<days {
            try? await fixture.service.upkeep.flush()
            fixture.clock.advance(Self.day)
            if let token { #expect(await refusal(of: token) == nil) }
        }
        try? await fixture.service.upkeep.flush()
    }

    @Test(arguments: [true, false]) func endsASignInThatIsNotUsed(isCached: Bool) async throws {
        let phone = try await register("anna", pair: 1)
        if isCached { #expect(await refusal(of: phone.token) == nil) }
        try await run(days: 30)
        #expect(await refusal(of: phone.token) == nil)
        try await run(days: 30)
        fixture.clock.advance(.seconds(1))
        #expect(await refusal(of: phone.token) == .callerGone)
        #expect(try await actions() == [.tokenExpired, .signedIn])
    }

    @Test func keepsASignInThatIsUsedOnlyWithCachedTokens() async throws {
        let phone = try await register("anna", pair: 1)
        #expect(await refusal(of: phone.token) == nil)
        for _ in 0..<900 {
            // An entry of the cache is read again after an hour.
            fixture.clock.advance(.seconds(3000))
            let digest = fixture.service.devices.digest(of: phone.token)
            #expect(fixture.service.principals.entry(for: digest, at: fixture.clock.now()) != nil)
            try await fixture.service.upkeep.flush()
            fixture.clock.advance(.seconds(3000))
            #expect(await refusal(of: phone.token) == nil)
        }
    }

    @Test func endsNoSignInOfADeviceThatRegisteredWhileTheClockWasBehind() async throws {
        let phone = try await register("anna", pair: 1)
        try await run(days: 40, using: phone.token)
        try await fixture.service.upkeep.checkClock()
        let now = fixture.clock.now()
        fixture.clock.set(now - Self.day * 40)
        let pad = try await register("anna", pair: 2)
        fixture.clock.set(now)
        try await fixture.service.upkeep.flush()
        #expect(await refusal(of: pad.token) == nil)
    }

    @Test func keepsAnonymousDevices() async throws {
        let phone = try await register(pair: 1)
        try await run(days: 90)
        #expect(await refusal(of: phone.token) == nil)
    }

    @Test func keepsSignInsWithoutTheSetting() async throws {
        try await fixture.service.apps.replaceSettings(of: fixture.app.id, with: App.Settings())
        let phone = try await register("anna", pair: 1)
        try await run(days: 90)
        #expect(await refusal(of: phone.token) == nil)
    }

    /// An anonymous device that was not used for long, and signs in or joins an account now.
    @Test(arguments: ["sign-in", "link", "registration"]) func countsASignInFromNow(way: String) async throws {
        let pad = try await register("anna", pair: 2)
        let phone = try await register(pair: 1)
        try await run(days: 40, using: pad.token)
        let principal = try await fixture.principal(way == "registration" ? pad.token : phone.token)
        var token = phone.token
        switch way {
        case "sign-in": _ = try await fixture.service.accounts.signIn(principal, with: "subject anna")
        case "link":
            let code = try await fixture.service.devices.createLinkCode(for: fixture.principal(pad.token)).code
            _ = try await fixture.service.devices.link(principal, with: code)
        default: token = try await register("anna", pair: 1).token
        }
        // Another instance doesn't know what this one did not store yet.
        let other = RestorationService(
            store: fixture.store, clock: fixture.clock, random: SeededRandom(seed: 2), hashing: SpreadingHash())
        #expect(await refusal(of: token, by: other) == nil)
        #expect(try await fixture.principal(token).device.isSignedIn)
    }

    @Test func makesNoAnonymousUserOfAnExpiredInstallation() async throws {
        let phone = try await register("anna", pair: 1)
        try await run(days: 31)
        #expect(try await codeOfRegistration(1) == .signInRequired)
        #expect(try await fixture.service.devices.list(of: phone.device.owner).map(\.id) == [phone.device.id])
        #expect(await refusal(of: phone.token) == .callerGone)
        // As docs/http.md asks for after 401.
        #expect(try await codeOfRegistration(1) == .signInRequired)
        let again = try await register("anna", pair: 1)
        #expect(again.device.owner == phone.device.owner)
        #expect(await refusal(of: again.token) == nil)
        #expect(try await actions().count { $0 == .tokenExpired } == 1)
    }

    @Test func leavesALinkCodeToTheNextDevice() async throws {
        let phone = try await register("anna", pair: 1)
        let pad = try await register("anna", pair: 2)
        try await run(days: 31, using: pad.token)
        let code = try await fixture.service.devices.createLinkCode(for: fixture.principal(pad.token)).code
        #expect(await refusal(of: phone.token) == .callerGone)
        #expect(try await codeOfRegistration(1) == .signInRequired)
        var registration = Registration(publishableKey: fixture.app.publishableKey, idiom: .mac)
        registration.joins = .linkCode(code)
        #expect(try await fixture.service.devices.register(registration).device.owner == pad.device.owner)
    }

    /// A clock that jumps, and a service that was off, leave the same gap.
    @Test(arguments: [2, 29, 400]) func endsNoSignInAfterTheClockJumped(days: Int) async throws {
        let phone = try await register("anna", pair: 1)
        let pad = try await register("anna", pair: 2)
        try await run(days: 29)
        fixture.clock.advance(Self.day * days)
        #expect(await refusal(of: phone.token) == nil)
        try await run(days: 29)
        #expect(await refusal(of: pad.token) == nil, "the service ran for less than the lifetime")
        try await run(days: 31)
        #expect(await refusal(of: phone.token) == .callerGone)
    }

    @Test func endsNoSignInIfUsesCouldNotBeStored() async throws {
        let phone = try await register("anna", pair: 1)
        try await run(days: 1)
        store.faults.withLock { $0.writes = StoreError(.full, "no room") }
        try await run(days: 40, using: phone.token)
        store.faults.withLock { $0.writes = nil }
        // The process is new, so what it could not store is lost.
        let service = RestorationService(
            store: fixture.store, clock: fixture.clock, random: SeededRandom(seed: 2), hashing: SpreadingHash())
        try await service.upkeep.flush()
        #expect(await refusal(of: phone.token, by: service) == nil)
    }

    @Test func endsNoSignInIfUsesWereDropped() async throws {
        let phone = try await register("anna", pair: 1)
        try await run(days: 20)
        let cache = fixture.service.principals
        for number in 0..<100_000 as Range<UInt64> {
            cache.restoreSeen([phone.device.owner: [DeviceID(high: 9, low: number): fixture.clock.now()]])
        }
        #expect(await refusal(of: phone.token) == nil)
        try await run(days: 30)
        #expect(await refusal(of: phone.token) == nil)
    }

    @Test func answersTheSameIfTheStoreCannotWrite() async throws {
        let phone = try await register("anna", pair: 1)
        #expect(await refusal(of: phone.token) == nil)
        try await run(days: 31)
        store.faults.withLock { $0.writes = StoreError(.full, "no room") }
        for _ in 0..<2 { #expect(await refusal(of: phone.token) == .callerGone) }
        store.faults.withLock { $0.writes = nil }
        // The refused requests are no uses.
        try await fixture.service.upkeep.flush()
        #expect(try await actions() == [.signedIn])
        #expect(await refusal(of: phone.token) == .callerGone)
        #expect(try await actions() == [.tokenExpired, .signedIn])
    }

    @Test func rejectsATokenThatAnotherInstanceEnded() async throws {
        let (phone, pad) = (try await register("anna", pair: 1), try await register("anna", pair: 2))
        let other = RestorationService(
            store: fixture.store, clock: fixture.clock, random: SeededRandom(seed: 2), hashing: SpreadingHash())
        try await run(days: 31, using: pad.token)
        #expect(await refusal(of: pad.token, by: other) == nil)
        #expect(await refusal(of: phone.token, by: other) == .callerGone)
        #expect(await refusal(of: phone.token) == .callerGone)
        #expect(await refusal(of: pad.token) == nil)
    }
}
