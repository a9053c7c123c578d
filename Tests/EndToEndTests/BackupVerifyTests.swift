import CPlacekeeperSQLite
import PlacekeeperSystem
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.onOwnThreads, .onSQLite) struct BackupVerifyTests {
    private struct Report: Decodable {
        var differences: [String]
        var users: Int
        var changedUsers: Int
        var answers: Int
    }

    private let data: TemporaryDirectory
    private let files: TemporaryDirectory
    /// A sound copy of the last backup, which the record doesn't name.
    private let copy: String
    /// The last backup.
    private let last: String
    private let older: String

    init() throws {
        (data, files) = (try TemporaryDirectory(), try TemporaryDirectory())
        (older, last, copy) = (files.path + "/older", files.path + "/last", files.path + "/copy")
        try run("generate", "com.example.demo", "--users", "20", "--archives", "120", "--data", data.path)
        try run("backup", "create", older, "--data", data.path)
        try run("app", "create", "com.example.photos", "--data", data.path)
        try run("backup", "create", last, "--data", data.path)
    }

    private func run(_ line: String...) throws {
        let process = try ChildProcess(line)
        let outcome = process.outcome()
        guard outcome.end == .exit(0) else { throw ChildProcess.Failure(description: outcome.error) }
    }

    private func verify(_ path: String?) throws -> Report {
        let outcome = try ChildProcess(
            ["backup", "verify"] + [path].compactMap(\.self) + ["--data", data.path, "--json"],
            environment: ["TMPDIR": files.path]
        ).outcome()
        guard !outcome.output.isEmpty else { throw ChildProcess.Failure(description: outcome.error) }
        let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
        #expect(outcome.end == .exit(report.differences.isEmpty ? 0 : 1))
        return report
    }

    private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

    private func write(_ bytes: Data, to path: String) throws { try bytes.write(to: URL(filePath: path)) }

    @Test func findsNothingInASoundBackup() throws {
        let report = try verify(nil)
        #expect(report.differences == [] && report.users == 20 && report.changedUsers == 0 && report.answers > 140)
        #expect(try verify(older).differences == [], "a sound older backup differs from nothing that it has")
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).sorted() == ["last", "older"])
    }

    @Test(arguments: [SIGTERM, SIGINT]) func leavesNoCopyBehindAfterASignal(_ signal: Int32) throws {
        let process = try ChildProcess(
            ["backup", "verify", "--data", data.path], environment: ["TMPDIR": files.path])
        // The copy appears before the command has done its work.
        while try FileManager.default.contentsOfDirectory(atPath: files.path).count == 2 { sched_yield() }
        process.send(signal)
        #expect(process.wait() == .exit(128 + signal))
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).sorted() == ["last", "older"])
    }

    @Test func leavesOutUsersWhoChangedSince() throws {
        let service = try RunningService(data: data)
        let key = try #require(
            try JSONDecoder().decode(
                [App].self, from: Data(ChildProcess.run("app", "list", "--json", "--data", data.path).output.utf8)
            ).first { $0.bundleIdentifier == "com.example.photos" }?.publishableKey)
        let phone = try service.register(app: key, idiom: "phone")
        let archives = [try UniqueArchive(), try UniqueArchive()]
        func store(_ archive: UniqueArchive) throws {
            let reply = try service.request("PUT", archive.path(in: "main"), token: phone.token, body: archive.bytes)
            #expect(reply.status == 201)
        }
        try store(archives[0])
        try run("backup", "create", last, "--replace", "--data", data.path)
        #expect(try verify(last).users == 21)
        try store(archives[1])
        let report = try verify(last)
        #expect(report.differences == [] && report.users == 20 && report.changedUsers == 1)
    }

    private struct App: Decodable {
        var bundleIdentifier: String
        var publishableKey: String
    }

    /// Each corruption of a copy that the record does not name, so no digest tells it.
    private static let changes: [(name: String, sql: String)] = [
        ("the bytes of an archive", "UPDATE content SET bytes = zeroblob(length(bytes)) WHERE id = 7"),
        ("the time of a capture", "UPDATE archive SET captured_at = captured_at + 1 WHERE content = 7"),
        ("the version of an archive", "UPDATE archive SET bundle_version = '99' WHERE content = 7"),
        ("the device of an archive", "UPDATE archive SET device = zeroblob(16) WHERE content = 7"),
        ("the name of a device", "UPDATE device SET name = 'Another' WHERE id = 3"),
        ("the kind of a device", "UPDATE device SET idiom = 1 - idiom WHERE id = 3"),
        ("the name of a scene", "UPDATE scene SET name = name || 'x' WHERE id = 3"),
        ("the last revision of a user", "UPDATE user SET revision = revision + 1 WHERE id = 3"),
        ("the version of a user", "UPDATE user SET version = version + 1 WHERE id = 3"),
        ("the account of a user", "UPDATE user SET subject_digest = zeroblob(32) WHERE id = 3"),
        ("the title of a place", "UPDATE archive SET place = '' WHERE content = 7"),
        ("an outcome", "UPDATE outcome SET result = 'failed' WHERE result = 'restored'"),
        ("the key of an app", "UPDATE app SET publishable_key = 'pk_AAAA' WHERE bundle_identifier LIKE '%.demo'"),
        ("the settings of an app", "UPDATE app SET settings = '{\"retainedArchives\":3}'"),
        ("a missing table", "DROP TABLE counter"),
        ("a missing app", "DELETE FROM app WHERE bundle_identifier = 'com.example.photos'"),
        ("a later schema", "PRAGMA user_version = 99"),
        ("another program's file", "PRAGMA application_id = 1"),
        ("a number out of range", "UPDATE user SET archives = -1 WHERE id = 3"),
    ]

    @Test(arguments: changes)
    func findsAChangedRow(change: (name: String, sql: String)) throws {
        try write(try bytes(last), to: copy)
        try DatabaseFile(path: copy).run(change.sql)
        #expect(try bytes(copy) != bytes(last), "\(change.name)")
        #expect(try verify(copy).differences != [], "\(change.name)")
    }

    private static let damages: [(name: String, apply: @Sendable (inout Data) -> Void)] = [
        ("an empty file", { $0 = Data() }),
        ("a text", { $0 = Data("not a backup".utf8) }),
        ("half of the file", { $0 = $0.prefix($0.count / 2) }),
        ("all but the last page", { $0 = $0.prefix($0.count - 4096) }),
        ("another beginning", { $0[3] ^= 0x20 }),
        ("a zeroed page", { $0.replaceSubrange(8192..<12288, with: Data(count: 4096)) }),
        (
            "two pages exchanged",
            { data in
                let page = data.subdata(in: 8192..<12288)
                data.replaceSubrange(8192..<12288, with: data.subdata(in: 12288..<16384))
                data.replaceSubrange(12288..<16384, with: page)
            }
        ),
        (
            "flipped heads of pages",
            { data in
                for page in stride(from: data.count / 4096 / 2, to: data.count / 4096, by: 3) {
                    data[page * 4096] ^= 0xFF
                }
            }
        ),
    ]

    @Test(arguments: damages.indices)
    func findsADamagedFile(index: Int) throws {
        let damage = Self.damages[index]
        var bytes = try bytes(last)
        damage.apply(&bytes)
        try write(bytes, to: copy)
        #expect(try verify(copy).differences != [], "\(damage.name)")
    }

    /// Some bytes of a file mean nothing to SQLite, such as those of an unused part of a page.
    @Test func findsEachFlippedByteOfTheLastBackup() throws {
        let whole = try bytes(last)
        for position in [whole.count - 1, whole.count / 2, whole.count / 3, 4096 + 200] {
            var damaged = whole
            damaged[position] ^= 0x01
            try write(damaged, to: last)
            #expect(try verify(nil).differences.first?.contains("is not the one") == true, "\(position)")
        }
        try write(whole, to: last)
        #expect(try verify(nil).differences == [])
    }

    @Test func findsAnOldFileInPlaceOfTheLastBackup() throws {
        try write(try bytes(older), to: last)
        #expect(try verify(nil).differences.first?.contains("is not the one") == true)
    }

    @Test func findsABackupOfAnotherService() throws {
        let other = try TemporaryDirectory()
        try run("generate", "com.example.demo", "--users", "3", "--archives", "9", "--data", other.path)
        try run("backup", "create", copy, "--data", other.path)
        let differences = try verify(copy).differences
        #expect(differences.contains { $0.contains("has the app com.example.demo") })
        #expect(differences.contains { $0.contains("lacks the app") })
    }

    @Test func findsAMissingUser() throws {
        let service = try RunningService(data: data)
        let user = try service.register(app: try service.createApp("com.example.notes"), idiom: "phone").user
        service.stop()
        try run("backup", "create", copy, "--data", data.path)
        try write(try bytes(copy), to: last)
        let (file, device) = (try DatabaseFile(path: last), "(SELECT max(id) FROM device)")
        for sql in [
            "DELETE FROM token WHERE device = \(device)", "DELETE FROM installation WHERE device = \(device)",
            "DELETE FROM device WHERE id = \(device)",
            "DELETE FROM change WHERE user = (SELECT max(id) FROM user)",
            "DELETE FROM user WHERE id = (SELECT max(id) FROM user)",
        ] { try file.run(sql) }
        let differences = try verify(last).differences
        #expect(differences.count == 1 && differences[0].contains("lacks the user \(user)"), "\(differences)")
    }
}
