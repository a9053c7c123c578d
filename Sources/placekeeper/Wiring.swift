import Dispatch
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperPostgres
import PlacekeeperSQLite
import PlacekeeperServer
import PlacekeeperService
import PlacekeeperSockets
import PlacekeeperSystem

/// Creates the service from its parts. Only this type depends on all parts.
enum Wiring {
    /// A service with an open database.
    struct Opened: Sendable {
        let service: RestorationService
    }

    @Sendable private static func report(_ line: String) { Output.report("placekeeper: " + line) }

    /// Opens the database in a directory. Creates the directory and the database if needed.
    static func open(
        directory: String, _ configuration: SQLiteStore.Configuration = SQLiteStore.Configuration(),
        signIn: any SignInVerifying = NoSignIn()
    ) async throws(CommandFailure) -> Opened {
        var configuration = configuration
        configuration.report = report
        return try await open(in: directory, signIn: signIn) {
            [configuration] () throws(StoreError) in
            // A migration may take minutes, so it has its own thread.
            let store: Result<SQLiteStore, StoreError> = await withCheckedContinuation { continuation in
                DispatchQueue(label: "placekeeper.opening").async {
                    continuation.resume(
                        returning: Result { () throws(StoreError) in
                            try SQLiteStore(
                                directory: directory, compression: DeflatedBlobs(), configuration: configuration)
                        })
                }
            }
            return try store.get()
        }
    }

    /// Opens a PostgreSQL database. The directory contains the erasure log.
    ///
    /// - Parameter willMigrate: called before the tables are migrated to a schema version.
    static func open(
        _ database: PostgresAddress, directory: String, signIn: any SignInVerifying = NoSignIn(),
        willMigrate: @escaping @Sendable (_ version: Int) -> Void = { _ in }
    ) async throws(CommandFailure) -> Opened {
        try Files.makeDirectory(directory)
        var configuration = configuration(of: database, directory: directory)
        configuration.willMigrate = willMigrate
        return try await open(in: directory, signIn: signIn) { [configuration] () throws(StoreError) in
            try await PostgresStore(configuration)
        }
    }

    private static func configuration(
        of database: PostgresAddress, directory: String
    ) -> PostgresStore.Configuration {
        var configuration = PostgresStore.Configuration(url: database.url)
        configuration.password = database.password
        configuration.primaryFile = directory + "/postgresql-primary"
        configuration.report = report
        if let count = database.connections { configuration.connections = count }
        if let count = database.usersPerTransaction { configuration.usersPerTransaction = count }
        return configuration
    }

    /// Opens a PostgreSQL database for reading all its data.
    static func transferSource(
        _ database: PostgresAddress, directory: String
    ) throws(StoreError) -> any TransferSource {
        try PostgresTransferSource(configuration(of: database, directory: directory))
    }

    /// Opens an empty PostgreSQL database for writing all data.
    static func transferDestination(
        _ database: PostgresAddress, directory: String
    ) throws(StoreError) -> any TransferDestination {
        try PostgresTransferDestination(configuration(of: database, directory: directory))
    }

    /// Throws `unavailable` if other Placekeeper processes use a PostgreSQL database.
    static func requireExclusiveAccess(_ database: PostgresAddress, directory: String) throws(StoreError) {
        try PostgresStore.requireExclusiveAccess(configuration(of: database, directory: directory))
    }

    /// Looks at a PostgreSQL database without changing it. Blocks the thread.
    static func inspect(
        _ database: PostgresAddress, directory: String
    ) throws(StoreError) -> PostgresStore.Inspection {
        try PostgresStore.inspect(configuration(of: database, directory: directory))
    }

    /// The version of PostgreSQL's client library, if it is loaded.
    static var postgresLibraryVersion: String? { PostgresStore.libraryVersion }

    private static func open(
        in directory: String, signIn: any SignInVerifying,
        _ makeStore: () async throws(StoreError) -> any Store
    ) async throws(CommandFailure) -> Opened {
        do throws(StoreError) {
            let store = try await makeStore()
            let secret = try await store.lookupSecret()
            let service = RestorationService(
                store: store, clock: SystemClock(), random: SystemRandom(), hashing: SystemHashing(),
                lookup: UserLookup(secret: secret), signIn: signIn, accounts: KeyedAccounts(secret: secret),
                erasures: ErasureFile(directory: directory), passwords: ScryptPasswords(),
                report: report)
            return Opened(service: service)
        } catch {
            let cause = error.cause.map { " (\($0))" } ?? ""
            var failure = CommandFailure(.unavailable, "\(clause(error.message)): \(quoted(directory))\(cause)")
            if [.unavailable, .full].contains(error.code) { failure.outage = error.message }
            throw failure
        }
    }

