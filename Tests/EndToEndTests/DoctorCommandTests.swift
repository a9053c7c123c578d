import PlacekeeperHTTP
import PlacekeeperPostgresServer
import PlacekeeperServer
import PlacekeeperSockets
import PlacekeeperSystem
import Testing

@testable import placekeeper

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Plants faults in a real installation. `DoctorTests` has those that a test cannot make.
@Suite(.onOwnThreads) struct DoctorCommandTests {
    private struct Finding: Decodable {
        var check: String
        var result: String
        var text: String
        var action: String?
    }

    private let data: TemporaryDirectory
    private let files: TemporaryDirectory

    init() throws {
        (data, files) = (try TemporaryDirectory(), try TemporaryDirectory())
        // As `serve` creates it.
        try #require(chmod(data.path, 0o700) == 0)
    }

    private func examine(_ words: String..., environment: [String: String] = [:]) throws -> [Finding] {
        let start = ContinuousClock.now
        let outcome = try ChildProcess(
            ["doctor", "--json", "--data", data.path] + words, environment: environment
        ).outcome()
        guard outcome.error.isEmpty else { throw ChildProcess.Failure(description: outcome.error) }
        let findings = try JSONDecoder().decode([Finding].self, from: Data(outcome.output.utf8))
        #expect(outcome.end == .exit(findings.contains { $0.result == "problem" } ? 1 : 0))
        for finding in findings where finding.result == "problem" { #expect(finding.action?.isEmpty == false) }
        #expect(ContinuousClock.now - start < .seconds(120))
        return findings
    }

    /// The machine of the test may have no synchronized clock, a full disk, or a unit.
    private func problems(_ words: String..., environment: [String: String] = [:]) throws -> [String] {
        let outcome = try ChildProcess(
            ["doctor", "--json", "--data", data.path] + words, environment: environment
        ).outcome()
        return try JSONDecoder().decode([Finding].self, from: Data(outcome.output.utf8))
            .filter { $0.result == "problem" && !["clock", "disk", "unit", "files"].contains($0.check) }
            .map { $0.check + ": " + $0.text }
    }

    /// A service with an app and a backup.
    private func makeService(_ options: String...) throws -> RunningService {
        let service = try RunningService(data: data, options: options)
        _ = try service.createApp()
        let made = try ChildProcess.run("backup", "create", files.path + "/backup", "--data", data.path)
        try #require(made.end == .exit(0), "\(made.error)")
        return service
    }

    @Test(.onSQLite) func findsNothingInASoundInstallation() throws {
        let service = try makeService()
        let address = "127.0.0.1:\(service.port)"
        #expect(try problems("--listen", address) == [])
        let findings = try examine("--listen", address)
        #expect(findings.first { $0.check == "service" }?.text == "http://\(address) is ready")
        #expect(findings.first { $0.check == "files" }?.text.hasPrefix("the service may open") == true)
        service.stop()
        #expect(try problems("--listen", address) == [])
        #expect(try examine("--listen", address).first { $0.check == "service" }?.text == "no service runs")
        // It has changed nothing.
        #expect(try ChildProcess.run("backup", "verify", "--data", data.path).end == .exit(0))
    }

    @Test func findsAMissingDirectoryAndAMissingDatabase() throws {
        let missing = files.path + "/none"
        let outcome = try ChildProcess.run("doctor", "--data", missing, environment: ["PLACEKEEPER_DATABASE": ""])
        #expect(outcome.end == .exit(1))
        #expect(outcome.output.contains("PROBLEM  directory: there is no data directory"), "\(outcome.output)")
        #expect(!FileManager.default.fileExists(atPath: missing))
        guard !TestDatabase.isPostgreSQL else { return }
        #expect(try problems().contains("sqlite: the data directory has no database"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: data.path) == [])
    }

    @Test(.onSQLite) func findsWrongRights() throws {
        let service = try makeService()
        let address = "127.0.0.1:\(service.port)"
        try #require(chmod(data.path, 0o755) == 0)
        #expect(try problems("--listen", address).first?.contains("have rights to") == true)
        try #require(chmod(data.path, 0o700) == 0)
        try #require(chmod(data.path + "/last-backup.json", 0o644) == 0)
        #expect(try problems("--listen", address).first?.contains("last-backup.json") == true)
        try #require(chmod(data.path + "/last-backup.json", 0o600) == 0)
        guard geteuid() == 0 else { return }
        try #require(chown(data.path + "/last-backup.json", 65_534, 65_534) == 0)
        #expect(try problems("--listen", address).first?.contains("does not belong to the owner") == true)
    }

    @Test(.onSQLite) func findsAWrongSetting() throws {
        _ = try makeService()
        #expect(try problems("--listen", "nowhere").first?.hasPrefix("settings: ") == true)
    }

    @Test(.onSQLite, .onLinux) func findsAnotherProgramOnTheDatabase() throws {
        let service = try makeService()
        let script = "exec 3<'\(data.path)/placekeeper.sqlite'; echo open >&2; exec sleep 1000"
        let stranger = try ChildProcess(program: "/bin/sh", ["-c", script])
        _ = stranger.line(after: "open")
        let found = try problems("--listen", "127.0.0.1:\(service.port)")
        #expect(found.count == 1 && found[0].contains("the program sleep, process \(stranger.pid)"), "\(found)")
    }

    @Test(.onSQLite, .onLinux) func findsALowLimitOfOpenFiles() throws {
        let command = try ChildProcess.builtCommand()
        let script = "ulimit -n 1000; exec '\(command)' doctor --json --data '\(data.path)'"
        let outcome = try ChildProcess(program: "/bin/sh", ["-c", script]).outcome()
        #expect(outcome.output.contains("a service that is started here may open only 1000 files"))
    }

    @Test(.onSQLite) func findsADatabaseThatCannotBeUsed() throws {
        _ = try makeService().stop()
        let database = data.path + "/placekeeper.sqlite"
        let whole = try Data(contentsOf: URL(filePath: database))
        for (sql, text) in [
            ("PRAGMA user_version = 99", "schema version 99"), ("PRAGMA user_version = 9", "of an earlier placekeeper"),
            ("PRAGMA application_id = 1", "not a database of Placekeeper"),
        ] {
            try DatabaseFile(path: database).run(sql)
            let found = try problems()
            #expect(found.contains { $0.hasPrefix("sqlite: ") && $0.contains(text) }, "\(found)")
            try whole.write(to: URL(filePath: database))
            try #require(chmod(database, 0o600) == 0)
        }
        try Data(repeating: 0x41, count: 8192).write(to: URL(filePath: database))
        try #require(chmod(database, 0o600) == 0)
        #expect(try problems().contains { $0.hasPrefix("sqlite: ") })
        #expect(try Data(contentsOf: URL(filePath: database)) == Data(repeating: 0x41, count: 8192))
    }

    @Test(.onSQLite) func findsFaultsOfBackupsKeysAndTheErasureLog() throws {
        let service = try RunningService.withLargeDatabase(data: data)
        let address = "127.0.0.1:\(service.port)"
        #expect(try problems("--listen", address) == ["backups: no backup was made"])
        let backup = files.path + "/backup"
        #expect(try ChildProcess.run("backup", "create", backup, "--data", data.path).end == .exit(0))
        #expect(try ChildProcess.failedBackup(to: files.path + "/failed", of: data.path).end == .exit(69))
        #expect(try problems("--listen", address).first?.contains("failed: ") == true)
        #expect(try ChildProcess.run("backup", "create", backup, "--data", data.path, "--replace").end == .exit(0))
        #expect(try problems("--listen", address) == [])
        try Data("short".utf8).write(to: URL(filePath: backup))
        #expect(try problems("--listen", address).first?.contains("has 5 bytes") == true)
        #expect(try ChildProcess.run("backup", "create", files.path + "/new", "--data", data.path).end == .exit(0))

        let keys = files.path + "/keys.json"
        try Data(#"{"keys":[{"kty":"oct","k":"YSBzZWNyZXQgb2YgYXQgbGVhc3QgdGhpcnR5LXR3byBieXRlcw"}]}"#.utf8)
            .write(to: URL(filePath: keys))
        try #require(chmod(keys, 0o600) == 0)
        let added = try ChildProcess.run("app", "keys", "com.example.photos", "--file", keys, "--data", data.path)
        try #require(added.end == .exit(0), "\(added.error)")
        #expect(try problems("--listen", address) == [])
        try #require(chmod(keys, 0o644) == 0)
        #expect(try problems("--listen", address).contains { $0.hasPrefix("keys: ") && $0.contains("chmod 600") })
        try FileManager.default.removeItem(atPath: keys)
        #expect(try problems("--listen", address).contains { $0.hasPrefix("keys: ") })
        service.stop()
        let log = data.path + "/erasures.log"
        try Data("1 not-a-time\n".utf8).write(to: URL(filePath: log))
        try #require(chmod(log, 0o600) == 0)
        #expect(try problems().contains { $0.contains("erasures.log is damaged") })
    }

    @Test(.onSQLite) func findsAServiceThatDoesNotAnswer() throws {
        let service = try makeService()
        service.process.send(SIGSTOP)
        defer { service.process.send(SIGCONT) }
        let found = try problems("--listen", "127.0.0.1:\(service.port)")
        #expect(found.contains { $0.contains("uses the data directory, but") && $0.contains("no answer in time") })
    }

    /// The path of a folder with a program of this name, which prints a text and ends.
    private func plant(_ program: String, _ script: String) throws -> String {
        let folder = files.path + "/bin"
        // Another process writes the file: this one may start a child that still has it open for writing.
        let text = "mkdir -p '\(folder)'; cat >'\(folder)/\(program)'; chmod 700 '\(folder)/\(program)'"
        let source = files.path + "/script"
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: source))
        try #require(try ChildProcess(program: "/bin/sh", ["-c", text], input: source).wait() == .exit(0))
        return folder + ":/usr/bin:/bin"
    }

