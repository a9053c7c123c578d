import PlacekeeperCore
import PlacekeeperMemoryStore
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperService

/// The app's setting `tokenLifetime`, here a week.
@Suite struct TokenLifetimeTests {
    private static let day = Duration.seconds(86_400)
    private let fixture: ServiceFixture

    init() async throws { fixture = try await ServiceFixture { $0.tokenLifetime = .days(7) } }

    private func registration(_ subject: String? = nil, secret: String? = nil) throws -> Registration {
        var registration = Registration(publishableKey: fixture.app.publishableKey, idiom: .phone)
        if let subject { registration.joins = .account(token: "subject " + subject) }
        if let secret { registration.installation = (InstallationID(high: 7, low: 7), secret) }
        return registration
    }

    private func isAccepted(_ token: String) async throws -> Bool {
        try await fixture.service.devices.authenticate(token: ArraySlice(token.utf8)) != nil
    }

    /// Lets time pass, as between two flushes of the running service.
    private func wait(_ time: Duration) async throws {
        try await fixture.service.upkeep.flush()
        fixture.clock.advance(time)
    }

    @Test(arguments: [true, false]) func endsATokenThatIsNotUsed(_ isCached: Bool) async throws {
        let registered = try await fixture.service.devices.register(registration("anna"))
        if isCached { #expect(try await isAccepted(registered.token)) }
        try await wait(Self.day * 7 + .seconds(1))
        #expect(try await !isAccepted(registered.token))
        #expect(try await fixture.service.devices.list(of: registered.device.owner).isEmpty, "as after a revocation")
        #expect(try await !isAccepted(registered.token))
    }

    @Test func keepsATokenThatIsUsed() async throws {
        let registered = try await fixture.service.devices.register(registration("anna"))
        for _ in 0..<10 {
            #expect(try await isAccepted(registered.token))
            try await wait(Self.day * 6)
        }
        // Used often, and only written to the store by flushes.
        for _ in 0..<400 {
            #expect(try await isAccepted(registered.token))
            try await wait(.seconds(3600))
        }
        #expect(try await isAccepted(registered.token))
    }

    @Test func keepsAnonymousDevicesAndTheirSignIn() async throws {
        let registered = try await fixture.service.devices.register(registration())
        try await wait(Self.day * 30)
        let principal = try await fixture.principal(registered.token)
        _ = try await fixture.service.accounts.signIn(principal, with: "subject anna")
        // No flush in between.
        #expect(try await isAccepted(registered.token))
    }

    @Test func keepsTokensWithoutTheSetting() async throws {
        let free = try await ServiceFixture()
        var registration = Registration(publishableKey: free.app.publishableKey, idiom: .phone)
        registration.joins = .account(token: "subject anna")
        let registered = try await free.service.devices.register(registration)
        free.clock.advance(Self.day * 3000)
        #expect(try await free.principal(registered.token).device.id == registered.device.id)
    }

    /// The installation's secret alone must not bring back the token of an account.
    @Test func registersAnUnusedInstallationAnew() async throws {
        let secret = String(repeating: "s", count: 43)
        let first = try await fixture.service.devices.register(registration("anna", secret: secret))
        try await wait(Self.day * 8)
        let anonymous = try await fixture.service.devices.register(registration(secret: secret))
        #expect(anonymous.device.id != first.device.id && !anonymous.device.isSignedIn)
        #expect(anonymous.device.owner != first.device.owner)
        try await wait(Self.day * 8)
        let again = try await fixture.service.devices.register(registration("anna", secret: secret))
        #expect(again.device.owner == first.device.owner)
        #expect(try await isAccepted(again.token))
    }

    @Test(arguments: [(0, false), (1, true), (3650, true), (3651, false)])
    func limitsTheSetting(_ days: Int, _ isAllowed: Bool) async throws {
        var settings = fixture.app.settings
        settings.tokenLifetime = .days(days)
        do {
            try await fixture.service.apps.replaceSettings(of: fixture.app.id, with: settings)
            #expect(isAllowed)
        } catch {
            #expect(!isAllowed && error.code == .settingsInvalid)
        }
    }
}
