import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService
import Testing

/// Checks that the messages of refusals state the limit or a remedy.
@Suite struct AdviceTests {
    @Test func statesLimitOfRedirectChain() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p0"), on: fixture.phone)
        for number in 1...Limits.redirects {
            // The chain of the last redirect leads over 31 other redirects to a registered item.
            try await fixture.redirect("p\(number)", to: "p\(number - 1)", on: fixture.phone)
        }
        let refused = await #expect(throws: ServiceError.self) {
            try await fixture.redirect("p33", to: "p32", on: fixture.phone)
        }
        #expect(refused?.code == .redirectLoops)
        #expect(refused?.message == "The redirect leads back to itself, or through more than 31 other redirects.")
    }

    @Test func advisesRemovingItemsAtItemLimit() async throws {
        let fixture = try await IdentityFixture(itemLimit: 2)
        try await fixture.register(Item("p1"), Item("p2"), on: fixture.phone)
        let refused = await #expect(throws: ServiceError.self) {
            try await fixture.register(Item("p3"), on: fixture.phone)
        }
        #expect(refused?.code == .tooManyItems)
        #expect(
            refused?.message.hasSuffix(": remove some first, and register only items that archives refer to.") == true)
        // The advised remedy works: after a removal, the service accepts the item.
        try await fixture.register(removals: ["p1"], on: fixture.phone)
        try await fixture.register(Item("p3"), on: fixture.phone)
    }

    @Test func advisesRegisteringRedirectTargetInSameDelta() async throws {
        let fixture = try await IdentityFixture()
        let refused = await #expect(throws: ServiceError.self) {
            try await fixture.redirect("p1", to: "p2", on: fixture.phone)
        }
        #expect(refused?.code == .redirectTargetUnknown)
        #expect(refused?.message.hasSuffix(": register it in the same delta.") == true)
        let delta = ItemDelta(upserts: [Item("p2")], redirects: [.init(from: "p1", to: "p2")])
        let state = try await fixture.service.lists.apply(delta, to: IdentityFixture.list, for: fixture.phone)
        #expect(state.count == 1)
    }

    @Test func statesLimitOfDataSourcesThatOnlyAnOperatorCanExceed() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        let source = DataSource(scope: .shared)
        for number in 1...Limits.dataSources {
            _ = try await fixture.service.lists.declare(source, named: "list-\(number)", for: phone)
        }
        let refused = await #expect(throws: ServiceError.self) {
            try await fixture.service.lists.declare(source, named: "another", for: phone)
        }
        #expect(refused?.code == .tooManyDataSources)
        #expect(refused?.message == "An app can declare at most \(Limits.dataSources) data sources.")
        try await fixture.service.lists.redeclare([("another", source)], of: fixture.app)
    }

    @Test func advisesRevokingDeviceAndMakingNewCodeAtDeviceLimit() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        for _ in 2..<Limits.devices { _ = try await fixture.join(with: phone) }
        let last = try await fixture.join(with: phone)
        var registration = Registration(publishableKey: fixture.app.publishableKey, idiom: .pad)
        registration.joins = .linkCode(try await fixture.service.devices.createLinkCode(for: phone).code)
        let refused = await #expect(throws: ServiceError.self) {
            try await fixture.service.devices.register(registration)
        }
        #expect(refused?.code == .tooManyDevices)
        #expect(refused?.message.hasSuffix(" Revoke an unused device, then make a new code.") == true)
        #expect(refused?.details == ["quota": "userDevices", "limit": "\(Limits.devices)"])
        try await fixture.service.devices.revoke(last.device.id, for: phone)
        let ended = await #expect(throws: ServiceError.self) {
            try await fixture.service.devices.register(registration)
        }
        #expect(ended?.code == .linkCodeInvalid)
        registration.joins = .linkCode(try await fixture.service.devices.createLinkCode(for: phone).code)
        #expect(try await fixture.service.devices.register(registration).device.owner == phone.owner)
    }
}