    /// Creates the REST layer of a service.
    static func api(
        over service: RestorationService, _ configuration: Server.Configuration, assets: [Assets.File],
        log: BufferedLog
    ) throws(CommandFailure) -> Server {
        Server(
            service, configuration: configuration, assets: assets, description: try EmbeddedPages.openAPI(),
            gzip: GzippedBodies(), log: log.add)
    }

    /// Creates an HTTP server that listens on a socket and answers through a responder.
    static func listen(
        at address: SocketAddress, _ responder: any Responder, poller: PollerKind = .fastest,
        deadlines: HTTPServer.Deadlines = HTTPServer.Deadlines(), workers: Int? = nil
    ) throws(TransportError) -> HTTPServer {
        var configuration = HTTPServer.Configuration()
        configuration.address = address
        if let workers { configuration.workers = workers }
        configuration.poller = poller
        configuration.deadlines = deadlines
        return try HTTPServer(configuration: configuration, responder: responder)
    }

    /// Opens the database and runs `body`. A service may use the same directory at the same time, but `backup restore`
    /// can't.
    static func withDatabase(
        of arguments: Arguments, mayCreate: Bool = false, _ body: (Opened) async throws(CommandFailure) -> Exit
    ) async throws(CommandFailure) -> Exit {
        let opened = try await database(of: arguments, mayCreate: mayCreate)
        let result: Result<Exit, CommandFailure>
        do throws(CommandFailure) { result = .success(try await body(opened)) } catch { result = .failure(error) }
        await opened.service.upkeep.close()
        return try result.get()
    }

    /// Opens the database for a command, beside a service or without one.
    static func database(of arguments: Arguments, mayCreate: Bool) async throws(CommandFailure) -> Opened {
        let directory = arguments.value(of: .data) ?? ""
        if let database = try arguments.database() { return try await open(database, directory: directory) }
        guard mayCreate || Files.exists(directory + "/" + SQLiteStore.fileName) else {
            guard errno != EACCES else {
                throw CommandFailure(
                    .unavailable, "only root and the service may read \(quoted(directory)); run the command with sudo")
            }
            throw CommandFailure(
                .unavailable, "there is no database in \(quoted(directory)); give its directory with --data DIR")
        }
        // A command doesn't checkpoint the write-ahead log, because a service may use the directory at the same time.
        var configuration = SQLiteStore.Configuration()
        configuration.copiesLog = false
        try DatabaseLock.share(directory)
        return try await open(directory: directory, configuration)
    }
}

extension Wiring.Opened {
    /// Erases the users in the erasure log that still exist. Returns their number.
    @discardableResult
    func resumeErasures() async throws(CommandFailure) -> Int {
        try await ask { service async throws(ServiceError) in try await service.accounts.resumeErasures() }
    }

    /// Calls the service, and converts its errors to errors of the command.
    func ask<Answer: Sendable>(
        _ question: (RestorationService) async throws(ServiceError) -> Answer
    ) async throws(CommandFailure) -> Answer {
        do throws(ServiceError) { return try await question(service) } catch { throw CommandFailure(error) }
    }
}

extension CommandFailure {
    fileprivate init(_ error: ServiceError) {
        // Anyone who may open the database may also see the cause.
        let isStore = [.storeUnavailable, .storeFull, .storeFailed, .overloaded].contains(error.code)
        let isMalformed = [
            .bundleIdentifierInvalid, .settingsInvalid, .sceneNameInvalid, .contextInvalid, .dataSourceNameInvalid,
            .identifierInvalid, .linkInvalid, .administratorInvalid, .declarationInvalid,
        ].contains(error.code)
        let advice =
            switch error.code {
            case .appExists: "; app list shows its key"
            case .administratorExists: "; admin reset changes the password"
            case .administratorNotFound: "; admin list shows all"
            case .tokenNotFound: "; admin token list shows all"
            case .tooManyLinks: "; identity remove-decision takes a decision back"
            default: ""
            }
        self.init(
            isStore ? .unavailable : isMalformed ? .usage : .failure,
            clause(error.message) + advice + (error.cause.map { " (\($0))" } ?? ""))
        if [.storeUnavailable, .storeFull].contains(error.code) { outage = error.message }
    }
}
