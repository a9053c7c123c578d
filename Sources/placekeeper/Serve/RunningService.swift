import PlacekeeperCore
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
    private let backups: BackupWatch
    private let log = BufferedLog { Output.report($0) }
    /// The listener for monitoring, if there is one.
    private let monitoring: HTTPServer?
    private let watch: Watch
    private let record = ChoreRecord()
    private let command: AlertCommand?
    /// The URL at which people and apps reach the service. Nil if it is the service's own address.
    let url: String?

    /// The address that the service listens on, with its actual port.
    var address: SocketAddress { transport.address }

    /// Runs a service until a signal ends it.
    ///
    /// - Parameters:
    ///   - endsWithTerminal: whether SIGHUP also ends the service. If false, SIGHUP is ignored.
    ///   - prepare: called when the database is open but no request has reached it yet. Returns work that runs until the
    ///     event streams end.
    static func run(
        _ arguments: Arguments, endsWithTerminal: Bool = false,
        _ prepare: (RunningService) async throws(CommandFailure) -> Companion = { _ in {} }
    ) async throws(CommandFailure) -> Exit {
        FreedMemory.returnToSystem()
        // Catch signals before the service starts, so a signal during the start isn't lost.
        let signals = try StopSignals(endsWithTerminal: endsWithTerminal)
        DescriptorLimit.raise()
        if try arguments.isOn(.endWithInput) { signals.stopAtEndOfInput() }
        let stop = Task { [first = signals.first] in for await _ in first { break } }
        // If the service is stopped before the database is open, the end of the process ends the attempt to open it.
        guard let service = try await RunningService(arguments, unless: stop) else { return .success }
        let companion: Companion
        do throws(CommandFailure) {
            companion = try await prepare(service)
        } catch {
            await service.opened.service.upkeep.close()
            throw error
        }
        await service.run(until: stop, logsLife: !endsWithTerminal, companion)
        // Keep the signal source alive. Otherwise, a second signal would have no effect.
        withExtendedLifetime(signals) {}
        return .success
    }

    /// Listens, and opens the database. Until `run` is called, every request but `/livez` is answered with 503. Nil if
    /// `stop` ends first.
    private init?(_ arguments: Arguments, unless stop: Task<Void, Never>) async throws(CommandFailure) {
        url = try arguments.url()
        let address = try arguments.listenAddress()
        let poller = try arguments.poller()
        let assets = try arguments.publicFiles()
        var settings = try arguments.serverConfiguration()
        var configuration = SQLiteStore.Configuration()
        configuration.maximumBytes = try arguments.maximumBytes()
        settings.maximumBytes = configuration.maximumBytes
        command = try arguments.alertCommand().map { [log] path in
            AlertCommand(path) { level, message in
                var line = LogLine(level, at: SystemClock().now())
                line.add("message", message)
                log.add(line.whole)
            }
        }
        let metricsAddress = try arguments.metricsAddress()
        let directory = arguments.value(of: .data) ?? ""
        let database = try arguments.database()
        if database != nil { try Files.makeDirectory(directory) }
        // Lock the directory before opening the database, because opening may migrate it. A new directory doesn't exist
        // until the database is opened, so it is locked afterward.
        let isTaken = try DirectoryLock.take(directory)
        if isTaken { PartialDatabases.delete(in: directory) }
        backups = BackupWatch(directory: directory)
        setUp = SetUpLink(directory: directory, report: Self.report)
        let opening = Opening(report: Self.report)
        do throws(TransportError) {
            transport = try Wiring.listen(at: address, MemoryResponder.opening { opening.reason }, poller: poller)
            monitoring = try metricsAddress.map { address throws(TransportError) in
                try Wiring.listen(at: address, MemoryResponder.opening { opening.reason }, poller: poller, workers: 1)
            }
        } catch {
            throw CommandFailure(.unavailable, "cannot listen: \(error.message)")
        }
        transport.start()
        monitoring?.start()
        opening.begin(at: transport.address)
        configuration.willMigrate = opening.migrate
        let opened = try await opening.open(unless: stop, isPatient: database != nil) {
            [signIn, configuration] () throws(CommandFailure) in
            guard let database else {
                return try await Wiring.open(directory: directory, configuration, signIn: signIn)
            }
            // The password may have been corrected in the meantime.
            let current = (try? arguments.database()) ?? database
            return try await Wiring.open(
                current, directory: directory, signIn: signIn, willMigrate: opening.migrate)
        }
        guard let opened else {
            await transport.drain(within: .seconds(1))
            return nil
        }
        self.opened = opened
        if database != nil {
            settings.maximumBytes = nil
            settings.storeLibrary = Wiring.postgresLibraryVersion.map { "PostgreSQL client " + $0 }
        }
        do throws(CommandFailure) {
            if !isTaken { _ = try DirectoryLock.take(directory) }
            settings.warnings = { [signIn, upkeep = opened.service.upkeep] in signIn.warnings + upkeep.warnings }
            settings.instance = "\(Self.hostName) \(transport.address)"
            settings.metrics = { [record, backups] in
                record.metrics + (DiskSpace(of: directory)?.metrics ?? []) + backups.metrics
            }
            settings.host = { [backups] in
                var host = Server.Host()
                host.disk = DiskSpace(of: directory).map { .init(freeBytes: $0.freeBytes, totalBytes: $0.totalBytes) }
                (host.lastBackup, host.backupFailure) = backups.last
                host.backupProof = backups.proof
                return host
            }
            api = try Wiring.api(over: opened.service, settings, assets: assets, log: log)
            // So that a page can read the first refusal, too.
            await opened.service.apps.refreshWebOrigins()
        } catch {
            await opened.service.upkeep.close()
            throw error
        }
        watch = Watch(api, opened.service, directory: directory, maximumBytes: settings.maximumBytes, backups)
    }

    /// Answers requests until `stop` ends. Then shuts down gracefully, with 25 seconds for open requests.
    ///
    /// - Parameter logsLife: whether the start and the end are lines of the log.
    private func run(
        until stop: Task<Void, Never>, logsLife: Bool, _ companion: @escaping Companion
    ) async {
        let companion = Task { await companion() }
        await transport.use(api)
        await monitoring?.use(MemoryResponder.metrics(of: api))
        Output.report("listening on http://\(transport.address)")
        if logsLife { logLife("start") }
        if let monitoring { Self.report("metrics on http://\(monitoring.address)/metrics") }
        Platform.notifyReady()
        await setUp.show(for: opened.service, at: url ?? "http://\(transport.address)")
        let housekeeping = Task { [opened, api, signIn, setUp, backups, watch, record, command, log] in
            await Housekeeping(
                opened: opened, api: api, signIn: signIn, setUp: setUp, backups: backups, watch: watch, record: record,
                command: command, report: Self.report, log: log.add
            ).run()
        }
        let telling = Task { [command] in await command?.run() }
        await stop.value
        // A running chore may take long to end. New requests are refused in the meantime.
        housekeeping.cancel()
        api.drain()
        await api.finishEventStreams(within: .seconds(2))
        await transport.drain(within: .seconds(25))
        await monitoring?.drain(within: .seconds(1))
        await companion.value
        await housekeeping.value
        telling.cancel()
        await telling.value
        setUp.remove()
        do throws(ServiceError) {
            try await api.flush()
        } catch {
            Self.report("cannot write the last counts: \(error.message)")
        }
        await opened.service.upkeep.close()
        if logsLife { logLife("end") }
        await log.finish()
    }

    private func logLife(_ event: String) {
        var line = LogLine("info", at: opened.service.clock.now())
        line.add("event", event)
        line.add("version", Version.number)
        line.add("address", "http://\(transport.address)")
        log.add(line.whole)
    }

    private static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    @Sendable private static func report(_ line: String) { Output.report("placekeeper: " + line) }
}
