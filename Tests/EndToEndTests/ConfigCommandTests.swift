import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.onOwnThreads) struct ConfigCommandTests {
    struct Setting: Decodable {
        var name: String
        var value: String?
        var source: String
        var file: String?
    }

    struct Report: Decodable, Equatable {
        var problems: [String]
        var ignoredVariables: [String]
    }

    let folder: TemporaryDirectory
    private var file: String { folder.path + "/placekeeper.conf" }

    init() throws { folder = try TemporaryDirectory() }

    private func run(_ line: String..., environment: [String: String] = [:]) throws -> ChildProcess {
        let process = try ChildProcess(line, environment: environment)
        process.wait()
        return process
    }

    @Test func showsWhereEachValueComesFrom() throws {
        try Data("log = all\nmaximum-bytes = 10GB\n".utf8).write(to: URL(filePath: file))
        let shown = try run(
            "config", "show", "--config", file, "--listen", "9000", "--json",
            environment: ["PLACEKEEPER_LOG": "errors", "PLACEKEEPER_DATABASE_PASSWORD_FILE": "/run/password"])
        #expect(shown.wait() == .exit(0))
        let settings = try JSONDecoder().decode([Setting].self, from: Data(shown.standardOutput.utf8))
        func found(_ name: String) -> [String?] {
            settings.first { $0.name == name }.map { [$0.value, $0.source, $0.file] } ?? []
        }
        #expect(found("listen") == ["9000", "flag", nil])
        #expect(found("log") == ["errors", "variable", nil])
        #expect(found("maximum-bytes") == ["10GB", "file", file])
        #expect(found("trusted-proxies") == ["127.0.0.0/8,::1", "default", nil])
        #expect(found("database-password-file") == ["/run/password", "variable", nil])
        let table = try run("config", "show", "--listen", "9000").standardOutput
        #expect(table.contains(/\nlisten +9000 +--listen\n/), "\(table)")
    }

    @Test func reportsAllProblemsAtOnceAndCreatesNothing() throws {
        try Data("lisen = 1\nlog = most\n".utf8).write(to: URL(filePath: file))
        let line = ["config", "check", "--config", file, "--data", folder.path + "/data", "--maximum-bytes", "10G"]
        let environment = ["PLACEKEEPER_LISEN": "1", "PLACEKEEPER_CORPORA": "x", "PLACEKEEPER_METRICS": "maybe"]
        let checked = try ChildProcess(line, environment: environment)
        #expect(checked.wait() == .exit(78))
        #expect(checked.standardOutput.isEmpty)
        let sentences = checked.standardError.split(separator: "\n")
        #expect(sentences.count == 6 && sentences.allSatisfy { $0.hasPrefix("placekeeper: ") }, "\(sentences)")
        let printed = try ChildProcess(line + ["--json"], environment: environment)
        #expect(printed.wait() == .exit(78) && printed.standardError.isEmpty)
        let report = try JSONDecoder().decode(Report.self, from: Data(printed.standardOutput.utf8))
        #expect(report.problems.map { "placekeeper: " + $0 } == sentences.prefix(5).map(String.init))
        #expect(report.ignoredVariables == ["PLACEKEEPER_CORPORA"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["placekeeper.conf"])
    }

    @Test func acceptsTheSettingsOfARunningService() throws {
        let service = try RunningService()
        let checked = try run("config", "check", "--data", service.data.path)
        #expect(checked.wait() == .exit(0))
        #expect(checked.standardOutput == "no problems found\n" && checked.standardError.isEmpty)
        #expect(try service.request("GET", "/readyz").status == 200)
    }
}

@Suite(.onOwnThreads) struct ManCommandTests {
    @Test func writesThePagesAgainButReplacesNoOtherFile() throws {
        let folder = try TemporaryDirectory()
        let directory = folder.path + "/pages"
        for _ in 1...2 { #expect(try ChildProcess.run("man", "--output", directory).end == .exit(0)) }
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        #expect(names.contains("placekeeper.1") && names.contains("placekeeper-app-create.1"))
        #expect(names.contains("placekeeper.conf.5") && !names.contains { $0.hasSuffix(".partial") })
        let page = URL(filePath: directory + "/placekeeper-serve.1")
        let mode = try FileManager.default.attributesOfItem(atPath: page.path)[.posixPermissions] as? Int
        #expect(mode == 0o644)
        #expect(try String(contentsOf: page, encoding: .utf8) == ChildProcess.run("man", "serve").output)

        try Data("mine".utf8).write(to: page)
        let refused = try ChildProcess.run("man", "--output", directory)
        #expect(refused.end == .exit(1))
        #expect(refused.error.contains("placekeeper-serve.1") && refused.error.contains("it is not a page"))
        #expect(try String(contentsOf: page, encoding: .utf8) == "mine")
    }
}

@Suite(.onOwnThreads, .onSQLite) struct NextStepTests {
    /// Runs commands on a terminal, which also gets standard error.
    private func onTerminal(_ line: [String]) throws -> String {
        let words = ([try ChildProcess.builtCommand()] + line).map { "'\($0)'" }.joined(separator: " ")
        let process = try ChildProcess(program: "/usr/bin/script", ["-qec", words, "/dev/null"])
        #expect(process.wait() == .exit(0))
        return process.standardOutput.filter { $0 != "\r" }.replacing("\r\n", with: "\n")
    }

    @Test(.onLinux) func showsTheNextStepOnATerminalOnly() throws {
        let folder = try TemporaryDirectory()
        let (data, backup) = (folder.path + "/data", folder.path + "/b.sqlite")
        let (password, secret) = (folder.path + "/password", folder.path + "/secret")
        for (path, text) in [(password, "correct horse battery\n"), (secret, String(repeating: "s", count: 32))] {
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
            try #require(
                FileManager.default.createFile(atPath: path, contents: Data(text.utf8), attributes: attributes))
        }
        let steps: [(line: [String], next: String)] = [
            (["config", "check", "--data", data], "next: placekeeper serve --data \(data)"),
            (
                ["app", "create", "com.example.photos", "--data", data],
                "next: placekeeper serve --data \(data); in the app: "
            ),
            (
                ["admin", "create", "anna", "--role", "owner", "--password-file", password, "--data", data],
                "next: log in at http://127.0.0.1:8080/admin/\n"
            ),
            (
                ["app", "keys", "com.example.photos", "--add-secret", secret, "--data", data],
                "next: placekeeper app policy com.example.photos --data \(data) --set registration=token\n"
            ),
            (
                ["backup", "create", backup, "--data", data],
                "next: test it with placekeeper backup verify \(backup) --data \(data)\n"
            ),
            (["backup", "restore", backup, "--data", data + "2"], "next: placekeeper serve --data \(data)2\n"),
        ]
        for step in steps {
            let output = try onTerminal(step.line)
            #expect(output.contains("\n" + step.next), "\(output)")
            #expect(output.split(separator: "\n").count { $0.hasPrefix("next: ") } == 1)
        }
        #expect(try !onTerminal(["config", "check", "--data", data, "--json"]).contains("next:"))
        let piped = try ChildProcess.run("config", "check", "--data", data)
        #expect(piped.output == "no problems found\n" && piped.error.isEmpty)
    }
}
