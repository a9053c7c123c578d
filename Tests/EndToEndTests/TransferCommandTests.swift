import PlacekeeperPostgresServer
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.onOwnThreads, .onSQLite, .enabled(if: PostgresServer.isNeeded, "PostgreSQL is not installed"))
struct TransferCommandTests {
    private struct Report: Decodable {
        var tables: [String: Int]
        var digest: String
        var digestOfCopy: String
    }

    private static let latest = "/v1/scenes/main/archives/latest?idiom=phone&bundleVersion=42"

    private func transfer(_ line: String...) throws -> ChildProcess.Outcome {
        try ChildProcess(["transfer"] + line).outcome()
    }

    private func report(_ line: String...) throws -> Report {
        let process = try ChildProcess(["transfer"] + line + ["--json"])
        guard process.wait() == .exit(0) else { throw ChildProcess.Failure(description: process.standardError) }
        return try JSONDecoder().decode(Report.self, from: Data(process.standardOutput.utf8))
    }

    @Test func servesTheSameDataFromPostgreSQLAndFromSQLiteAgain() throws {
        let url = try TestDatabase.makeDatabase()
        let service = try RunningService()
        let data = service.data.path
        let phone = try service.register(app: try service.createApp(), idiom: "phone")
        let (first, second) = (try UniqueArchive(size: 40_000), try UniqueArchive(size: 4000))
        #expect(
            try service.request("PUT", first.path(in: "main"), token: phone.token, body: first.bytes).status == 201)
        let served = try service.request("GET", Self.latest, token: phone.token)
        let tag = try #require(served["ETag"])
        let changes = try service.request("GET", "/v1/changes?after=0", token: phone.token).text
        let running = try transfer("to-postgresql", "--data", data, "--database", url)
        #expect(running.end == .exit(69) && running.error.contains("another service runs"), "\(running.error)")
        service.stop()

        let there = try report("to-postgresql", "--data", data, "--database", url)
        #expect(there.digest == there.digestOfCopy && there.digest.count == 64)
        #expect(there.tables["archive"] == 1 && there.tables["device"] == 1)
        let again = try transfer("to-postgresql", "--data", data, "--database", url)
        #expect(again.end == .exit(1) && again.error.contains("empty database"), "\(again.error)")

