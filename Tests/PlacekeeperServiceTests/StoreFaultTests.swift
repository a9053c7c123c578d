import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

struct StoreFaultTests {
    @Test(
        arguments: [
            (.unavailable, .storeUnavailable), (.full, .storeFull), (.corrupt, .storeFailed), (.tooNew, .storeFailed),
        ] as [(StoreError.Code, ServiceError.Code)])
    func hidesCauseOfStoreErrorFromMessage(_ code: StoreError.Code, _ told: ServiceError.Code) async throws {
        let store = FaultyStore()
        let (fixture, phone) = try await ServiceFixture(store: store.intercepted).withDevice()
        store.faults.withLock { $0.writes = StoreError(code, "cannot write", cause: "SQL and secrets") }
        let error = await #expect(throws: ServiceError.self) { try await fixture.upload(1, by: phone) }
        #expect(error?.code == told && error?.cause?.contains("SQL and secrets") == true)
        #expect(error?.message.contains("SQL") == false)
        store.faults.withLock { $0.writes = nil }
        #expect(try await fixture.upload(1, by: phone).created != nil, "the service recovers without a restart")
    }

    @Test func answersReadsWhileWritesFail() async throws {
        let store = FaultyStore()
        let (fixture, phone, other) = try await ServiceFixture(store: store.intercepted).withDevices()
        try await fixture.upload(1, by: phone)
        fixture.clock.advance(.seconds(1))
        try await fixture.upload(2, by: phone)
        #expect(try await fixture.latest(for: other).number == 2)
        try await fixture.report(.began, of: 2, by: other, launch: LaunchID("first"))
        let next = LaunchID("second")
        store.faults.withLock { $0.writes = StoreError(.full, "no room") }
        #expect(
            try await fixture.latest(for: other, launch: next).number == 1,
            "the answer does not depend on recording the serving or the unfinished restore")
        await #expect(throws: ServiceError.self) { try await fixture.service.upkeep.check() }
        store.faults.withLock { $0.writes = nil }
        #expect(try await fixture.latest(for: other, launch: next).number == 1)
        try await fixture.report(.restored, of: 1, by: other)
        let third = try await fixture.join(with: phone)
        #expect(try await fixture.latest(for: third).number == 1, "the unfinished restore was recorded as crashed")
    }

    @Test func keepsCountsAndTimesThatCouldNotBeFlushed() async throws {
        let store = FaultyStore()
        let fixture = try await ServiceFixture(store: store.intercepted)
        let registered = try await fixture.service.devices.register(
            Registration(publishableKey: fixture.app.publishableKey, idiom: .phone))
        fixture.clock.advance(.seconds(9))
        let phone = try await fixture.principal(registered.token)
        fixture.service.hourlyCounters.count("request", "x", app: nil, at: fixture.clock.now())
        store.faults.withLock { $0.writes = StoreError(.unavailable, "locked") }
        await #expect(throws: ServiceError.self) { try await fixture.service.upkeep.flush() }
        store.faults.withLock { $0.writes = nil }
        try await fixture.service.upkeep.flush()
        #expect(try await fixture.service.devices.devices(for: phone).first?.lastSeenAt == fixture.clock.now())
        #expect(
            try await store.intercepted.counts(
                of: nil, named: "request", from: fixture.clock.now(), to: fixture.clock.now(), each: 1
            ).map(\.value) == [1])
    }

    @Test func doesNotCountStoreErrorAsWrongLinkCode() async throws {
        let store = FaultyStore()
        let (fixture, phone) = try await ServiceFixture(store: store.intercepted).withDevice()
        var registration = Registration(publishableKey: fixture.app.publishableKey, idiom: .pad)
        registration.joins = .linkCode(try await fixture.service.devices.createLinkCode(for: phone).code)
        store.faults.withLock { $0.writes = StoreError(.unavailable, "locked") }
        for _ in 0..<20 {
            await #expect(throws: ServiceError.self) { try await fixture.service.devices.register(registration) }
        }
        store.faults.withLock { $0.writes = nil }
        #expect(try await fixture.service.devices.register(registration).device.owner == phone.owner)
    }

    @Test func distinguishesUnreadableStoreFromUnknownToken() async throws {
        let store = FaultyStore()
        let fixture = try await ServiceFixture(store: store.intercepted)
        let known = try await fixture.service.devices.register(
            Registration(publishableKey: fixture.app.publishableKey, idiom: .phone))
        _ = try await fixture.principal(known.token)
        let fresh = try await fixture.service.devices.register(
            Registration(publishableKey: fixture.app.publishableKey, idiom: .phone))
        store.faults.withLock { $0.reads = StoreError(.unavailable, "gone") }
        #expect(try await fixture.principal(known.token).device == known.device, "from memory")
        let error = await #expect(throws: ServiceError.self) { try await fixture.principal(fresh.token) }
        #expect(error?.code == .storeUnavailable && error?.retryAfter != nil)
    }
}
