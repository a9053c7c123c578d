import PlacekeeperSockets
import PlacekeeperServer
import PlacekeeperSQLite

extension Option {
    static let listen = Option(
        "listen", "ADDRESS", help: "host and port; port 0 lets the system choose", initial: "127.0.0.1:8080",
        isSetting: true)
    static let publicFiles = Option(
        "public", "DIR", help: "serve the files of this directory in place of the program's own pages",
        isSetting: true)
    static let bench = Option("bench", help: "answer GET /hello, for load tests", isSetting: true)
    static let metrics = Option(
        "metrics", help: "answer GET /metrics for Prometheus; let a proxy refuse it to others", isSetting: true)
    static let log = Option(
        "log", "WHAT", help: "requests to log on standard error: all or errors", initial: "errors",
        isSetting: true)
    static let clientAddressField = Option(
        "client-address-field", "NAME",
        help: "field in which a trusted proxy sends its client's address, such as X-Forwarded-For",
        isSetting: true)
    static let clientSchemeField = Option(
        "client-scheme-field", "NAME",
        help: "field in which a trusted proxy sends its client's scheme, such as X-Forwarded-Proto", isSetting: true)
    static let trustedProxies = Option(
        "trusted-proxies", "LIST", help: "addresses and networks of the proxies whose fields are used",
        initial: "127.0.0.0/8,::1", isSetting: true)
    static let poller = Option(
        "poller", "KIND", help: "how to wait for sockets: \(pollers)",
        initial: PollerKind.fastest.rawValue, isSetting: true)
    /// The names of the pollers that this system has.
    fileprivate static let pollers = PollerKind.allCases.map(\.rawValue).joined(separator: " or ")
    static let maximumBytes = Option(
        "maximum-bytes", "BYTES", help: "size limit of the database; by default, the disk is the limit",
        isSetting: true)
}

extension Arguments {
    func listenAddress() throws(CommandFailure) -> SocketAddress {
        guard var address = value(of: .listen).flatMap(SocketAddress.init(_:)), address.isNumeric else {
            throw failure(over: .listen, "give an address and a port, like 127.0.0.1:8080 or [::1]:8080")
        }
        if try isOn(.lan) { address.host = "0.0.0.0" }
        return address
    }

    func poller() throws(CommandFailure) -> PollerKind {
        guard let kind = value(of: .poller).flatMap(PollerKind.init) else {
            throw failure(over: .poller, "set it to \(Option.pollers)")
        }
        return kind
    }

    /// Reads the files that are served in addition to the API.
    func publicFiles() throws(CommandFailure) -> [Assets.File] {
        guard let directory = value(of: .publicFiles) else { return try EmbeddedPages.files() }
        do throws(CommandFailure) {
            return try PublicFiles.read(directory)
        } catch {
            throw CommandFailure(exit(over: .publicFiles), error.message)
        }
    }

    /// Returns the size limit of the database. Nil means no limit. The minimum is 1 MiB, which is enough for
    /// empty tables.
    func maximumBytes() throws(CommandFailure) -> Int? { try number(of: .maximumBytes, in: 1 << 20...Int.max) }

    /// Returns the configuration of the REST layer.
    func serverConfiguration() throws(CommandFailure) -> Server.Configuration {
        var configuration = Server.Configuration()
        configuration.version = Version.number
        configuration.storeLibrary = "SQLite " + SQLiteStore.libraryVersion
        configuration.answersHello = try isOn(.bench)
        configuration.answersMetrics = try isOn(.metrics)
        configuration.logsAccess = try logsAccess()
        configuration.trustedProxies = try trustedProxies()
        configuration.clientAddressField = try fieldName(.clientAddressField, example: "X-Forwarded-For")
        configuration.clientSchemeField = try fieldName(.clientSchemeField, example: "X-Forwarded-Proto")
        return configuration
    }

    /// Returns the networks of the trusted proxies. White space around an entry is ignored.
    private func trustedProxies() throws(CommandFailure) -> [IPNetwork] {
        var networks: [IPNetwork] = []
        for entry in (value(of: .trustedProxies) ?? "").split(separator: ",", omittingEmptySubsequences: false) {
            let entry = entry.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
            guard let network = IPNetwork(String(entry)) else {
                throw failure(
                    over: .trustedProxies,
                    "\(quoted(String(entry))) is not an address or a network; give a list like 10.0.0.0/8,2001:db8::7")
            }
            networks.append(network)
        }
        return networks
    }

    private func fieldName(_ option: Option, example: String) throws(CommandFailure) -> String? {
        guard let name = value(of: option) else { return nil }
        guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) else {
            throw failure(over: option, "give a field's name, like \(example)")
        }
        return name
    }

    /// Returns whether every request is logged instead of only the service's own errors.
    private func logsAccess() throws(CommandFailure) -> Bool {
        switch value(of: .log) {
        case "all": return true
        case "errors": return false
        default: throw failure(over: .log, "set it to all or errors")
        }
    }
}
