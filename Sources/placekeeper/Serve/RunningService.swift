import PlacekeeperSockets
import PlacekeeperServer
import PlacekeeperService
import PlacekeeperSQLite
import PlacekeeperSystem

/// A service process, from start to shutdown.
struct RunningService {
    /// Work that runs alongside the requests.
    typealias Companion = @Sendable () async -> Void

    let opened: Wiring.Opened
    private let api: Server
    private let signIn = TokenSignIn { Self.report($0) }
    private let transport: HTTPServer
    private let setUp: SetUpLink
    private let log = BufferedLog { Output.report($0) }
    /// The URL at which people and apps reach the service. Nil if it is the service's own address.
    let url: String?

    /// The address that the service listens on, with its actual port.
    var address: SocketAddress { transport.address }

    /// Runs a service until a signal ends it.
    ///
    /// - Parameters:
    ///   - endsWithTerminal: whether SIGHUP also ends the service. If false, SIGHUP is ignored.
    ///   - prepare: called when the service listens but hasn't answered a request yet. Returns work that runs until the
    ///     event streams end.
    static func run(
        _ arguments: Arguments, endsWithTerminal: Bool = false,
        _ prepare: (RunningService) async throws(CommandFailure) -> Companion = { _ in {} }
    ) async throws(CommandFailure) -> Exit {
        FreedMemory.returnToSystem()
        // Catch signals before the service starts, so a signal during the start isn't lost.
        let signals = try StopSignals(endsWithTerminal: endsWithTerminal)
        DescriptorLimit.raise()
        let service = try await RunningService(arguments)
        if try arguments.isOn(.endWithInput) { signals.stopAtEndOfInput() }
        let companion: Companion
        do throws(CommandFailure) {
            companion = try await prepare(service)
        } catch {
            await service.opened.service.upkeep.close()
            throw error
        }
        await service.run(until: signals.first, companion)
        // Keep the signal source alive. Otherwise, a second signal would have no effect.
        withExtendedLifetime(signals) {}
        return .success
    }

    /// Opens the database and listens. Connections wait until `run` is called.
    private init(_ arguments: Arguments) async throws(CommandFailure) {
        url = try arguments.url()
        let address = try arguments.listenAddress()
        let poller = try arguments.poller()
        let assets = try arguments.publicFiles()
        var settings = try arguments.serverConfiguration()
        var configuration = SQLiteStore.Configuration()
        configuration.maximumBytes = try arguments.maximumBytes()
        settings.maximumBytes = configuration.maximumBytes
        let directory = arguments.value(of: .data) ?? ""
        let database = try arguments.database()
        // Lock the directory before opening the database, because opening may migrate it. A new directory doesn't exist
        // until the database is opened, so it is locked afterward.
        let isTaken = try DirectoryLock.take(directory)
        if isTaken { PartialDatabases.delete(in: directory) }
        setUp = SetUpLink(directory: directory, report: Self.report)
        if let database {
            settings.maximumBytes = nil
            settings.storeLibrary = Wiring.postgresLibraryVersion.map { "PostgreSQL client " + $0 }
            opened = try await Wiring.open(database, directory: directory, signIn: signIn)
        } else {
            opened = try await Wiring.open(directory: directory, configuration, signIn: signIn)
        }
        if !isTaken { _ = try DirectoryLock.take(directory) }
        // A restored backup may have brought back erased users, so erase them before the first request.
        do throws(CommandFailure) {
            settings.warnings = { [signIn, upkeep = opened.service.upkeep] in signIn.warnings + upkeep.warnings }
            try await opened.resumeErasures()
            api = try Wiring.api(over: opened.service, settings, assets: assets, log: log)
        } catch {
            await opened.service.upkeep.close()
            throw error
        }
        do throws(TransportError) {
            transport = try Wiring.listen(at: address, api, poller: poller)
        } catch {
            await opened.service.upkeep.close()
            throw CommandFailure(.unavailable, "cannot listen: \(error.message)")
        }
    }

    /// Answers requests until `stop` yields a signal. Then shuts down gracefully, with 25 seconds for open requests.
    private func run(until stop: AsyncStream<Int32>, _ companion: @escaping Companion) async {
        let companion = Task { await companion() }
        transport.start()
        Output.report("listening on http://\(transport.address)")
        Platform.notifyReady()
        await setUp.show(for: opened.service, at: url ?? "http://\(transport.address)")
        let housekeeping = Task { [opened, api, signIn, setUp] in
            await Housekeeping(opened: opened, api: api, signIn: signIn, setUp: setUp, report: Self.report).run()
        }
        for await _ in stop { break }
        // A running chore may take long to end. New requests are refused in the meantime.
        housekeeping.cancel()
        api.drain()
        await api.finishEventStreams(within: .seconds(2))
        await transport.drain(within: .seconds(25))
        await companion.value
        await housekeeping.value
        setUp.remove()
        do throws(ServiceError) {
            try await api.flush()
        } catch {
            Self.report("cannot write the last counts: \(error.message)")
        }
        await opened.service.upkeep.close()
        await log.finish()
    }

    @Sendable private static func report(_ line: String) { Output.report("placekeeper: " + line) }
}
