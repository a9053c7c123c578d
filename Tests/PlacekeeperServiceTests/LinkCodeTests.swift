import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

struct LinkCodeTests {
    @Test func makesCodeOfEightCharactersThatExpiresInTenMinutes() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        let (code, expiresAt) = try await fixture.service.devices.createLinkCode(for: phone)
        #expect(code.utf8.count == 8)
        #expect(code.utf8.allSatisfy { "0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8.contains($0) })
        #expect(expiresAt - fixture.clock.now() == .seconds(600))
    }

    @Test(
        arguments: [{ $0 }, { $0.lowercased() }, { " \($0.prefix(4))-\($0.suffix(4)) " }]
            as [@Sendable (String) -> String])
    func ignoresCaseSpacesAndHyphensOfCode(_ type: @Sendable (String) -> String) async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        let code = try await fixture.service.devices.createLinkCode(for: phone).code
        var registration = Registration(publishableKey: fixture.app.publishableKey, idiom: .pad)
        registration.joins = .linkCode(type(code))
        #expect(try await fixture.service.devices.register(registration).device.owner == phone.owner)
    }

    @Test func readsLettersThatLookLikeDigits() async throws {
        // With the fixture's seed, some codes contain 0 or 1.
        let (fixture, phone) = try await ServiceFixture().withDevice()
        var tried = 0
        while tried < 3 {
            let code = try await fixture.service.devices.createLinkCode(for: phone).code
            guard code.contains("0") || code.contains("1") else { continue }
            tried += 1
            var registration = Registration(publishableKey: fixture.app.publishableKey, idiom: .pad)
            registration.joins = .linkCode(
                String(code.map { $0 == "0" ? "o" : $0 == "1" ? (tried % 2 == 0 ? "I" : "l") : $0 }))
            #expect(try await fixture.service.devices.register(registration).device.owner == phone.owner)
        }
    }

    @Test func acceptsCodeOnceAndBeforeExpiry() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        var registration = Registration(publishableKey: fixture.app.publishableKey, idiom: .pad)
        registration.joins = .linkCode(try await fixture.service.devices.createLinkCode(for: phone).code)
        _ = try await fixture.service.devices.register(registration)
        let used = await #expect(throws: ServiceError.self) { try await fixture.service.devices.register(registration) }
        #expect(used?.code == .linkCodeInvalid)
        registration.joins = .linkCode(try await fixture.service.devices.createLinkCode(for: phone).code)
        fixture.clock.advance(.seconds(600))
        let expired = await #expect(throws: ServiceError.self) {
            try await fixture.service.devices.register(registration)
        }
        #expect(expired?.code == .linkCodeInvalid && expired?.message == used?.message)
    }

    @Test func rejectsCodeOfAnotherApp() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        let other = try await fixture.service.apps.createApp("com.example.notes")
        var registration = Registration(publishableKey: other.publishableKey, idiom: .pad)
        registration.joins = .linkCode(try await fixture.service.devices.createLinkCode(for: phone).code)
        await #expect(throws: ServiceError.self) { try await fixture.service.devices.register(registration) }
        registration.publishableKey = fixture.app.publishableKey
        #expect(
            try await fixture.service.devices.register(registration).device.owner == phone.owner,
            "the code is not used up")
    }

    @Test func throttlesWrongCodesBySource() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        var registration = Registration(publishableKey: fixture.app.publishableKey, idiom: .pad, source: "192.0.2.1")
        for guess in 0..<10 {
            registration.joins = .linkCode(guess % 2 == 0 ? "0000000\(guess)" : "short")
            let error = await #expect(throws: ServiceError.self) {
                try await fixture.service.devices.register(registration)
            }
            #expect(error?.code == .linkCodeInvalid)
        }
        registration.joins = .linkCode(try await fixture.service.devices.createLinkCode(for: phone).code)
        let error = await #expect(throws: ServiceError.self) {
            try await fixture.service.devices.register(registration)
        }
        #expect(error?.code == .throttled && error?.retryAfter == .seconds(60))
        registration.source = "192.0.2.2"
        #expect(try await fixture.service.devices.register(registration).device.owner == phone.owner)
        registration.source = "192.0.2.1"
        fixture.clock.advance(.seconds(60))
        registration.joins = .linkCode(try await fixture.service.devices.createLinkCode(for: phone).code)
        #expect(try await fixture.service.devices.register(registration).device.owner == phone.owner)
    }

    @Test func acceptsValidCodeFromNewNetworkAfterWrongCodesFromMany() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        var registration = Registration(publishableKey: fixture.app.publishableKey, idiom: .pad)
        registration.joins = .linkCode("wrong")
        for network in 0..<10_100 {
            registration.source = "2001:db8:\(network / 1000):\(network % 1000)::/64"
            let error = await #expect(throws: ServiceError.self) {
                try await fixture.service.devices.register(registration)
            }
            #expect(error?.code == .linkCodeInvalid)
        }
        registration.source = "192.0.2.1"
        registration.joins = .linkCode(try await fixture.service.devices.createLinkCode(for: phone).code)
        #expect(try await fixture.service.devices.register(registration).device.owner == phone.owner)
    }

    /// The check for the device limit may take long, so the service limits the attempts that fail this check.
    @Test func throttlesCodesOfUsersAtDeviceLimitBySource() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        for _ in 1..<Limits.devices { _ = try await fixture.join(with: phone) }
        var registration = Registration(publishableKey: fixture.app.publishableKey, idiom: .pad, source: "192.0.2.1")
        registration.joins = .linkCode(try await fixture.service.devices.createLinkCode(for: phone).code)
        for attempt in 0..<11 {
            let error = await #expect(throws: ServiceError.self) {
                try await fixture.service.devices.register(registration)
            }
            #expect(error?.code == (attempt < 10 ? .tooManyDevices : .throttled))
        }
    }

    @Test func doesNotThrottleValidCodes() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        let owners = try await withThrowingTaskGroup(of: UserKey.self) { group in
            for _ in 0..<50 { group.addTask { try await fixture.join(with: phone).owner } }
            return try await group.reduce(into: Set<UserKey>()) { $0.insert($1) }
        }
        #expect(owners == [phone.owner])
    }

    @Test func movesArchivesWithLinkedDevice() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        let registered = try await fixture.service.devices.register(
            Registration(publishableKey: fixture.app.publishableKey, idiom: .phone))
        let alone = try await fixture.principal(registered.token)
        try await fixture.upload(1, by: alone)
        #expect(try await fixture.latest(for: phone).isNothing)
        let code = try await fixture.service.devices.createLinkCode(for: phone).code
        let moved = try await fixture.service.devices.link(alone, with: code)
        #expect(moved.id == alone.device.id && moved.owner == phone.owner)
        #expect(try await fixture.principal(registered.token).owner == phone.owner, "the old token is still valid")
        #expect(try await fixture.latest(for: phone).number == 1)
        let error = await #expect(throws: ServiceError.self) {
            try await fixture.service.devices.link(alone, with: code)
        }
        #expect(error?.code == .linkCodeInvalid)
    }
}