        let next = try RunningService(data: service.data, options: ["--database", url])
        let copy = try next.request("GET", Self.latest, token: phone.token)
        #expect(copy.body == first.bytes && copy["ETag"] == tag)
        let unchanged = try next.request("GET", Self.latest, token: phone.token, fields: [("If-None-Match", tag)])
        #expect(unchanged.status == 304)
        #expect(try next.request("GET", "/v1/changes?after=0", token: phone.token).text == changes)
        #expect(
            try next.request("PUT", second.path(in: "main"), token: phone.token, body: second.bytes).status == 201)
        let later = try next.request("GET", "/v1/changes?after=0", token: phone.token).text
        let other = try TemporaryDirectory()
        let busy = try transfer("to-sqlite", "--data", other.path, "--database", url)
        #expect(busy.end == .exit(69) && busy.error.contains("all instances"), "\(busy.error)")
        next.stop()

        let made = try report("to-sqlite", "--data", other.path + "/new", "--database", url)
        #expect(made.digest == made.digestOfCopy && made.tables["archive"] == 2)
        let refused = try transfer("to-sqlite", "--data", data, "--database", url)
        #expect(refused.end == .exit(1) && refused.error.contains("--replace"), "\(refused.error)")
        let back = try report("to-sqlite", "--data", data, "--database", url, "--replace")
        #expect(back.digest == back.digestOfCopy && back.digest != there.digest)
        #expect(back.tables["archive"] == 2)
        let last = try RunningService(data: service.data)
        #expect(try last.request("GET", Self.latest, token: phone.token).body == second.bytes)
        #expect(try last.request("GET", first.path(in: "main"), token: phone.token).body == first.bytes)
        #expect(try last.request("GET", "/v1/changes?after=0", token: phone.token).text == later)
        last.stop()
        #expect(try TestDatabase.findings(in: data) == [])
        let audit = try ChildProcess.run("audit", "com.example.photos", "--data", data)
        #expect(audit.output.contains("to PostgreSQL") && audit.output.contains("to SQLite"), "\(audit.output)")
    }

    @Test func leavesOutUsersThatTheErasureLogLists() throws {
        let url = try TestDatabase.makeDatabase()
        let service = try RunningService()
        let key = try service.createApp()
        let (leaving, staying) = (
            try service.register(app: key, idiom: "phone"), try service.register(app: key, idiom: "pad")
        )
        service.stop()
        let files = try TemporaryDirectory()
        let database = service.data.path + "/placekeeper.sqlite"
        try FileManager.default.copyItem(atPath: database, toPath: files.path + "/old.sqlite")
        let again = try RunningService(data: service.data)
        #expect(try again.request("DELETE", "/v1/users/self", token: leaving.token).status == 204)
        again.stop()
        // An operator put an old copy of the database back.
        try FileManager.default.removeItem(atPath: database)
        try FileManager.default.copyItem(atPath: files.path + "/old.sqlite", toPath: database)
        let report = try report("to-postgresql", "--data", service.data.path, "--database", url)
        #expect(report.tables["users"] == 1)
        let next = try RunningService(data: service.data, options: ["--database", url])
        #expect(try next.request("GET", "/v1/devices/self", token: leaving.token).status == 401)
        #expect(try next.request("GET", "/v1/devices/self", token: staying.token).status == 200)
    }

    /// Such a folder has data of users, also of those who are erased later.
    @Test func aServiceDeletesTheFoldersOfInterruptedCommands() throws {
        let service = try RunningService()
        service.stop()
        let folders = ["transfer.partial", "restore.partial"].map { service.data.path + "/" + $0 }
        for folder in folders {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            try Data([1]).write(to: URL(fileURLWithPath: folder + "/placekeeper.sqlite"))
        }
        let next = try RunningService(data: service.data)
        for folder in folders { #expect(!FileManager.default.fileExists(atPath: folder)) }
        next.stop()
    }

    @Test func printsTheRowsAndBothDigests() throws {
        let url = try TestDatabase.makeDatabase()
        let service = try RunningService()
        _ = try service.createApp()
        service.stop()
        let run = try transfer("to-postgresql", "--data", service.data.path, "--database", url)
        #expect(run.end == .exit(0) && run.error.isEmpty, "\(run.error)")
        let lines = run.output.split(separator: "\n")
        let digests = lines.filter { $0.hasPrefix("digest of") }.compactMap { $0.split(separator: " ").last }
        #expect(digests.count == 2 && digests.first == digests.last)
        #expect(lines.last?.contains("Start the service with --database") == true)
        let none = try transfer("to-postgresql", "--data", service.data.path)
        #expect(none.end == .exit(2) && none.error.contains("--database"))
        let missing = try TemporaryDirectory()
        let absent = try transfer("to-postgresql", "--data", missing.path, "--database", url)
        #expect(absent.end == .exit(69) && absent.error.contains("no database"))
    }

    @Test func refusesADamagedArchive() throws {
        let url = try TestDatabase.makeDatabase()
        let service = try RunningService()
        let phone = try service.register(app: try service.createApp(), idiom: "phone")
        let archive = try UniqueArchive(size: 4096)
        #expect(
            try service.request("PUT", archive.path(in: "main"), token: phone.token, body: archive.bytes).status == 201)
        service.stop()
        try DatabaseFile(of: service).damageFirstArchive()
        let run = try transfer("to-postgresql", "--data", service.data.path, "--database", url)
        #expect(run.end == .exit(1) && run.error.contains(archive.id) && run.error.contains(phone.user), "\(run.error)")
        let listed = try ChildProcess.run("app", "list", "--data", service.data.path, "--database", url)
        #expect(listed.output.hasPrefix("none"), "\(listed.output)")
    }

    @Test func neverReplacesADatabaseByAnEmptyOne() throws {
        let url = try TestDatabase.makeDatabase()
        let service = try RunningService()
        _ = try service.createApp()
        service.stop()
        let run = try transfer("to-sqlite", "--data", service.data.path, "--database", url, "--replace")
        #expect(run.end == .exit(1) && run.error.contains("no apps"), "\(run.error)")
        let listed = try ChildProcess.run("app", "list", "--data", service.data.path)
        #expect(listed.output.contains("com.example.photos"))
    }

    /// The commands read all tables that people see.
    @Test func commandsPrintTheSameAfterATransfer() throws {
        let url = try TestDatabase.makeDatabase()
        let data = try TemporaryDirectory()
        func run(_ line: [String]) throws -> String {
            let process = try ChildProcess(line)
            guard process.wait() == .exit(0) else { throw ChildProcess.Failure(description: process.standardError) }
            return process.standardOutput
        }
        _ = try run([
            "generate", "com.example.demo", "--users", "40", "--archives", "200", "--hostile", "--data", data.path,
        ])
        _ = try run(["admin", "token", "create", "label", "--role", "viewer", "--data", data.path])
        struct User: Decodable { var id: String }
        func answers(_ database: [String]) throws -> [String] {
            let options = ["--data", data.path] + database
            let users = try run(["users", "com.example.demo", "--json"] + options)
            var answers = [users]
            for user in try JSONDecoder().decode([User].self, from: Data(users.utf8)) {
                // The first line has the time of the export, and the last line the digest of all lines.
                let lines = try run(["user", "export", "com.example.demo", "--user", user.id] + options)
                    .split(separator: "\n")
                #expect(lines.count > 3)
                answers += lines.dropFirst().dropLast().map { String($0) }
            }
            for line in [["app", "list"], ["admin", "token", "list"], ["app", "data-sources", "com.example.demo"]] {
                answers.append(try run(line + ["--json"] + options))
            }
            return answers
        }
        let before = try answers([])
        _ = try report("to-postgresql", "--data", data.path, "--database", url)
        #expect(try answers(["--database", url]) == before)
        _ = try report("to-sqlite", "--data", data.path, "--database", url, "--replace")
        #expect(try answers([]) == before)
    }
}
