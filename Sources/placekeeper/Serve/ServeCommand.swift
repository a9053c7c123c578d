extension Subcommand {
    static let serve = Subcommand(
        name: "serve", summary: "run the service",
        options: [.listen, .data, .publicFiles, .maximumBytes, .clientAddressField, .log, .bench],
        discussion: """
            It keeps everything in one SQLite database in the data directory, which it makes when it is not there, and
            prints `listening on http://…` on standard error once it answers. SIGTERM and SIGINT let it finish what is
            in work, 25 seconds at most; a second one ends it at once.
            """,
        examples: [
            ("serve", "listens on 127.0.0.1:8080, with its database in ./data"),
            ("serve --listen 127.0.0.1:0 --data DIR --public Public", "on any free port, with the status page at /"),
            ("serve --config /etc/placekeeper.conf", "takes its settings from a file"),
        ]
    ) { arguments throws(CommandFailure) in
        FreedMemory.returnToSystem()
        // From here on, so that a signal that comes while it starts lets it end in order, too.
        let signals = try StopSignals()
        DescriptorLimit.raise()
        let service = try await RunningService(arguments)
        await service.run(until: signals.first)
        // Its sources end with it, and the second signal would do nothing.
        withExtendedLifetime(signals) {}
        return .success
    }
}
