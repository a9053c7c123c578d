import PlacekeeperArchive
import PlacekeeperFiles
import PlacekeeperSockets
import PlacekeeperServer
import PlacekeeperSQLite
import PlacekeeperSystem

extension Option {
    static let listen = Option(
        "listen", "ADDRESS",
        help: "host and port, or a port of this machine alone; port 0 lets the system choose",
        initial: "127.0.0.1:8080", isSetting: true)
    static let url = Option(
        "url", "URL", help: "URL to print, for a container or behind a proxy; by default, the listening address",
        isSetting: true)
    static let publicFiles = Option(
        "public", "DIR", help: "serve the files of this directory instead of the built-in pages",
        isSetting: true)
    static let metrics = Option(
        "metrics", help: "serve GET /metrics for Prometheus; restrict access at your proxy", isSetting: true)
    static let metricsListen = Option(
        "metrics-listen", "ADDRESS",
        help: "serve GET /metrics at this host and port, or port of this machine alone, and not at --listen",
        isSetting: true)
    static let alertCommand = Option(
        "alert-command", "PATH",
        help: "program to run when an alert starts or ends, with the alert as JSON on its standard input",
        isSetting: true)
    static let log = Option(
        "log", "WHAT", help: "requests to log on standard error", initial: "errors", isSetting: true,
        words: ["all", "errors"])
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
        "poller", "KIND", help: "how to wait for sockets", initial: PollerKind.fastest.rawValue, isSetting: true,
        words: PollerKind.allCases.map(\.rawValue))
    static let maximumBytes = Option(
        "maximum-bytes", "SIZE", help: "size limit of the database, such as 10GB; by default, the disk is the limit",
        isSetting: true)
}

extension Arguments {
    /// Returns the address of `--listen`. A port alone means that port on 127.0.0.1. An empty host is rejected, because
    /// other programs take it to mean all networks.
    func listenAddress() throws(CommandFailure) -> SocketAddress {
        var address = try address(of: .listen)
        if try isOn(.lan) { address.host = "0.0.0.0" }
        return address
    }

    /// Returns the address of `--metrics-listen`. Nil if metrics have no listener of their own.
    func metricsAddress() throws(CommandFailure) -> SocketAddress? {
        value(of: .metricsListen) == nil ? nil : try address(of: .metricsListen)
    }

    private func address(of option: Option) throws(CommandFailure) -> SocketAddress {
        let text = value(of: option) ?? ""
        let isPort = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard let address = SocketAddress(isPort ? "127.0.0.1:" + text : text), address.isNumeric else {
            if text.hasPrefix(":"), SocketAddress("0.0.0.0" + text) != nil {
                throw failure(
                    over: option, "give 127.0.0.1\(text) for this machine alone, or 0.0.0.0\(text) for all networks")
            }
            throw failure(over: option, "give an address and a port, like 127.0.0.1:8080 or [::1]:8080, or a port")
        }
        return address
    }

    /// Returns the program of `--alert-command`. The path must not depend on the directory that the service starts in.
    func alertCommand() throws(CommandFailure) -> String? {
        guard let path = value(of: .alertCommand) else { return nil }
        guard path.hasPrefix("/") else { throw failure(over: .alertCommand, "give an absolute path") }
        guard access(path, X_OK) == 0 else {
            throw failure(
                over: .alertCommand, "give a program that the service may run: \(String(cString: strerror(errno)))")
        }
        guard (try? FileStatus.of(path, followingLink: true))?.kind == .regular else {
            throw failure(over: .alertCommand, "\(quoted(path)) is no file; give a program")
        }
        return path
    }

    /// Returns the URL of `--url` without a trailing "/".
    func url() throws(CommandFailure) -> String? {
        guard let text = value(of: .url) else { return nil }
        guard Place.isWebAddress(text),
            !text.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") })
        else {
            // Don't repeat the value, because it may contain a password.
            throw CommandFailure(
                exit(over: .url), "\(origin(of: .url)) needs a URL like https://places.example.com, without credentials"
            )
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// The URL of a service with the same settings, for the next step: that of `--url`, or else the address.
    var serviceURL: String {
        if let url = try? url() { return url }
        let text = Option.listen.initial ?? ""
        guard var address = (try? listenAddress()) ?? SocketAddress(text) else { return "http://" + text }
        if ["0.0.0.0", "::"].contains(address.host) { address.host = "127.0.0.1" }
        return "http://\(address)"
    }

    /// Whether a service answers at the address of `--listen`.
    var serviceAnswers: Bool {
        guard let address = try? listenAddress() else { return false }
        return (try? HTTPProbe(target: HTTPProbe.Target(address: address)).status()) != nil
    }

    func poller() throws(CommandFailure) -> PollerKind {
        try word(of: .poller).flatMap(PollerKind.init) ?? .fastest
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

    /// Returns the size limit of the database. Nil means no limit. The minimum is 1 MiB, enough for empty tables. The
    /// maximum is far above what SQLite can store.
    func maximumBytes() throws(CommandFailure) -> Int? { try byteCount(of: .maximumBytes, in: 1 << 20...1 << 50) }

    /// Returns the configuration of the REST layer.
    func serverConfiguration() throws(CommandFailure) -> Server.Configuration {
        var configuration = Server.Configuration()
        configuration.version = Version.number
        configuration.storeLibrary = "SQLite " + SQLiteStore.libraryVersion
        let isOnOwnListener = try metricsAddress() != nil
        configuration.answersMetrics = try isOn(.metrics) && !isOnOwnListener
        configuration.logsAccess = try logsAccess()
        configuration.trustedProxies = try trustedProxies()
        configuration.clientAddressField = try fieldName(.clientAddressField)
        configuration.clientSchemeField = try fieldName(.clientSchemeField)
        return configuration
    }

    /// Returns the networks of the trusted proxies, ignoring white space around each entry.
    func trustedProxies() throws(CommandFailure) -> [IPNetwork] {
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

    func fieldName(_ option: Option) throws(CommandFailure) -> String? {
        guard let name = value(of: option) else { return nil }
        guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) else {
            throw failure(over: option, "give a field's name, like X-Forwarded-For or X-Forwarded-Proto")
        }
        return name
    }

    /// Returns whether to log every request, and not only internal errors.
    func logsAccess() throws(CommandFailure) -> Bool { try word(of: .log) == "all" }
}
