import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperService

struct DeviceTests {
    @Test func authenticatesRegisteredDeviceByToken() async throws {
        let fixture = try await ServiceFixture()
        let registered = try await fixture.service.devices.register(
            Registration(publishableKey: fixture.app.publishableKey, idiom: .pad, model: "iPad14,3", name: "iPad"))
        #expect(registered.token.utf8.count == 47 && registered.token.hasPrefix("pkd_"))
        let principal = try await fixture.principal(registered.token)
        #expect(principal.device == registered.device && principal.app == fixture.app)
        #expect(
            principal.device.model == "iPad14,3" && principal.device.name == "iPad" && principal.device.idiom == .pad)
    }

    @Test(arguments: ["", "pkd_", "pkd_" + String(repeating: "A", count: 43), String(repeating: "A", count: 47)])
    func rejectsOtherTextAsToken(_ text: String) async throws {
        let fixture = try await ServiceFixture()
        _ = try await fixture.join()
        #expect(try await fixture.service.devices.authenticate(token: ArraySlice(text.utf8)) == nil)
    }

    @Test func createsNewUserForRegistrationWithoutLinkCode() async throws {
        let (fixture, first) = try await ServiceFixture().withDevice()
        let second = try await fixture.join()
        #expect(first.owner != second.owner && first.device.id != second.device.id)
        #expect(try await fixture.service.devices.devices(for: first).map(\.id) == [first.device.id])
    }

    @Test func rejectsRevokedTokenImmediately() async throws {
        let fixture = try await ServiceFixture()
        let registered = try await fixture.service.devices.register(
            Registration(publishableKey: fixture.app.publishableKey, idiom: .phone))
        let phone = try await fixture.principal(registered.token)
        let other = try await fixture.join(with: phone)
        try await fixture.service.devices.revoke(phone.device.id, for: other)
        #expect(try await fixture.service.devices.authenticate(token: ArraySlice(registered.token.utf8)) == nil)
        #expect(try await fixture.service.devices.devices(for: other).map(\.id) == [other.device.id])
        let error = await #expect(throws: ServiceError.self) {
            try await fixture.service.devices.revoke(phone.device.id, for: other)
        }
        #expect(error?.code == .deviceNotFound)
        let stranger = try await fixture.join()
        await #expect(throws: ServiceError.self) {
            try await fixture.service.devices.revoke(other.device.id, for: stranger)
        }
    }

    @Test func rejectsTokenRevokedByAnotherService() async throws {
        let fixture = try await ServiceFixture()
        let registered = try await fixture.service.devices.register(
            Registration(publishableKey: fixture.app.publishableKey, idiom: .phone))
        let phone = try await fixture.principal(registered.token)
        _ = try await fixture.store.revoke(phone.device.id, of: phone.owner, at: fixture.clock.now())
        #expect(try await fixture.service.devices.authenticate(token: ArraySlice(registered.token.utf8)) == nil)
    }

    /// Two devices of a user, and a service that was started after the system's clock was set back an hour.
    private struct Restarted {
        let fixture: ServiceFixture
        let clock: ManualClock
        let service: RestorationService
        var tokens: [String] = []

        init() async throws {
            fixture = try await ServiceFixture()
            for index in 0..<2 {
                var registration = Registration(publishableKey: fixture.app.publishableKey, idiom: .phone)
                if index == 1 {
                    let first = try await fixture.principal(tokens[0])
                    registration.joins = .linkCode(try await fixture.service.devices.createLinkCode(for: first).code)
                }
                tokens.append(try await fixture.service.devices.register(registration).token)
            }
            clock = ManualClock(fixture.clock.now() - .seconds(3600))
            service = RestorationService(
                store: fixture.store, clock: clock, random: SeededRandom(seed: 2), hashing: SpreadingHash())
        }

        func upload(_ number: UInt64, arrivedAt: Duration?, token: String) async throws -> Archive? {
            let principal = try #require(
                try await service.devices.authenticate(token: ArraySlice(token.utf8))?.principal)
            var upload = Upload(
                id: ArchiveID(high: 0, low: number), scene: "main", bytes: SampleArchive(filler: "\(number)").bytes)
            upload.idiom = .phone
            upload.arrivedAt = arrivedAt
            return try await service.archives.store(upload, for: principal).created
        }
    }

    @Test func placesUploadAboveEarlierUploadsIfClockWasSetBackBeforeTheStart() async throws {
        let restarted = try await Restarted()
        let first = try await restarted.fixture.principal(restarted.tokens[0])
        restarted.fixture.clock.advance(.seconds(60))
        let earlier = try #require(try await restarted.fixture.upload(1, by: first).created)
        // Both request heads arrive before the service authenticates either device. The bodies arrive twenty seconds
        // later.
        let arrival = restarted.clock.uptime()
        restarted.clock.advance(.seconds(20))
        let second = try await restarted.upload(2, arrivedAt: arrival, token: restarted.tokens[0])
        let third = try await restarted.upload(3, arrivedAt: arrival, token: restarted.tokens[1])
        let fourth = try await restarted.upload(4, arrivedAt: nil, token: restarted.tokens[0])
        for later in [second, third, fourth] { #expect(try #require(later).position > earlier.position) }
        #expect(try #require(second).receivedAt == earlier.receivedAt)
        #expect(try #require(fourth).receivedAt == earlier.receivedAt)
        let history = try await restarted.fixture.store.history(of: earlier.scene, below: nil, limit: 10)
        #expect(history.archives.map(\.id.low) == [4, 3, 2, 1])
    }

    @Test func decidesAfterAllEarlierWritesIfClockWasSetBackBeforeTheStart() async throws {
        let restarted = try await Restarted()
        var names: [ItemName] = []
        for token in restarted.tokens {
            names.append(ItemName(device: try await restarted.fixture.principal(token).device.id, identifier: "1"))
        }
        let owner = try await restarted.fixture.principal(restarted.tokens[0]).owner
        let decision = try await restarted.service.lists.decide(
            .same, names[0], names[1], note: "", in: ItemList(owner: owner, dataSource: "photos"))
        #expect(decision.decidedAt == restarted.fixture.clock.now())
    }

    @Test func readsLatestTimeOnceForAllWritesOfAUser() async throws {
        let store = FaultyStore()
        let fixture = try await ServiceFixture(store: store.intercepted)
        let registered = try await fixture.service.devices.register(
            Registration(publishableKey: fixture.app.publishableKey, idiom: .phone))
        let principal = try await fixture.principal(registered.token)
        #expect(store.asked("latestTime(of:)").count == 0)
        for _ in 0..<3 { try await fixture.service.archives.forget("main", principal: principal) }
        #expect(store.asked("latestTime(of:)").count == 1)
    }

    @Test func appliesNewSettingsToCallersImmediately() async throws {
        let fixture = try await ServiceFixture()
        let registered = try await fixture.service.devices.register(
            Registration(publishableKey: fixture.app.publishableKey, idiom: .phone))
        #expect(try await !fixture.principal(registered.token).app.settings.allowsScreenshots)
        var settings = App.Settings()
        settings.allowsScreenshots = true
        try await fixture.service.apps.replaceSettings(of: fixture.app.id, with: settings)
        #expect(try await fixture.principal(registered.token).app.settings.allowsScreenshots)
    }

    @Test func requiresPublishableKeyForRegistration() async throws {
        let fixture = try await ServiceFixture()
        let error = await #expect(throws: ServiceError.self) {
            try await fixture.service.devices.register(Registration(publishableKey: "pk_wrong", idiom: .phone))
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
        let error = await #expect(throws: ServiceError.self) {
            try await fixture.service.devices.register(registration)
        }
        #expect(error?.code == .deviceTextInvalid && error?.member == [.name(member)])
    }

    @Test func writesTimesOfUseOnlyWhenFlushed() async throws {
        let fixture = try await ServiceFixture()
        let registered = try await fixture.service.devices.register(
            Registration(publishableKey: fixture.app.publishableKey, idiom: .phone))
        let created = registered.device.createdAt
        fixture.clock.advance(.seconds(5))
        let phone = try await fixture.principal(registered.token)
        fixture.clock.advance(.seconds(5))
        _ = try await fixture.principal(registered.token)
        #expect(try await fixture.service.devices.devices(for: phone).map(\.lastSeenAt) == [created])
        try await fixture.service.upkeep.flush()
        #expect(try await fixture.service.devices.devices(for: phone).map(\.lastSeenAt) == [created + .seconds(10)])
    }
}
