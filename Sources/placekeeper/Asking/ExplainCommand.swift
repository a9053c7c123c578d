import RestorationService

extension Subcommand {
    static let explain = Subcommand(
        name: "explain", summary: "tell which archive a device would get, and why not the others",
        operands: ["APP"],
        options: [
            .data, .user, .device, .scene, .idiom, .layout, .bundleVersion, .systemVersion, .stateVersion, .json,
        ],
        discussion: """
            APP is a bundle identifier. The user is the one that registration answered with. With --device it answers
            for that device of the user, whose idiom holds unless --idiom is given; what a device threw away counts
            only there. Exit code 1 when nothing may be restored.
            """,
        examples: [
            (
                "explain com.example.photos --user 7d4f… --idiom pad --bundle-version 42",
                "prints the archives of the scene main from the newest on, each with what speaks against it"
            )
        ]
    ) { arguments throws(CommandFailure) in
        try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            let app = try await opened.app(arguments.operands[0])
            let device = try await opened.device(of: app, arguments)
            let context = try arguments.context(idiom: device.idiom)
            let scene = arguments.value(of: .scene) ?? ""
            let explanation = try await opened.ask { service async throws(ServiceError) in
                try await service.explainLatest(
                    in: scene, of: nil, for: context, caller: Caller(app: app, device: device))
            }
            if try arguments.isOn(.json) {
                try Output.json(ExplanationReport(explanation))
            } else {
                try Output.print(ExplanationReport(explanation).table)
            }
            return explanation.served == nil ? .failure : .success
        }
    }
}

extension Option {
    static let user = Option("user", "ID", help: "whose archives")
    static let device = Option("device", "ID", help: "for this device of the user")
    static let scene = Option("scene", "NAME", help: "of which scene", initial: "main")
    static let idiom = Option("idiom", "IDIOM", help: "phone, pad, tv, carPlay, mac or vision")
    static let layout = Option("layout", "LAYOUT", help: "compact or regular")
    static let bundleVersion = Option("bundle-version", "VERSION", help: "the app's version")
    static let systemVersion = Option("system-version", "VERSION", help: "the system's version")
    static let stateVersion = Option("state-version", "NUMBER", help: "the app's number for its interface")
}

extension Arguments {
    /// What a device is and runs, by the options; `idiom` when none is given.
    func context(idiom initial: Idiom) throws(CommandFailure) -> Context {
        var context = Context(idiom: initial)
        if let name = value(of: .idiom) {
            guard let idiom = Idiom(name: name) else {
                throw CommandFailure(.usage, "\(quoted(name)) is no idiom; --idiom takes \(Option.idiom.help)")
            }
            context.idiom = idiom
        }
        if let name = value(of: .layout) {
            guard let layout = Layout(name: name) else {
                throw CommandFailure(.usage, "\(quoted(name)) is no layout; --layout takes \(Option.layout.help)")
            }
            context.layout = layout
        }
        context.bundleVersion = value(of: .bundleVersion)
        context.systemVersion = value(of: .systemVersion)
        context.stateVersion = try number(of: .stateVersion, in: Int64.min...Int64.max)
        return context
    }
}

extension Wiring.Opened {
    /// The device that is asked for; without `--device` one that the user does not have yet.
    fileprivate func device(of app: App, _ arguments: Arguments) async throws(CommandFailure) -> Device {
        guard let text = arguments.value(of: .user), let user = UserID(text) else {
            throw CommandFailure(.usage, "give the user's id with --user: registration answers with it")
        }
        let owner = UserKey(app: app.id, user: user)
        guard let name = arguments.value(of: .device) else {
            guard arguments.value(of: .idiom) != nil else {
                throw CommandFailure(.usage, "say for what: --idiom phone, or --device ID for a device of the user")
            }
            let now = service.clock.now()
            return Device(
                id: .random(service.random), owner: owner, idiom: .phone, createdAt: now, lastSeenAt: now)
        }
        let devices: [Device]
        do throws(StoreError) {
            devices = try await service.store.devices(of: owner)
        } catch {
            throw CommandFailure(.unavailable, error.message)
        }
        guard let device = devices.first(where: { $0.id.description == name.lowercased() }) else {
            throw CommandFailure(.failure, "the user has no device \(quoted(name)); there are \(devices.count) others")
        }
        return device
    }
}
