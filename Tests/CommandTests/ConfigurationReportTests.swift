import Testing

@testable import placekeeper

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct ConfigurationReportTests {
    static let settings = Command.parser.subcommands.flatMap(\.allOptions).filter(\.isSetting)

    /// A directory that is deleted after the test.
    final class Folder {
        let path = FileManager.default.temporaryDirectory.appending(path: "placekeeper-\(UUID().uuidString)").path
        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) }
        deinit { try? FileManager.default.removeItem(atPath: path) }

        var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
        func write(_ text: String, to name: String) throws {
            try Data(text.utf8).write(to: URL(filePath: path + "/" + name))
        }
    }

    func report(
        _ flags: [String: String] = [:], environment: [String: String] = [:], file: String = ""
    ) throws -> ConfigurationReport {
        var arguments = Arguments()
        arguments.flags = flags.mapValues { [$0] }
        if flags["data"] == nil { arguments.flags["data"] = [FileManager.default.temporaryDirectory.path] }
        arguments.environment = environment
        arguments.file = ConfigurationFile(faultyText: file, options: Self.settings, name: "f")
        return ConfigurationReport(arguments, settings: Self.settings)
    }

    @Test func checksEverySettingOfTheService() {
        #expect(SettingCheck.all.map(\.option.name) == Subcommand.serve.options.map(\.name))
    }

    @Test func findsNoProblemsInTheDefaults() throws {
        #expect(try report() == report(["listen": "127.0.0.1:8080"]))
        #expect(try report().problems.isEmpty)
    }

    @Test func reportsAllProblemsAtOnceWithTheirSources() throws {
        let found = try report(
            ["listen": ":80", "maximum-bytes": "10G"],
            environment: [
                "PLACEKEEPER_LOG": "al", "PLACEKEEPER_LISEN": "x", "PLACEKEEPER_METRICS": "maybe",
                "PLACEKEEPER_DATABASE": "postgres://u:secret@h/d", "PLACEKEEPER_CORPORA": "x",
            ],
            file: "poller = select\nlisen = 1\nurl = ftp://u:secret@h\ntrusted-proxies = proxy")
        let expected = [
            "f, line 2: there is no setting \"lisen\"; did you mean listen?",
            "--listen is \":80\": give 127.0.0.1:80 for this machine alone",
            "url in \"f\" needs a URL",
            "the URL of the database has a password",
            "--maximum-bytes is \"10G\": give a size",
            "trusted-proxies in \"f\" is \"proxy\"",
            "PLACEKEEPER_LOG is \"al\": did you mean all?",
            "PLACEKEEPER_METRICS is \"maybe\": set it to true or false",
            "poller in \"f\" is \"select\": set it to",
            "PLACEKEEPER_LISEN is not a setting; did you mean PLACEKEEPER_LISTEN?",
        ]
        #expect(found.problems.count == expected.count)
        for (problem, start) in zip(found.problems, expected) { #expect(problem.hasPrefix(start), "\(problem)") }
        #expect(found.ignoredVariables == ["PLACEKEEPER_CORPORA"])
        #expect(!found.problems.contains { $0.contains("secret") })
    }

    /// The variables of tests and of the files in deploy, and those that Kubernetes makes for a Service placekeeper.
    @Test(arguments: [
        "APP", "ADDRESS", "CORPORA", "HISTORIES", "MUTATIONS", "MUTATION_SEED", "CRASH_CYCLES", "TEST_DATABASE",
        "DATABASE_FIXTURE", "POSTGRES_OPTIONS", "TARGETS", "TOKEN", "DAYS", "SEED", "BROWSER", "PAGE_URL", "PORT",
        "SERVICE_HOST", "SERVICE_PORT", "PORT_8080_TCP", "PORT_8080_TCP_ADDR",
    ])
    func ignoresAVariableOfAnotherProgram(name: String) throws {
        let found = try report(environment: ["PLACEKEEPER_" + name: "x"])
        #expect(found.problems.isEmpty && found.ignoredVariables == ["PLACEKEEPER_" + name], "\(found)")
    }

    @Test func acceptsADirectoryThatTheServiceCanCreateAndCreatesNothing() throws {
        let folder = try Folder()
        #expect(try report(["data": folder.path + "/new"]).problems.isEmpty)
        #expect(folder.names.isEmpty)
    }

    @Test func refusesDirectoriesThatTheServiceCannotUse() throws {
        let folder = try Folder()
        try folder.write("", to: "file")
        try FileManager.default.createDirectory(
            atPath: folder.path + "/data/placekeeper.sqlite", withIntermediateDirectories: true)
        for (path, says) in [
            ("/file", "Not a directory"), ("/none/deeper", "No such file or directory for"),
            ("/data", "it is a directory, and not a regular file for"),
        ] {
            let found = try report(["data": folder.path + path]).problems
            let start = "the data directory \"\(folder.path + path)\" cannot be used: \(says)"
            #expect(found.count == 1 && found[0].hasPrefix(start), "\(found)")
        }
        #expect(folder.names == ["data", "file"])
    }

    @Test func checksThePasswordFileOfADatabaseAndThePublicDirectory() throws {
        let password = "/none/password"
        let found = try report([
            "database": "postgres://u@h/d", "database-password-file": password, "public": "/none/public",
        ]).problems
        #expect(found.count == 2, "\(found)")
        #expect(found.first?.contains("\"/none/password\"") == true && found.last?.contains("/none/public") == true)
        // The service does not read the file without a database.
        #expect(try report(["database-password-file": password]).problems.isEmpty)
    }
}

@Suite struct SettingReportTests {
    func row(
        _ option: Option, flags: [String: String] = [:], environment: [String: String] = [:], file: String = ""
    ) -> [String] {
        var arguments = Arguments()
        arguments.flags = flags.mapValues { [$0] }
        arguments.environment = environment
        arguments.file = ConfigurationFile(faultyText: file, options: [option], name: "/etc/f")
        return SettingReport(option, of: arguments).row
    }

    @Test func namesTheSourceOfEachValue() {
        #expect(row(.listen) == ["listen", "127.0.0.1:8080", "default"])
        #expect(row(.url) == ["url", "–", "default"])
        #expect(row(.metrics) == ["metrics", "false", "default"])
        #expect(row(.metrics, flags: ["metrics": ""]) == ["metrics", "true", "--metrics"])
        #expect(row(.log, environment: ["PLACEKEEPER_LOG": "all"]) == ["log", "all", "PLACEKEEPER_LOG"])
        #expect(row(.data, file: "data = /d") == ["data", "/d", "/etc/f"])
    }

    @Test(arguments: [
        (Option.database, "postgres://u:secret@h/d"), (.database, "host=h password=secret"),
        (.database, "postgres://h/d?password=secret"), (.url, "https://u:secret@h"), (.url, "secret"),
    ])
    func neverShowsASecret(option: Option, value: String) throws {
        var arguments = Arguments()
        arguments.environment[option.variable] = value
        let report = SettingReport(option, of: arguments)
        #expect(report.isHidden && report.value == nil)
        #expect(!report.row.joined().contains("secret"))
        #expect(!String(decoding: try JSONEncoder().encode(report), as: UTF8.self).contains("secret"))
    }

    @Test func showsThePathOfAPasswordFile() {
        let row = row(.databasePassword, flags: ["database-password-file": "/run/password"])
        #expect(row == ["database-password-file", "/run/password", "--database-password-file"])
    }
}
