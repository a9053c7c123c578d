import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperServer
import PlacekeeperService

extension Subcommand {
    static let explain = Subcommand(
        name: "explain", summary: "print the archive that a device would get, and the reasons against the others",
        operands: ["APP"],
        options: [
            .data, .database, .databasePassword, .user, .device, .scene, .idiom, .layout, .bundleVersion,
            .systemVersion, .stateVersion, .json,
        ],
        discussion: """
            APP is a bundle identifier. With --device the command answers for that device of the user. The default
            idiom is the device's idiom. An archive that a device abandoned is excluded for that device only. With
            --idiom and without --device, the command answers for a new device. Without both options, it answers for
            the user's only device, or lists the devices. Without --bundle-version and --state-version, it uses and
            prints the versions with which the device last stored an archive or reported an outcome. Exit code 1 means
            that no archive may be restored. --json prints the response of GET …/archives/latest/explanation.
            """,
        examples: [
            (
                "explain com.example.photos --user 7d4f… --idiom pad --bundle-version 42",
                "prints the archives of the scene main, newest first, with the reasons against each archive"
            ),
            ("explain com.example.photos --user 7d4f…", "answers for the user's only device, or lists the devices"),
        ]
    ) { arguments throws(CommandFailure) in
        try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            let app = try await opened.app(arguments.operands[0])
            let device = try await opened.selectedDevice(of: app, arguments)
            let given = try arguments.context(idiom: device.idiom)
            let scene = arguments.value(of: .scene) ?? ""
            let explanation = try await opened.ask { service async throws(ServiceError) in
                let principal = Principal(app: app, device: device)
                var context = given
                context.complete(by: try await service.restores.lastContext(in: scene, for: principal))
                return try await service.restores.explainLatest(in: scene, of: nil, for: context, principal: principal)
            }
            if try arguments.isOn(.json) {
                try Output.json(Wire.Explanation(explanation))
            } else {
                if explanation.asked != given { try Output.print(explanation.asked.assumption(over: given)) }
                try Output.print(explanation.table)
                if !explanation.references.isEmpty { try Output.print("\n" + explanation.referenceText) }
            }
            if explanation.lacksVersion {
                Output.report("placekeeper: no version is given, which counts as version 0; give --bundle-version")
            }
            return explanation.served == nil ? .failure : .success
        }
    }
}

extension Option {
    static let user = Option(
        "user", "ID", help: "the user's id, from the response to registering a device", isRequired: true)
    static let device = Option("device", "ID", help: "a device of the user")
    static let scene = Option("scene", "NAME", help: "the scene", initial: "main")
    static let idiom = Option(
        "idiom", "IDIOM", help: "the kind of the device",
        words: Idiom.allCases.filter { $0 != .unspecified }.map(\.name))
    static let layout = Option("layout", "LAYOUT", help: "the device's layout", words: ["compact", "regular"])
    static let bundleVersion = Option("bundle-version", "VERSION", help: "the app's version")
    static let systemVersion = Option("system-version", "VERSION", help: "the system's version")
    static let stateVersion = Option("state-version", "NUMBER", help: "the app's version number of its state")
}

extension Context {
    /// Returns a line with the options that are assumed in addition to the given ones.
    fileprivate func assumption(over given: Context) -> String {
        let options = [
            given.bundleVersion == nil ? bundleVersion.map { "--bundle-version \(escapedForTerminal($0))" } : nil,
            given.systemVersion == nil ? systemVersion.map { "--system-version \(escapedForTerminal($0))" } : nil,
            given.stateVersion == nil ? stateVersion.map { "--state-version \($0)" } : nil,
        ].compactMap(\.self)
        return "answered for \(options.joined(separator: " ")), the device's last known versions"
    }
}

extension Arguments {
    /// Returns the device context from the options. The parameter `idiom` is the default idiom.
    func context(idiom initial: Idiom) throws(CommandFailure) -> Context {
        var context = Context(idiom: initial)
        context.idiom = try word(of: .idiom).flatMap(Idiom.init(name:)) ?? initial
        context.layout = try word(of: .layout).flatMap(Layout.init(name:))
        context.bundleVersion = value(of: .bundleVersion)
        context.systemVersion = value(of: .systemVersion)
        context.stateVersion = try number(of: .stateVersion, in: Int64.min...Int64.max)
        return context
    }
}
