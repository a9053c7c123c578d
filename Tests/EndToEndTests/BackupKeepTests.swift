import PlacekeeperSystem
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The regular backups into a directory, and their record.
@Suite(.onOwnThreads, .onSQLite) struct BackupKeepTests {
    private let data: TemporaryDirectory
    private let folder: TemporaryDirectory

    init() throws { (data, folder) = (try TemporaryDirectory(), try TemporaryDirectory()) }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    private func path(_ name: String) -> String { folder.path + "/" + name }

    private func backUp(_ options: String...) throws -> ChildProcess.Outcome {
        try ChildProcess(["backup", "create", folder.path, "--data", data.path] + options).outcome()
    }

    /// A name that sorts before those of today.
    private func oldName(_ day: Int) -> String { "placekeeper-2026010\(day)T031000Z.sqlite" }

    @Test func deletesOnlyItsOwnOldBackups() throws {
        let created = try ChildProcess.run("app", "create", "com.example.photos", "--data", data.path)
        try #require(created.end == .exit(0))
        #expect(try backUp().end == .exit(0))
        let first = try #require(try names.first)
        for day in 1...4 { try FileManager.default.moveItem(atPath: try copied(first), toPath: path(oldName(day))) }
        // Other files, of which none may be deleted.
        let strangers = [
            "placekeeper-monday.sqlite", "placekeeper-monday.sqlite.partial", "monday.sqlite.partial", "monday.sqlite",
            "placekeeper-20260101T031000Z", "placekeeper-20260101T03100.Z.sqlite",
        ]
        for name in strangers { try FileManager.default.moveItem(atPath: try copied(first), toPath: path(name)) }
        try Data("a text".utf8).write(to: URL(filePath: path("placekeeper-20250101T000000Z.sqlite")))
        try #require(symlink(path("monday.sqlite"), path("placekeeper-20250102T000000Z.sqlite")) == 0)
        try #require(mkdir(path("placekeeper-20250103T000000Z.sqlite"), 0o700) == 0)
        let others = try names.filter { $0 != first && !(1...4).map(oldName).contains($0) }

        try FileManager.default.removeItem(atPath: path(first))
        let made = try backUp("--keep", "3", "--json")
        #expect(made.end == .exit(0), "\(made.error)")
        let kept = try names.filter { !others.contains($0) }
        #expect(kept.count == 3 && kept.prefix(2) == [oldName(3), oldName(4)], "\(kept)")
        #expect(Set(others).isSubset(of: try names))
        #expect(made.output.contains(oldName(1)) && made.output.contains(oldName(2)))
    }

    /// A power loss leaves such files, and the name of each has another time.
    @Test func deletesOnlyItsOwnInterruptedBackups() throws {
        _ = try ChildProcess.run("app", "create", "com.example.photos", "--data", data.path)
        func name(_ day: Int) -> String { oldName(day) + ".partial" }
        try Data().write(to: URL(filePath: path(name(1))))
        try Data("a journal".utf8).write(to: URL(filePath: path(name(1) + "-journal")))
        try Data(count: 8192).write(to: URL(filePath: path(name(2))))
        try Data("a text".utf8).write(to: URL(filePath: path(name(3))))
        try Data(count: 8192).write(to: URL(filePath: path(name(4))))
        // A running backup holds this lock.
        let running = open(path(name(4)), O_RDONLY)
        defer { close(running) }
        try #require(flock(running, LOCK_EX | LOCK_NB) == 0)

        #expect(try backUp().end == .exit(0))
        #expect(try names.count == 6, "Without --keep, nothing is deleted.")
        for file in try names where file.hasSuffix("Z.sqlite") { unlink(path(file)) }
        let made = try backUp("--keep", "1")
        #expect(made.end == .exit(0), "\(made.error)")
        #expect(try names.filter { $0.contains(".partial") } == [name(3), name(4)])
    }

    @Test func reusesTheRecordThatAPowerLossLeftUnfinished() throws {
        _ = try ChildProcess.run("app", "create", "com.example.photos", "--data", data.path)
        try Data(count: 4096).write(to: URL(filePath: data.path + "/last-backup.json.partial"))
        #expect(try backUp().end == .exit(0))
        #expect(try record.success?.file.hasPrefix(folder.path) == true)
        let left = try FileManager.default.contentsOfDirectory(atPath: data.path).filter { $0.contains("last-backup") }
        #expect(left == ["last-backup.json"])
    }