    @Test(.onSQLite) func findsAFailedUnit() throws {
        _ = try makeService().stop()
        let path = try plant(
            "systemctl", "printf 'LoadState=loaded\\nActiveState=failed\\nResult=exit-code\\nNRestarts=0\\n'")
        let unit = try examine(environment: ["PATH": path]).filter { $0.check == "unit" }
        #expect(unit.map(\.text) == ["the service has failed (exit-code)"])
    }

    @Test(.onSQLite) func waitsForNoProgramWithoutEnd() throws {
        _ = try makeService().stop()
        let path = try plant("systemctl", "exec sleep 1000")
        let unit = try examine(environment: ["PATH": path]).filter { $0.check == "unit" }
        #expect(unit.map(\.text) == ["systemctl did not answer"])
    }

    /// A proxy that sends requests on with other fields.
    private struct Proxy: Responder {
        let port: UInt16
        let fields: @Sendable (RequestHead) -> [(String, String)]

        func admit(_ head: RequestHead, from peer: String) -> Admission { .accept(bodyLimit: 0) }

        func answer(to request: Request) -> Answer {
            .handler { [port, fields] in
                let reply = try? Connection(port: port).request("GET", "/version", fields: fields(request.head))
                var response = Response(.ok)
                response.body = .bytes(reply?.body ?? [])
                return response
            }
        }

