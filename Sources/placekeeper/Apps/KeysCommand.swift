import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTokens

extension Subcommand {
    static let appKeys = Subcommand(
        name: "app keys", summary: "show the keys for an app's sign-in tokens, or change them",
        operands: ["ID"],
        options: [
            .data, .database, .databasePassword, .addKey, .addSecret, .keyIdentifier, .removeKey, .keysFile,
            .noKeysFile, .json,
        ],
        discussion: """
            With registration=token (see app policy) a user signs in with a token of the app's own backend. The
            service verifies the token with these keys. docs/sign-in.md describes the tokens.
            --add reads a JWK, a set of JWKs, or a public key in PEM. --add-secret uses the bytes of a file, exactly as
            they are, as a secret for HS256. For both, - means standard input. Other users must not be able to read a
            file with a secret. The command never prints a secret.
            --file names a file with a set of JWKs that a running service reads again when the file changes.
            A service that runs on the same directory applies the change within a second.
            """,
        examples: [
            ("app keys com.example.photos", "lists the keys"),
            ("app keys com.example.photos --add public.pem --kid 2026-11", "adds a public key"),
            ("app keys com.example.photos --add-secret secret --kid 2026-11", "adds a secret for HS256"),
            ("app keys com.example.photos --remove 2026-10", "removes a key"),
            (
                "app keys com.example.photos --file /var/lib/placekeeper-keys/com.example.photos.json",
                "also uses the keys of a file"
            ),
        ]
    ) { arguments throws(CommandFailure) in
        // Read the files before opening the database.
        let change = try KeyChange(arguments)
        return try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            var app = try await opened.app(arguments.operands[0])
            let known = app
            if try change.apply(to: &app.settings.signIn) {
                let settings = app.settings
                try await opened.record(.keysChanged, in: app.id)
                let isReplaced = try await opened.ask { service async throws(ServiceError) in
                    try await service.apps.replaceSettings(of: known, with: settings, changing: [], by: .person)
                }
                guard isReplaced else {
                    throw CommandFailure(.failure, "the app's settings were changed at the same time; try again")
                }
            }
            let report = KeysReport(app.settings.signIn)
            let name = shellQuoted(app.bundleIdentifier) + arguments.sharedFlags
            let next =
                app.settings.registration == .token
                ? "placekeeper app check-token \(name) < TOKEN-FILE"
                : "placekeeper app policy \(name) --set registration=token"
            try Output.show(report, as: report.text, next: report.keys.isEmpty ? nil : next, for: arguments)
            return .success
        }
    }

    static let appCheckKeys = Subcommand(
        name: "app check-keys", summary: "check a file with a set of keys before a service uses it",
        operands: ["FILE"], options: [.json],
        discussion: """
            Exit code 0 means that a service can use FILE, a set of JWKs. A timer can check a downloaded file with
            this command before it replaces the file that the service reads. A set without a key for HS256, RS256 or
            ES256 is valid: it withdraws all keys of the file.
            """,
        examples: [("app check-keys downloaded.json", "lists the keys of the file, or says why it cannot be used")]
    ) { arguments throws(CommandFailure) in
        let path = arguments.operands[0]
        let keys = try KeysReport.usableKeys(of: path)
        var report = KeysReport()
        report.add(keys, from: .file)
        let text =
            keys.isEmpty ? "0 keys: with this file, only the keys in the database count" : report.text
        try Output.show(
            report, as: text, next: "placekeeper app keys APP --file /ABSOLUTE/PATH", for: arguments)
        return .success
    }
}

extension Option {
    static let addKey = Option("add", "FILE", help: "add the keys of a file: a JWK, a set of JWKs, or PEM")
    static let addSecret = Option("add-secret", "FILE", help: "add the bytes of a file as a secret for HS256")
    static let keyIdentifier = Option("kid", "KID", help: "identifier of the added key, if its file has none")
    static let removeKey = Option("remove", "KID", help: "remove the key with an identifier or a thumbprint")
    static let keysFile = Option("file", "PATH", help: "also use the keys of this file, a set of JWKs")
    static let noKeysFile = Option("no-file", help: "stop using a key file")
}
