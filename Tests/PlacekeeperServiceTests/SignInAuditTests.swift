import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@Suite struct SignInAuditTests {
    private func actions(about subject: String, in fixture: ServiceFixture) async throws -> [AuditAction] {
        let digest = fixture.service.accountHashing.digest(of: try #require(Subject(subject)), in: fixture.app.id)
        return try await fixture.service.auditLog.audit(of: fixture.app.id, about: digest, below: nil, limit: 10).map(
            \.action)
    }

    @Test func recordsTheSignInOfADeviceThatIsSignedInToAnotherAccount() async throws {
        let fixture = try await ServiceFixture()
        var registration = Registration(publishableKey: fixture.app.publishableKey, idiom: .phone)
        registration.joins = .account(token: "subject anna")
        let token = try await fixture.service.devices.register(registration).token
        let refused = await #expect(throws: ServiceError.self) {
            try await fixture.service.accounts.signIn(try await fixture.principal(token), with: "subject bob")
        }
        #expect(refused?.code == .signedIn)
        #expect(try await actions(about: "bob", in: fixture) == [.signedIn])
    }

    @Test func recordsNoSignInToTheDevicesOwnAccount() async throws {
        let fixture = try await ServiceFixture()
        var principal = try await fixture.join()
        for _ in 1...3 {
            let device = try await fixture.service.accounts.signIn(principal, with: "subject anna")
            principal = Principal(app: fixture.app, device: device)
        }
        #expect(try await actions(about: "anna", in: fixture) == [.signedIn])
    }
}
