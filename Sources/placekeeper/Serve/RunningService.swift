import HTTPTransport
import PlacekeeperServer
import RestorationService
import SQLiteStore

/// The service from its start to its end.
struct RunningService {
    private let opened: Wiring.Opened
    private let api: Server
    private let transport: HTTPServer
    private let log = BufferedLog { Output.report($0) }

    /// Opens the database and listens. Whoever connects waits until `run`.
    init(_ arguments: Arguments) async throws(CommandFailure) {
        let address = try arguments.listenAddress()
        let assets = try arguments.publicFiles()
        let settings = try arguments.serverConfiguration()
        var configuration = SQLiteStore.Configuration()
        configuration.maximumBytes = try arguments.maximumBytes()
        let directory = arguments.value(of: .data) ?? ""
        // Before the database is opened, for that may move it forward; a new one is there only afterwards.
        let isTaken = try DirectoryLock.take(directory)
        opened = try await Wiring.open(directory: directory, configuration)
        if !isTaken { _ = try DirectoryLock.take(directory) }
        api = Wiring.api(over: opened.service, settings, assets: assets, log: log)
        do throws(TransportError) {
            transport = try Wiring.listen(at: address, api)
        } catch {
            await opened.store.close()
            throw CommandFailure(.unavailable, "cannot listen: \(error.message)")
        }
    }

    /// Answers until `stop` yields, then finishes what is in work.
    func run(until stop: AsyncStream<Int32>) async {
        let housekeeping = Task { [opened, api] in
            await Housekeeping(opened: opened, api: api, report: Self.report).run()
        }
        transport.start()
        Output.report("listening on http://\(transport.address)")
        for await _ in stop { break }
        // A chore that is at work may take its time: new requests are turned away meanwhile.
        housekeeping.cancel()
        api.drain()
        await transport.drain(within: .seconds(25))
        await housekeeping.value
        do throws(ServiceError) {
            try await api.flush()
        } catch {
            Self.report("the last counts were not written: \(error.message)")
        }
        await opened.store.close()
        await log.finish()
    }

    @Sendable private static func report(_ line: String) { Output.report("placekeeper: " + line) }
}