    private struct Record: Decodable {
        struct Failure: Decodable { var message: String }
        struct Success: Decodable { var file: String }
        var success: Success?
        var failure: Failure?
    }

    private var record: Record {
        get throws {
            try JSONDecoder().decode(
                Record.self, from: Data(contentsOf: URL(filePath: data.path + "/last-backup.json")))
        }
    }

    @Test func recordsABackupThatEndedWithoutARecord() throws {
        _ = try ChildProcess.run("app", "create", "com.example.photos", "--data", data.path)
        func fail(_ result: String) throws {
            let outcome = try ChildProcess.run("backup", "failed", result, "--data", data.path)
            #expect(outcome.end == .exit(0) && outcome.output.isEmpty, "\(outcome)")
        }
        #expect(try backUp().end == .exit(0))
        try fail("success")
        #expect(try record.failure == nil)
        try fail("timeout")
        #expect(try record.failure?.message == "the backup took longer than its unit allows")
        #expect(try record.success?.file.hasPrefix(folder.path) == true)
        // What backup create recorded itself says more.
        try fail("oom-kill")
        #expect(try record.failure?.message.contains("longer") == true)
    }

    @Test func saysWhereToReadMoreAboutAUnitThatFailed() throws {
        let success = try ChildProcess.run("backup", "failed", "success", "--data", path("nowhere"))
        #expect(success.end == .exit(0), "\(success)")
        _ = try ChildProcess.run("app", "create", "com.example.photos", "--data", data.path)
        let failed = try ChildProcess.run("backup", "failed", "exit-code", "--data", data.path)
        #expect(failed.end == .exit(0), "\(failed)")
        #expect(try record.failure?.message.contains("exit-code; see journalctl") == true)
    }

    @Test func keepsTheRecordOfBackupsThatEndTogether() throws {
        _ = try ChildProcess.run("app", "create", "com.example.photos", "--data", data.path)
        let backups = try (0..<4).map { number in
            try ChildProcess(["backup", "create", path("\(number).sqlite"), "--data", data.path])
        }
        for backup in backups {
            let outcome = backup.outcome()
            #expect(outcome.end == .exit(0), "\(outcome)")
        }
        #expect(try record.failure == nil && record.success?.file.hasPrefix(folder.path) == true)
        let left = try FileManager.default.contentsOfDirectory(atPath: data.path).filter { $0.contains("last-backup") }
        #expect(left == ["last-backup.json"])
    }

    private func copied(_ name: String) throws -> String {
        try FileManager.default.copyItem(atPath: path(name), toPath: path("copied"))
        return path("copied")
    }

