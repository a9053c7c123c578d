import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperSQLite
import PlacekeeperService
import PlacekeeperSystem

extension Subcommand {
    static let backupVerify = Subcommand(
        name: "backup verify", summary: "restore a backup into a temporary directory, and compare its answers",
        operands: ["[FILE]"], options: [.data, .json],
        discussion: """
            Without a file, the command verifies the last backup. It checks every page and the bytes of every archive, as
            backup restore does, and opens the copy. Then it asks the copy and the data directory for the apps, and for
            all data of up to 200 users, and reports each difference. Users who have changed since the backup are not
            compared. The last backup is also compared with the digest that was recorded when it was made. If
            there are no differences, the result is recorded and shown on the admin page. The service may run. The copy
            needs as much space as the backup, in TMPDIR or in /var/tmp. Exit code 1 means that there are
            differences.
            """,
        examples: [
            ("backup verify", "verifies the last backup of the installed service"),
            ("backup verify /backup/monday.sqlite --data DIR", "compares a file with the data of another directory"),
        ]
    ) { arguments throws(CommandFailure) in
        let directory = arguments.value(of: .data) ?? ""
        let last = BackupRecord(of: directory)?.success
        guard let path = arguments.operands.first ?? last?.file else {
            throw CommandFailure(.failure, "\(quoted(directory)) has no record of a backup; name the file")
        }
        guard Files.exists(path) else { throw CommandFailure(.failure, "there is no file \(quoted(path))") }
        try lockSource(path, besides: directory)
        var report = VerificationReport(file: path)
        if let last, last.file == absolute(path) {
            report.endedAt = last.endedAt
            if try fileDigest(path) != last.sha256 {
                report.differences.append("the file is not the one that was written at \(last.endedAt)")
            }
        }
        try await verify(path, of: directory, arguments, &report)
        let proof = BackupRecord.Proof(
            at: Time(milliseconds: SystemClock().now().milliseconds), file: absolute(path), endedAt: report.endedAt)
        do throws(CommandFailure) {
            try BackupRecord.save(proof, isWhole: report.differences.isEmpty, in: directory)
        } catch {
            Output.report("the result was not recorded: \(error.message)")
        }
        try Output.show(report, as: report.text, for: arguments)
        return report.differences.isEmpty ? .success : .failure
    }

    private static func verify(
        _ path: String, of directory: String, _ arguments: Arguments, _ report: inout VerificationReport
    ) async throws(CommandFailure) {
        let scratch = try makeScratch()
        defer { rmdir(scratch) }
        let signals = try StopSignals(endsWithTerminal: true) { number in
            // The command may still add files.
            repeat { PartialDatabases.delete(in: scratch) } while rmdir(scratch) != 0 && errno == ENOTEMPTY
            _exit(128 + number)
        }
        defer { withExtendedLifetime(signals) {} }
        let progress = Progress()
        defer { progress.end() }
        let prepared: Backup.Prepared
        do throws(StoreError) {
            prepared = try Backup.prepare(
                path, in: scratch, replaces: false, checking: DamagedArchives.check, report: progress.show)
        } catch  where [.corrupt, .tooNew].contains(error.code) {
            report.differences.append(clause(error.message) + (error.cause.map { " (\($0))" } ?? ""))
            return
        } catch {
            throw backupFailure(error, path, ifExists: "")
        }
        defer { Backup.discard(prepared) }
        for archive in prepared.damagedArchives {
            report.differences.append("the bytes of the archive \(archive.id) are damaged")
        }
        progress.show("comparing")
        let copy = try await Wiring.open(directory: prepared.directory)
        do throws(CommandFailure) {
            let comparison = try await compare(copy, prepared.directory, of: directory, arguments)
            report.add(comparison)
        } catch {
            await copy.service.upkeep.close()
            throw error
        }
        await copy.service.upkeep.close()
    }

    private static func compare(
        _ copy: Wiring.Opened, _ copied: String, of directory: String, _ arguments: Arguments
    ) async throws(CommandFailure) -> BackupComparison {
        let sample, others: [Backup.SampledUser]
        let states: Backup.States
        let (count, offset) = (BackupComparison.sampleSize, Int(SystemClock().now().milliseconds / 1000))
        do throws(StoreError) {
            sample = try Backup.sample(of: copied + "/" + SQLiteStore.fileName, count: count, offset: offset)
            states = try Backup.States(in: directory)
            others = try states.sample(count: count, offset: offset)
        } catch {
            throw backupFailure(error, directory, ifExists: "")
        }
        let opened = try await Wiring.database(of: arguments, mayCreate: false)
        let result: Result<BackupComparison, CommandFailure>
        do throws(CommandFailure) {
            var comparison = BackupComparison(copy: copy, original: opened, states: states)
            try await comparison.run(over: sample, others)
            result = .success(comparison)
        } catch {
            result = .failure(error)
        }
        await opened.service.upkeep.close()
        return try result.get()
    }

    /// Makes an empty directory that only this process's user can access.
    private static func makeScratch() throws(CommandFailure) -> String {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"
        var template = Array((parent + "/placekeeper-verify-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw CommandFailure(
                .unavailable, "cannot create a directory in \(quoted(parent)): \(String(cString: strerror(errno)))")
        }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// The JSON form of a verification.
struct VerificationReport: Encodable {
    var file: String
    /// When the backup was made, if it is the last one.
    var endedAt: Time?
    /// What differs, each a clause without a period.
    var differences: [String] = []
    /// The users whose data was compared.
    var users = 0
    /// The sampled users who have changed since, or are gone. They weren't compared.
    var changedUsers = 0
    /// The answers that are equal: settings, devices, archives, items and others.
    var answers = 0

    init(file: String) { self.file = file }

    mutating func add(_ comparison: BackupComparison) {
        differences += comparison.differences
        (users, changedUsers, answers) = (comparison.comparedUsers, comparison.changedUsers, comparison.answers)
    }

    var text: String {
        let made = endedAt.map { ", made at \($0)" } ?? ""
        let changed = changedUsers == 0 ? "" : " (\(changedUsers) others have changed since)"
        guard differences.isEmpty else {
            return "\(file)\(made): \(differences.count) differences\n"
                + differences.map { "- \(escapedForTerminal($0))\n" }.joined()
        }
        return "\(file)\(made): \(answers) answers about \(users) users are equal\(changed)"
    }
}
