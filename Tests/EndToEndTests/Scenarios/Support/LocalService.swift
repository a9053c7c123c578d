import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperPostgres
import PlacekeeperSQLite
import PlacekeeperServer
import PlacekeeperService
import PlacekeeperSockets
import PlacekeeperSystem

@testable import placekeeper

/// The service in this process with real sockets and a real database. The service is wired as in the command, but with
/// the test's clocks and longer deadlines.
final class LocalService {
    private struct Running {
        var store: any Store
        var service: RestorationService
        var api: Server
        var transport: HTTPServer
    }

    let time = TestTime()
    let data: TemporaryDirectory
    let address: ServiceAddress
    private var running: Running

    init() async throws {
        data = try TemporaryDirectory()
        running = try await Self.start(data, time)
        address = ServiceAddress(port: running.transport.address.port)
    }

    func stop() async {
        running.api.drain()
        await running.api.finishEventStreams(within: .seconds(60))
        await running.transport.drain(within: .seconds(600))
        await running.store.close()
    }

    /// Shuts the service down gracefully, and starts it again on the same data.
    func restart() async throws {
        await stop()
        running = try await Self.start(data, time)
        address.port = running.transport.address.port
    }

    func createApp(_ id: String = "com.example.photos") async throws -> TestApp {
        let app = try await running.service.apps.createApp(id)
        return TestApp(key: app.publishableKey, address: address)
    }

    /// Creates an app with changed settings, and a person who uses it.
    func person(_ change: (inout App.Settings) -> Void = { _ in }) async throws -> Person {
        let app = try await createApp()
        try await set(app, change)
        return app.person()
    }

    /// Changes an app's settings.
    func set(_ app: TestApp, _ change: (inout App.Settings) -> Void) async throws {
        let stored = try await running.service.apps.app(.publishableKey(app.key))
        var settings = stored.settings
        change(&settings)
        if settings != stored.settings { try await running.service.apps.replaceSettings(of: stored.id, with: settings) }
    }

    /// Prunes the store, as the command does every hour, after a day in which the service ran.
    func prune() async throws {
        let hour = (time.now() - .days(1)).hour
        try await running.store.add([Counter(hour: hour, app: nil, name: "upkeep", label: "hour"): 1])
        try await running.service.upkeep.prune()
    }

    /// Sends heartbeats, as the command does every fifteen seconds.
    func sendHeartbeats() { running.api.sendHeartbeats() }

    /// Returns the poller that `.ci/poller` chooses. An unknown name is an error, because otherwise the tests would
    /// silently use another poller.
    static func poller(named name: String?) throws -> PollerKind {
        guard let name else { return .fastest }
        guard let kind = PollerKind(rawValue: name) else {
            throw ChildProcess.Failure(description: "PLACEKEEPER_POLLER names no poller: \(name)")
        }
        return kind
    }

    /// Opens the store with long deadlines, because all tests run at the same time, possibly on few cores.
    private static func openStore(_ data: TemporaryDirectory) async throws -> any Store {
        if let url = try TestDatabase.url(of: data.path) {
            var configuration = PostgresStore.Configuration(url: url)
            configuration.deadline = .seconds(600)
            configuration.readDeadline = .seconds(600)
            configuration.servingDeadline = .seconds(600)
            return try await PostgresStore(configuration)
        }
        var configuration = SQLiteStore.Configuration()
        configuration.writeDeadline = .seconds(600)
        configuration.deltaDeadline = .seconds(600)
        configuration.readDeadline = .seconds(600)
        configuration.lockTimeout = .seconds(600)
        return try SQLiteStore(directory: data.path, compression: DeflatedBlobs(), configuration: configuration)
    }

    private static func start(_ data: TemporaryDirectory, _ time: TestTime) async throws -> Running {
        let store = try await openStore(data)
        let service = RestorationService(
            store: store, clock: time, random: SystemRandom(), hashing: SystemHashing(),
            lookup: UserLookup(secret: try await store.lookupSecret()))
        let api = try Wiring.api(over: service, Server.Configuration(), assets: [], log: BufferedLog { _ in })
        var deadlines = HTTPServer.Deadlines()
        for wait in [\HTTPServer.Deadlines.head, \.body, \.wholeBody, \.idle, \.write] {
            deadlines[keyPath: wait] = .seconds(600)
        }
        let poller = try poller(named: getenv("PLACEKEEPER_POLLER").map { String(cString: $0) })
        let transport = try Wiring.listen(
            at: SocketAddress(host: "127.0.0.1", port: 0), api, poller: poller, deadlines: deadlines)
        transport.start()
        return Running(store: store, service: service, api: api, transport: transport)
    }
}

/// Starts a new service, runs a scenario with this service, and stops the service.
func withService(_ story: (LocalService) async throws -> Void) async throws {
    let service = try await LocalService()
    do {
        try await story(service)
    } catch {
        await service.stop()
        throw error
    }
    await service.stop()
}

/// Runs a test with the phone of a person.
func withDevice(_ story: (LocalService, TestDevice) async throws -> Void) async throws {
    try await withService { service in try await story(service, try await service.person().device(.phone)) }
}

/// Runs a test with two devices of a person.
func withDevices(
    _ first: Wire.Idiom, _ second: Wire.Idiom, _ story: (LocalService, TestDevice, TestDevice) async throws -> Void
) async throws {
    try await withService { service in
        let person = try await service.person()
        try await story(service, try await person.device(first), try await person.device(second))
    }
}
