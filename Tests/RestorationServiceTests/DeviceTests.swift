import Testing

@testable import RestorationService

struct DeviceTests {
    @Test func aRegisteredDeviceIsAuthenticatedByItsToken() async throws {
        let bench = try await ServiceBench()
        let registered = try await bench.service.register(
            Registration(publishableKey: bench.app.publishableKey, idiom: .pad, model: "iPad14,3", name: "iPad"))
        #expect(registered.token.utf8.count == 47 && registered.token.hasPrefix("pkd_"))
        let caller = try await bench.caller(registered.token)
        #expect(caller.device == registered.device && caller.app == bench.app)
        #expect(caller.device.model == "iPad14,3" && caller.device.name == "iPad" && caller.device.idiom == .pad)
    }

    @Test(arguments: ["", "pkd_", "pkd_" + String(repeating: "A", count: 43), String(repeating: "A", count: 47)])
    func noOtherTextIsAToken(_ text: String) async throws {
        let bench = try await ServiceBench()
        _ = try await bench.join()
        #expect(try await bench.service.authenticate(token: ArraySlice(text.utf8)) == nil)
    }

    @Test func eachRegistrationWithoutACodeIsAUserOfItsOwn() async throws {
        let bench = try await ServiceBench()
        let first = try await bench.join()
        let second = try await bench.join()
        #expect(first.owner != second.owner && first.device.id != second.device.id)
        #expect(try await bench.service.devices(for: first).map(\.id) == [first.device.id])
    }

    @Test func aRevokedTokenEndsAtOnce() async throws {
        let bench = try await ServiceBench()
        let registered = try await bench.service.register(
            Registration(publishableKey: bench.app.publishableKey, idiom: .phone))
        let phone = try await bench.caller(registered.token)
        let other = try await bench.join(with: phone)
        try await bench.service.revoke(phone.device.id, for: other)
        #expect(try await bench.service.authenticate(token: ArraySlice(registered.token.utf8)) == nil)
        #expect(try await bench.service.devices(for: other).map(\.id) == [other.device.id])
        let error = await #expect(throws: ServiceError.self) {
            try await bench.service.revoke(phone.device.id, for: other)
        }
        #expect(error?.code == .deviceNotFound)
        let stranger = try await bench.join()
        await #expect(throws: ServiceError.self) { try await bench.service.revoke(other.device.id, for: stranger) }
    }

    /// What others registered goes before what a revoked device did.
    @Test func whatIsKnownOfIdentitiesIsAskedAnewOnceADeviceIsRevoked() async throws {
        let bench = try await ServiceBench()
        let phone = try await bench.join()
        let other = try await bench.join(with: phone)
        let stamp = bench.service.identityVersions.stamp(of: phone.owner)
        _ = try await bench.service.devices(for: phone)
        #expect(bench.service.identityVersions.isCurrent(stamp))
        try await bench.service.revoke(other.device.id, for: phone)
        #expect(!bench.service.identityVersions.isCurrent(stamp))
    }

    @Test func whatAnotherProcessRevokedEndsWhenCachesAreInvalidated() async throws {
        let bench = try await ServiceBench()
        let registered = try await bench.service.register(
            Registration(publishableKey: bench.app.publishableKey, idiom: .phone))
        let phone = try await bench.caller(registered.token)
        _ = try await bench.store.revoke(phone.device.id, of: phone.owner, at: bench.clock.now())
        bench.service.invalidateCaches()
        #expect(try await bench.service.authenticate(token: ArraySlice(registered.token.utf8)) == nil)
    }

    @Test func settingsReachCallersAtOnce() async throws {
        let bench = try await ServiceBench()
        let registered = try await bench.service.register(
            Registration(publishableKey: bench.app.publishableKey, idiom: .phone))
        #expect(try await !bench.caller(registered.token).app.settings.allowsSnapshots)
        var settings = App.Settings()
        settings.allowsSnapshots = true
        try await bench.service.replaceSettings(of: bench.app.id, with: settings)
        #expect(try await bench.caller(registered.token).app.settings.allowsSnapshots)
    }

    @Test func aRegistrationNeedsTheAppsKey() async throws {
        let bench = try await ServiceBench()
        let error = await #expect(throws: ServiceError.self) {
            try await bench.service.register(Registration(publishableKey: "pk_wrong", idiom: .phone))
        }
        #expect(error?.code == .appUnknown)
    }

    @Test func aRegistrationNeedsAnIdiom() async throws {
        let bench = try await ServiceBench()
        let error = await #expect(throws: ServiceError.self) { try await bench.join(.unspecified) }
        #expect(error?.code == .idiomRequired)
    }

    @Test func aRegistrationByLinkOnlyNeedsACode() async throws {
        let bench = try await ServiceBench { $0.registration = .linkOnly }
        let error = await #expect(throws: ServiceError.self) { try await bench.join() }
        #expect(error?.code == .linkCodeRequired)
    }

    @Test(arguments: [
        ("name", String(repeating: "a", count: 129)), ("name", "a\u{0}b"), ("model", "a\nb"), ("model", "a\u{85}b"),
        ("name", "a\u{7F}"), ("name", String(repeating: "é", count: 65)),
    ])
    func namesHoldNoMoreThanAListCanShow(_ member: String, _ text: String) async throws {
        let bench = try await ServiceBench()
        var registration = Registration(publishableKey: bench.app.publishableKey, idiom: .phone)
        if member == "name" { registration.name = text } else { registration.model = text }
        let error = await #expect(throws: ServiceError.self) { try await bench.service.register(registration) }
        #expect(error?.code == .deviceTextInvalid && error?.details == ["member": member])
    }

    @Test func timesOfUseAreGatheredAndWrittenTogether() async throws {
        let bench = try await ServiceBench()
        let registered = try await bench.service.register(
            Registration(publishableKey: bench.app.publishableKey, idiom: .phone))
        let created = registered.device.createdAt
        bench.clock.advance(.seconds(5))
        let phone = try await bench.caller(registered.token)
        bench.clock.advance(.seconds(5))
        _ = try await bench.caller(registered.token)
        #expect(try await bench.service.devices(for: phone).map(\.lastSeenAt) == [created])
        try await bench.service.flush()
        #expect(try await bench.service.devices(for: phone).map(\.lastSeenAt) == [created + .seconds(10)])
    }
}
