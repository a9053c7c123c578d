extension Subcommand {
    static let serve = Subcommand(
        name: "serve", summary: "run the service",
        options: [
            .listen, .url, .data, .database, .databasePassword, .databaseConnections, .usersPerTransaction,
            .publicFiles, .maximumBytes, .trustedProxies, .clientAddressField, .clientSchemeField, .log, .metrics,
            .metricsListen, .alertCommand, .poller,
        ],
        discussion: """
            The service stores all data in one SQLite database in the data directory, or in PostgreSQL with --database.
            A missing directory is created. The service prints `listening on http://…` to standard error when it is
            ready. While a database is migrated, or PostgreSQL is away, the service answers 503 and waits. SIGTERM or
            SIGINT shuts the service down gracefully within 25 seconds. A second signal ends the service at once. Behind
            a proxy, set --url to the proxy's URL, so that the link that creates the first administrator works.
            """,
        examples: [
            ("serve", "listens on 127.0.0.1:8080, with the database in ./data"),
            (
                "serve --listen 127.0.0.1:0 --data DIR --public Public",
                "listens on any free port, and serves the pages of the directory Public at /"
            ),
            ("serve --listen 9000 --maximum-bytes 10GB", "listens on 127.0.0.1:9000, and limits the database"),
            ("serve --url https://places.example.com", "prints links with the URL of a proxy"),
            ("serve --config /etc/placekeeper/placekeeper.conf", "reads the settings from a file"),
        ]
    ) { arguments throws(CommandFailure) in
        try await RunningService.run(arguments)
    }
}
