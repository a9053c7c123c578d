import RestorationService
import Testing

struct StoreFaultTests {
    @Test(
        arguments: [
            (.unavailable, .storeUnavailable), (.full, .storeFull), (.corrupt, .storeFailed), (.tooNew, .storeFailed),
        ] as [(StoreError.Code, ServiceError.Code)])
    func aFaultIsToldWithoutItsCause(_ code: StoreError.Code, _ told: ServiceError.Code) async throws {
        let store = FaultyStore()
        let bench = try await ServiceBench(store: store)
        let phone = try await bench.join()
        store.faults.withLock { $0.writes = StoreError(code, "cannot write", cause: "SQL and secrets") }
        let error = await #expect(throws: ServiceError.self) { try await bench.upload(1, by: phone) }
        #expect(error?.code == told && error?.cause?.contains("SQL and secrets") == true)
        #expect(error?.message.contains("SQL") == false)
        store.faults.withLock { $0.writes = nil }
        #expect(try await bench.upload(1, by: phone).created != nil, "and it recovers by itself")
    }

    @Test func readsGoOnWhereWritesFail() async throws {
        let store = FaultyStore()
        let bench = try await ServiceBench(store: store)
        let phone = try await bench.join()
        let other = try await bench.join(with: phone)
        try await bench.upload(1, by: phone)
        bench.clock.advance(.seconds(1))
        try await bench.upload(2, by: phone)
        #expect(try await bench.latest(for: other).number == 2)
        try await bench.report(.began, of: 2, by: other)
        store.faults.withLock { $0.writes = StoreError(.full, "no room") }
        #expect(try await bench.latest(for: other).number == 1, "neither noting it nor closing the last launch matters")
        await #expect(throws: ServiceError.self) { try await bench.service.check() }
        store.faults.withLock { $0.writes = nil }
        #expect(try await bench.latest(for: other).number == 1)
        try await bench.report(.restored, of: 1, by: other)
        #expect(try await bench.latest(for: phone).number == 1, "the last launch was closed in the end")
    }

    @Test func whatCouldNotBeFlushedIsKept() async throws {
        let store = FaultyStore()
        let bench = try await ServiceBench(store: store)
        let registered = try await bench.service.register(
            Registration(publishableKey: bench.app.publishableKey, idiom: .phone))
        bench.clock.advance(.seconds(9))
        let phone = try await bench.caller(registered.token)
        bench.service.tally.count("request", "x", app: nil, at: bench.clock.now())
        store.faults.withLock { $0.writes = StoreError(.unavailable, "locked") }
        await #expect(throws: ServiceError.self) { try await bench.service.flush() }
        store.faults.withLock { $0.writes = nil }
        try await bench.service.flush()
        #expect(try await bench.service.devices(for: phone).first?.lastSeenAt == bench.clock.now())
        #expect(try await store.counts(from: bench.clock.now(), to: bench.clock.now()).map(\.value) == [1])
    }

    @Test func aFaultIsNoWrongCode() async throws {
        let store = FaultyStore()
        let bench = try await ServiceBench(store: store)
        let phone = try await bench.join()
        var registration = Registration(publishableKey: bench.app.publishableKey, idiom: .pad)
        registration.linkCode = try await bench.service.createLinkCode(for: phone).code
        store.faults.withLock { $0.writes = StoreError(.unavailable, "locked") }
        for _ in 0..<20 { await #expect(throws: ServiceError.self) { try await bench.service.register(registration) } }
        store.faults.withLock { $0.writes = nil }
        #expect(try await bench.service.register(registration).device.owner == phone.owner)
    }

    @Test func anUnknownTokenIsToldFromAStoreThatCannotBeRead() async throws {
        let store = FaultyStore()
        let bench = try await ServiceBench(store: store)
        let known = try await bench.service.register(
            Registration(publishableKey: bench.app.publishableKey, idiom: .phone))
        _ = try await bench.caller(known.token)
        let fresh = try await bench.service.register(
            Registration(publishableKey: bench.app.publishableKey, idiom: .phone))
        store.faults.withLock { $0.reads = StoreError(.unavailable, "gone") }
        #expect(try await bench.caller(known.token).device == known.device, "from memory")
        let error = await #expect(throws: ServiceError.self) { try await bench.caller(fresh.token) }
        #expect(error?.code == .storeUnavailable && error?.retryAfter != nil)
    }
}