    @Test func keepsOldBackupsIfTheNewOneIsDamaged() throws {
        let service = try RunningService(data: data)
        let phone = try service.register(app: try service.createApp(), idiom: "phone")
        let archive = try UniqueArchive(size: 4096)
        let stored = try service.request("PUT", archive.path(in: "a"), token: phone.token, body: archive.bytes)
        #expect(stored.status == 201)
        service.stop()
        #expect(try backUp().end == .exit(0))
        try FileManager.default.moveItem(atPath: path(try #require(try names.first)), toPath: path(oldName(1)))
        try DatabaseFile(path: data.path + "/placekeeper.sqlite").damageFirstArchive()
        #expect(try backUp("--keep", "1").end == .exit(1))
        #expect(try names.first == oldName(1) && names.count == 2)
    }

    @Test func refusesANumberForASingleFile() throws {
        _ = try ChildProcess.run("app", "create", "com.example.photos", "--data", data.path)
        let refused = try ChildProcess.run(
            "backup", "create", path("file"), "--keep", "3", "--data", data.path)
        #expect(refused.end == .exit(2) && refused.error.contains("--keep needs a directory"))
        #expect(try names == [])
    }

    @Test func isKnownToTheRunningService() throws {
        let service = try RunningService.withLargeDatabase(data: data, options: ["--metrics"])
        func metrics() throws -> [String] {
            try service.request("GET", "/metrics").text.split(separator: "\n").map(String.init)
                .filter { $0.hasPrefix("placekeeper_last_backup") }
        }
        #expect(try metrics() == [])
        #expect(try backUp().end == .exit(0))
        let file = path(try #require(try names.first))
        let line = try #require(service.process.line(after: "placekeeper: backed up to "))
        var status = stat()
        try #require(stat(file, &status) == 0)
        #expect(line.hasPrefix("\"\(file)\": \(status.st_size) bytes in "), "\(line)")
        #expect(try metrics().contains("placekeeper_last_backup_bytes \(status.st_size)"))
        #expect(try metrics().contains("placekeeper_last_backup_failed 0"))
        #expect(try metrics().contains { $0.hasPrefix("placekeeper_last_backup_timestamp_seconds 1") })
        #expect(try metrics().contains { $0.hasPrefix("placekeeper_last_backup_duration_seconds ") })

        #expect(try ChildProcess.run("backup", "verify", "--data", data.path).end == .exit(0))
        #expect(service.process.line(after: "placekeeper: verified the backup ") == "\"\(file)\"")

        // A path that is refused is no failed backup.
        #expect(try ChildProcess.run("backup", "create", file, "--data", data.path).end == .exit(1))
        let failed = try ChildProcess.failedBackup(to: path("failed"), of: data.path)
        #expect(failed.end == .exit(69), "\(failed.error)")
        let reason = try #require(service.process.line(after: "placekeeper: the backup failed: "))
        #expect(reason.contains("no space is left"))
        #expect(try metrics().count == 4 && metrics().contains("placekeeper_last_backup_failed 1"))
        struct Token: Decodable { var token: String }
        struct About: Decodable {
            struct Disk: Decodable { var freeBytes: Int, totalBytes: Int }
            struct Backup: Decodable { var bytes: Int, endedAt: String }
            struct Proof: Decodable { var endedAt: String }
            struct Instance: Decodable { var name: String, version: String }
            struct Failure: Decodable { var message: String }
            var disk: Disk
            var lastBackup: Backup
            var backupFailure: Failure
            var backupProof: Proof
            var instances: [Instance]
            var databaseBytes: Int, logBytes: Int
        }
        let created = try ChildProcess.run(
            "admin", "token", "create", "test", "--role", "viewer", "--data", data.path, "--json")
        let token = try JSONDecoder().decode(Token.self, from: Data(created.output.utf8)).token
        let about = try service.request("GET", "/admin/api/about", token: token).json(About.self)
        #expect(about.lastBackup.bytes == status.st_size && about.backupFailure.message.contains("no space is left"))
        // A later failure keeps the proof.
        #expect(about.backupProof.endedAt == about.lastBackup.endedAt)
        #expect(about.instances.count == 1 && about.databaseBytes > 2_000_000 && about.logBytes >= 0)
        #expect(about.disk.freeBytes > 0 && about.disk.freeBytes <= about.disk.totalBytes)
        service.stop()
        // The record outlives the service.
        let next = try RunningService(data: data, options: ["--metrics"])
        #expect(try next.request("GET", "/metrics").text.contains("placekeeper_last_backup_failed 1"))
    }
}

extension RunningService {
    /// Starts a service whose database has more than 2 MB, and whose write-ahead log is short.
    static func withLargeDatabase(
        data: TemporaryDirectory, options: [String] = []
    ) throws -> RunningService {
        let first = try RunningService(data: data)
        let phone = try first.register(app: try first.createApp(), idiom: "phone")
        for scene in ["a", "b", "c"] {
            let archive = try UniqueArchive(size: 900_000)
            let stored = try first.request("PUT", archive.path(in: scene), token: phone.token, body: archive.bytes)
            #expect(stored.status == 201)
        }
        first.stop()
        return try RunningService(data: data, options: options)
    }
}

extension ChildProcess {
    /// Runs a backup of a large database without space for it: the shell limits the size of files to 1 MB.
    static func failedBackup(to path: String, of data: String) throws -> Outcome {
        let command = "exec '\(try builtCommand())' backup create '\(path)' --data '\(data)'"
        return try ChildProcess(program: "/bin/bash", ["-c", "ulimit -f 1000; " + command]).outcome()
    }
}