        func response(to refusal: Refusal, of head: RequestHead?, from peer: String) -> Response { Response(.ok) }
    }

    private func throughProxy(
        to service: RunningService, _ settings: [String],
        _ fields: @escaping @Sendable (RequestHead) -> [(String, String)]
    ) async throws -> [String] {
        let proxy = try Wiring.listen(
            at: SocketAddress(host: "127.0.0.1", port: 0), Proxy(port: service.port, fields: fields))
        proxy.start()
        let outcome = try ChildProcess(
            [
                "doctor", "http://\(proxy.address)", "--json", "--data", data.path, "--listen",
                "127.0.0.1:\(service.port)",
            ] + settings
        ).outcome()
        await proxy.drain(within: .seconds(1))
        return try JSONDecoder().decode([Finding].self, from: Data(outcome.output.utf8))
            .filter { $0.check == "proxy" }.map { $0.result == "ok" ? "ok" : $0.text }
    }

    @Test(.onSQLite) func comparesTheProxysFieldsWithTheSettings() async throws {
        let settings = ["--client-address-field", "X-Forwarded-For", "--client-scheme-field", "X-Forwarded-Proto"]
        let service = try RunningService(data: data, options: settings)
        let sound: @Sendable (RequestHead) -> [(String, String)] = { _ in
            [("X-Forwarded-For", "203.0.113.7"), ("X-Forwarded-Proto", "http")]
        }
        let found = try await throughProxy(to: service, settings, sound)
        // `Connection` sends another host than the client.
        #expect(found.count == 1 && found[0].contains("changes the field Host"), "\(found)")
        let silent = try await throughProxy(to: service, settings) { _ in [] }
        #expect(silent.contains { $0.contains("no field X-Forwarded-For was taken") }, "\(silent)")
        let careless = try await throughProxy(to: service, settings) { head in
            [
                ("X-Forwarded-For", head[FieldName("X-Forwarded-For")]),
                ("X-Forwarded-Proto", head[FieldName("X-Forwarded-Proto")]),
            ].compactMap {
                name, value in value.map { (name, String(decoding: $0, as: UTF8.self)) }
            }
        }
        #expect(careless.contains { $0.contains("clients choose their address") }, "\(careless)")
        #expect(careless.contains { $0.contains("over http counts as https") }, "\(careless)")
        let unset = try await throughProxy(to: service, [], sound)
        #expect(unset.contains { $0.contains("count as one") }, "\(unset)")
        let away = try problems("http://127.0.0.1:1")
        #expect(away.contains { $0.hasPrefix("proxy: http://127.0.0.1:1 cannot be reached") }, "\(away)")
    }

