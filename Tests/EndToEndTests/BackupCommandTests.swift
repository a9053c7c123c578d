import PlacekeeperSystem
import Testing

@testable import placekeeper

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.onOwnThreads, .onSQLite) struct BackupCommandTests {
    struct Report: Decodable {
        var bytes: Int
        var schemaVersion: Int
        var users: Int
        var archives: Int
        var erasedUsers: Int?
        var damagedArchives: Int
    }

    private let files: TemporaryDirectory

    init() throws { files = try TemporaryDirectory() }

    private var backup: String { files.path + "/backup.sqlite" }

    private func report(_ line: String...) throws -> Report {
        let process = try ChildProcess(line + ["--json"])
        let end = process.wait()
        guard end == .exit(0) else { throw ChildProcess.Failure(description: process.standardError) }
        return try JSONDecoder().decode(Report.self, from: Data(process.standardOutput.utf8))
    }

    private func isKnown(_ device: RunningService.Device, by service: RunningService) throws -> Bool {
        try service.request("GET", "/v1/devices/self", token: device.token).status == 200
    }

    @Test func restoresABackupWithoutTheUsersThatWereErasedSince() throws {
        let service = try RunningService()
        let key = try service.createApp()
        let (leaving, staying) = (
            try service.register(app: key, idiom: "phone"), try service.register(app: key, idiom: "pad")
        )
        let made = try report("backup", "create", backup, "--data", service.data.path)
        #expect(made.users == 2 && made.archives == 0 && made.schemaVersion >= 4)
        var status = stat()
        #expect(stat(backup, &status) == 0 && Int(status.st_size) == made.bytes && status.st_mode & 0o777 == 0o600)

        #expect(try service.request("DELETE", "/v1/users/self", token: leaving.token).status == 204)
        #expect(try service.request("DELETE", "/v1/users/self", token: leaving.token).status == 401)
        #expect(try isKnown(staying, by: service))
        let running = try ChildProcess.run("backup", "restore", backup, "--data", service.data.path, "--replace")
        #expect(running.end == .exit(69) && running.error.contains("another service runs"))
        service.stop()

        let refused = try ChildProcess.run("backup", "restore", backup, "--data", service.data.path)
        #expect(refused.end == .exit(1) && refused.error.contains("--replace"))
        let restored = try report("backup", "restore", backup, "--data", service.data.path, "--replace")
        #expect(restored.users == 1 && restored.erasedUsers == 1)
        let next = try RunningService(data: service.data)
        #expect(try !isKnown(leaving, by: next))
        #expect(try isKnown(staying, by: next))
        #expect(try DatabaseFile(of: next).findings() == [])
        next.stop()

        // On a new machine, the erasure log comes from a copy.
        let log = service.data.path + "/erasures.log"
        let machine = try TemporaryDirectory()
        let moved = try report("backup", "restore", backup, "--data", machine.path, "--erasures", log)
        #expect(moved.users == 1 && moved.erasedUsers == 1)
        let other = try RunningService(data: machine)
        #expect(try !isKnown(leaving, by: other))
        #expect(try isKnown(staying, by: other))
        #expect(
            FileManager.default.contents(atPath: machine.path + "/erasures.log")
                == FileManager.default.contents(atPath: log))
    }

    @Test func refusesARestoreWhileAnotherCommandUsesTheDatabase() async throws {
        let service = try RunningService()
        _ = try service.createApp()
        _ = try report("backup", "create", backup, "--data", service.data.path)
        service.stop()
        guard case .run(_, let arguments) = try Command.parser.parse(["app", "list", "--data", service.data.path])
        else { throw ChildProcess.Failure(description: "the line asks for help") }
        // This process is the other command. It holds the lock until it ends.
        _ = try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            let restoring = try? ChildProcess.run(
                "backup", "restore", backup, "--data", service.data.path, "--replace")
            #expect(restoring?.end == .exit(69))
            #expect(restoring?.error.contains("another command uses the database") == true)
            return .success
        }
        let listed = try ChildProcess.run("app", "list", "--data", service.data.path)
        #expect(listed.end == .exit(0), "commands do not refuse each other")
    }

    @Test func refusesACommandDuringARestore() throws {
        let service = try RunningService()
        _ = try service.createApp()
        service.stop()
        try DatabaseLock.takeAlone(service.data.path)
        let listed = try ChildProcess.run("app", "list", "--data", service.data.path)
        #expect(listed.end == .exit(69) && listed.error.contains("is being restored"), "\(listed.error)")
    }

    /// An operator may copy a database by hand.
    @Test func erasesUsersOfTheLogWhenTheServiceStarts() throws {
        let service = try RunningService()
        let key = try service.createApp()
        let leaving = try service.register(app: key, idiom: "phone")
        _ = try report("backup", "create", backup, "--data", service.data.path)
        #expect(try service.request("DELETE", "/v1/users/self", token: leaving.token).status == 204)
        service.stop()
        let database = service.data.path + "/placekeeper.sqlite"
        try FileManager.default.removeItem(atPath: database)
        try FileManager.default.copyItem(atPath: backup, toPath: database)
        let next = try RunningService(data: service.data)
        #expect(try !isKnown(leaving, by: next))
        #expect(try next.register(app: key, idiom: "phone").user != leaving.user)
    }

    @Test func refusesExistingFilesAndFilesOfOtherPrograms() throws {
        let service = try RunningService()
        _ = try service.createApp()
        let data = service.data.path
        #expect(try ChildProcess.run("backup", "create", backup, "--data", data).end == .exit(0))
        let again = try ChildProcess.run("backup", "create", backup, "--data", data)
        #expect(again.end == .exit(1) && again.error.contains("--replace"))
        #expect(try ChildProcess.run("backup", "create", backup, "--data", data, "--replace").end == .exit(0))
        #expect(try ChildProcess.run("backup", "create", backup, "--data", files.path).end == .exit(69))
        let text = files.path + "/text"
        try Data("not a database".utf8).write(to: URL(filePath: text))
        let target = try TemporaryDirectory()
        for wrong in [text, files.path + "/none"] {
            let refused = try ChildProcess.run("backup", "restore", wrong, "--data", target.path)
            #expect(refused.end == .exit(1), "\(refused.error)")
            #expect(refused.error.split(separator: "\n").count == 1)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path) == [])
    }

    @Test func neverHandsOutADamagedArchiveAsWhole() throws {
        let service = try RunningService()
        let phone = try service.register(app: try service.createApp(), idiom: "phone")
        let (first, second) = (try UniqueArchive(size: 4096), try UniqueArchive(size: 4096))
        for archive in [first, second] {
            let path = archive.path(in: "main")
            #expect(try service.request("PUT", path, token: phone.token, body: archive.bytes).status == 201)
        }
        service.stop()
        let data = service.data.path
        let whole = files.path + "/whole.sqlite"
        #expect(try report("backup", "create", whole, "--data", data).damagedArchives == 0)
        try DatabaseFile(of: service).damageFirstArchive()

        let made = try ChildProcess.run("backup", "create", backup, "--data", data)
        #expect(made.end == .exit(1) && made.output.contains("1 damaged") && made.error.contains(first.id))
        let kept = try ChildProcess.run("backup", "create", whole, "--data", data, "--replace")
        #expect(kept.end == .exit(1) && kept.error.contains("not replaced"))
        let path = files.path + "/export.ndjson"
        let exported = try ChildProcess.run(
            "user", "export", "com.example.photos", "--user", phone.user, "--output", path, "--data", data)
        #expect(exported.end == .exit(1) && exported.error.contains(first.id), "\(exported.error)")
        #expect(!FileManager.default.fileExists(atPath: path))

        let target = try TemporaryDirectory()
        let refused = try ChildProcess.run("backup", "restore", backup, "--data", target.path)
        #expect(refused.end == .exit(1), "\(refused.error)")
        #expect(refused.error.contains(first.id) && refused.error.contains(phone.user))
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path) == [])
        let restored = try report("backup", "restore", backup, "--data", target.path, "--drop-damaged")
        #expect(restored.archives == 1 && restored.damagedArchives == 1)
        let next = try RunningService(data: target)
        #expect(try next.request("GET", second.path(in: "main"), token: phone.token).body == second.bytes)
        #expect(try next.request("GET", first.path(in: "main"), token: phone.token).status == 410)
        let audit = try ChildProcess.run("audit", "com.example.photos", "--data", target.path)
        #expect(audit.output.contains("restored") && audit.output.contains("erased users: 0"))

        #expect(try report("backup", "restore", whole, "--data", data, "--replace").archives == 2)
    }

    @Test func namesADamagedErasureLogInsteadOfTheBackup() throws {
        let service = try RunningService()
        _ = try service.createApp()
        #expect(try ChildProcess.run("backup", "create", backup, "--data", service.data.path).end == .exit(0))
        let log = files.path + "/copied.log"
        try Data("1 not-a-time\n".utf8).write(to: URL(filePath: log))
        let target = try TemporaryDirectory()
        let refused = try ChildProcess.run("backup", "restore", backup, "--data", target.path, "--erasures", log)
        #expect(refused.end == .exit(1), "\(refused.error)")
        #expect(refused.error.contains("copied.log") && !refused.error.contains("backup.sqlite"), "\(refused.error)")
    }
}
