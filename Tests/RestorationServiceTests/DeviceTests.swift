import TestSupport
import Testing

@testable import RestorationService

struct DeviceTests {
    @Test func authenticatesRegisteredDeviceByToken() async throws {
        let fixture = try await ServiceFixture()
        let registered = try await fixture.service.register(
            Registration(publishableKey: fixture.app.publishableKey, idiom: .pad, model: "iPad14,3", name: "iPad"))
        #expect(registered.token.utf8.count == 47 && registered.token.hasPrefix("pkd_"))
        let caller = try await fixture.caller(registered.token)
        #expect(caller.device == registered.device && caller.app == fixture.app)
        #expect(caller.device.model == "iPad14,3" && caller.device.name == "iPad" && caller.device.idiom == .pad)
    }

    @Test(arguments: ["", "pkd_", "pkd_" + String(repeating: "A", count: 43), String(repeating: "A", count: 47)])
    func rejectsOtherTextAsToken(_ text: String) async throws {
        let fixture = try await ServiceFixture()
        _ = try await fixture.join()
        #expect(try await fixture.service.authenticate(token: ArraySlice(text.utf8)) == nil)
    }

    @Test func createsNewUserForRegistrationWithoutLinkCode() async throws {
        let fixture = try await ServiceFixture()
        let first = try await fixture.join()
        let second = try await fixture.join()
        #expect(first.owner != second.owner && first.device.id != second.device.id)
        #expect(try await fixture.service.devices(for: first).map(\.id) == [first.device.id])
    }

    @Test func rejectsRevokedTokenImmediately() async throws {
        let fixture = try await ServiceFixture()
        let registered = try await fixture.service.register(
            Registration(publishableKey: fixture.app.publishableKey, idiom: .phone))
        let phone = try await fixture.caller(registered.token)
        let other = try await fixture.join(with: phone)
        try await fixture.service.revoke(phone.device.id, for: other)
        #expect(try await fixture.service.authenticate(token: ArraySlice(registered.token.utf8)) == nil)
        #expect(try await fixture.service.devices(for: other).map(\.id) == [other.device.id])
        let error = await #expect(throws: ServiceError.self) {
            try await fixture.service.revoke(phone.device.id, for: other)
        }
        #expect(error?.code == .deviceNotFound)
        let stranger = try await fixture.join()
        await #expect(throws: ServiceError.self) { try await fixture.service.revoke(other.device.id, for: stranger) }
    }

    @Test func rejectsTokenRevokedByAnotherService() async throws {
        let fixture = try await ServiceFixture()
        let registered = try await fixture.service.register(
            Registration(publishableKey: fixture.app.publishableKey, idiom: .phone))
        let phone = try await fixture.caller(registered.token)
        _ = try await fixture.store.revoke(phone.device.id, of: phone.owner, at: fixture.clock.now())
        #expect(try await fixture.service.authenticate(token: ArraySlice(registered.token.utf8)) == nil)
    }

    @Test func appliesNewSettingsToCallersImmediately() async throws {
        let fixture = try await ServiceFixture()
        let registered = try await fixture.service.register(
            Registration(publishableKey: fixture.app.publishableKey, idiom: .phone))
        #expect(try await !fixture.caller(registered.token).app.settings.allowsSnapshots)
        var settings = App.Settings()
        settings.allowsSnapshots = true
        try await fixture.service.replaceSettings(of: fixture.app.id, with: settings)
        #expect(try await fixture.caller(registered.token).app.settings.allowsSnapshots)
    }

    @Test func requiresPublishableKeyForRegistration() async throws {
        let fixture = try await ServiceFixture()
        let error = await #expect(throws: ServiceError.self) {
            try await fixture.service.register(Registration(publishableKey: "pk_wrong", idiom: .phone))
        }
        #expect(error?.code == .appUnknown)
    }

    @Test func requiresIdiomForRegistration() async throws {
        let fixture = try await ServiceFixture()
        let error = await #expect(throws: ServiceError.self) { try await fixture.join(.unspecified) }
        #expect(error?.code == .idiomRequired)
    }

    @Test func requiresLinkCodeIfAppIsLinkOnly() async throws {
        let fixture = try await ServiceFixture { $0.registration = .linkOnly }
        let error = await #expect(throws: ServiceError.self) { try await fixture.join() }
        #expect(error?.code == .linkCodeRequired)
    }

    @Test(arguments: [
        ("name", String(repeating: "a", count: 129)), ("name", "a\u{0}b"), ("model", "a\nb"), ("model", "a\u{85}b"),
        ("name", "a\u{7F}"), ("name", String(repeating: "é", count: 65)),
    ])
    func rejectsInvalidNameAndModel(_ member: String, _ text: String) async throws {
        let fixture = try await ServiceFixture()
        var registration = Registration(publishableKey: fixture.app.publishableKey, idiom: .phone)
        if member == "name" { registration.name = text } else { registration.model = text }
        let error = await #expect(throws: ServiceError.self) { try await fixture.service.register(registration) }
        #expect(error?.code == .deviceTextInvalid && error?.member == [.name(member)])
    }

    @Test func writesTimesOfUseOnlyWhenFlushed() async throws {
        let fixture = try await ServiceFixture()
        let registered = try await fixture.service.register(
            Registration(publishableKey: fixture.app.publishableKey, idiom: .phone))
        let created = registered.device.createdAt
        fixture.clock.advance(.seconds(5))
        let phone = try await fixture.caller(registered.token)
        fixture.clock.advance(.seconds(5))
        _ = try await fixture.caller(registered.token)
        #expect(try await fixture.service.devices(for: phone).map(\.lastSeenAt) == [created])
        try await fixture.service.flush()
        #expect(try await fixture.service.devices(for: phone).map(\.lastSeenAt) == [created + .seconds(10)])
    }
}
