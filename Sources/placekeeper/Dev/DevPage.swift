import PlacekeeperCore
import PlacekeeperService
import PlacekeeperSockets
import PlacekeeperSystem

/// The page that `placekeeper dev` prints first, and the lines that follow it.
struct DevPage: Sendable {
    private let app: App
    /// The addresses at which apps reach the service. The first one appears in the texts.
    private let urls: [String]
    private let isOnNetwork: Bool
    private let isColored: Bool

    /// - Parameter url: The URL at which apps reach the service. Nil if it is the service's own address.
    init(_ app: App, at address: SocketAddress, url: String? = nil, isColored: Bool = isatty(STDOUT_FILENO) == 1) {
        self.app = app
        self.isColored = isColored
        if let url {
            urls = [url]
            isOnNetwork = !["//localhost", "//127.", "//[::1]"].contains { url.contains($0) }
            return
        }
        let isWildcard = ["0.0.0.0", "::"].contains(address.host)
        let hosts = isWildcard ? LocalAddresses.all() : []
        urls = (hosts.isEmpty ? [isWildcard ? "127.0.0.1" : address.host] : hosts)
            .map { "http://\(SocketAddress(host: $0, port: address.port))" }
        isOnNetwork = isWildcard
    }

    /// The first line of `--json`.
    func report(at time: Timestamp) -> [String: String] {
        [
            "kind": "listening", "at": time.text, "url": urls[0], "app": app.bundleIdentifier,
            "key": app.publishableKey,
        ]
    }

    var text: String {
        var text = """

            Open the demo, in which a phone and a tablet share a place:

                \(urls[0])/demo/#key=\(app.publishableKey)

            Placekeeper runs at \(urls[0]) for the app \(app.bundleIdentifier). Stop it with Ctrl-C.
            The admin page is \(urls[0])/admin/. The app's publishable key is \(app.publishableKey).

            The app connects with these lines (docs/your-app.md):

            \(Self.snippet(url: urls[0], key: app.publishableKey))

            """
        guard isOnNetwork else { return text }
        let others = urls.dropFirst()
        if !others.isEmpty { text += "\nOther addresses of this machine: \(others.joined(separator: ", "))\n" }
        return text + """

            Everyone in this network can reach the service: use it for testing only. The Info.plist of the app's debug
            build needs NSAppTransportSecurity with NSAllowsLocalNetworking, since this is plain HTTP, and
            NSLocalNetworkUsageDescription. This has not been tested on a device yet.

            A phone's camera opens the demo's reading app. The part after # is the key, which a debug build may read:

            \(code(of: "\(urls[0])/demo/?device=phone#key=\(app.publishableKey)"))

            """
    }

    /// The code from README.md, with the address and the key filled in.
    static func snippet(url: String, key: String) -> String {
        [
            "import PlacekeeperKit", "", "let placekeeper = Placekeeper(URL(string: \"\(url)\")!, key: \"\(key)\")", "",
            "NavigationStack(path: $path) { Library(shelf: shelf) }",
            "    .keepsPlace($path, in: placekeeper, items: shelf.books, title: \"Library\")",
        ].map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n")
    }

    /// A line for an event, followed by its link code if it has one.
    func line(of event: DevEvent, _ words: DevEventText) -> String {
        let line = colored(words.text, words.tone.rawValue)
        guard let linkCode = event.linkCode else { return line }
        let text = "\(line). A second device joins this user with the link code \(linkCode), within ten minutes"
        return isOnNetwork ? "\(text)\n\n\(code(of: linkCode))\n" : text
    }

    /// A QR code, white on black, so the terminal's colors don't matter.
    private func code(of text: String) -> String {
        let lines = QRCode(Array(text.utf8))?.text.split(separator: "\n") ?? []
        return lines.map { colored(colored(String($0), 97), 40) }.joined(separator: "\n")
    }

    private func colored(_ text: String, _ number: Int) -> String {
        isColored ? "\u{1B}[\(number)m\(text)\u{1B}[0m" : text
    }
}