    @Test(.enabled(if: PostgresServer.isNeeded, "\(PostgresServer.skipped)"))
    func findsFaultsOfAPostgreSQLServer() throws {
        let url = try TestDatabase.makeDatabase()
        let server = try #require(PostgresServer.shared)
        try server.change("synchronous_commit", to: "on", in: url)
        // The server of the tests is fast, and not durable.
        let others = ["fsync", "full_page_writes"].map { "database: \($0) is off" }
        func faults(_ words: String...) throws -> [String] {
            let found = try ChildProcess(["doctor", "--json", "--data", data.path, "--database"] + words).outcome()
                .output
            let problems = try JSONDecoder().decode([Finding].self, from: Data(found.utf8))
                .filter { $0.result == "problem" && ["database", "keys"].contains($0.check) }
            return problems.map { "\($0.check): \($0.text)" }.filter { text in !others.contains { text.hasPrefix($0) } }
        }
        #expect(try problems("--database", url).filter { text in others.contains { text.hasPrefix($0) } }.count == 2)
        #expect(try faults(url) == ["database: the database has no tables"])
        let created = try ChildProcess.run(
            "app", "create", "com.example.photos", "--data", data.path, "--database", url)
        try #require(created.end == .exit(0), "\(created.error)")
        #expect(try faults(url) == [])
        try server.change("synchronous_commit", to: "off", in: url)
        #expect(try faults(url).first?.contains("synchronous_commit is off") == true)
        try server.change("synchronous_commit", to: "on", in: url)
        try server.change("default_transaction_read_only", to: "on", in: url)
        #expect(try faults(url).count == 1)
        try server.change("default_transaction_read_only", to: "off", in: url)
        #expect(try faults("postgres:///none?host=\(files.path)").first?.hasPrefix("database: ") == true)
        let password = files.path + "/password"
        try Data("secret\n".utf8).write(to: URL(filePath: password))
        try #require(chmod(password, 0o644) == 0)
        let found = try faults(url, "--database-password-file", password)
        #expect(found.count == 1 && found[0].contains("password file"), "\(found)")
    }
}
