import PlacekeeperCore
import PlacekeeperFiles
import PlacekeeperSQLite
import PlacekeeperService
import PlacekeeperSystem

extension Subcommand {
    static let backupRestore = Subcommand(
        name: "backup restore", summary: "make a backup the database of the data directory",
        operands: ["FILE"], options: [.data, .replaceBackup, .erasures, .dropDamaged, .json],
        discussion: """
            Stop the service first, and wait until other commands have ended. The command copies and checks the file,
            migrates the copy to this version's schema, and erases the users that erasures.log in the data directory
            lists. Then the copy becomes the database. With --replace the old database is deleted at this moment, and
            cannot be brought back: it may contain data of erased users. If you need it, back it up first. A device that
            was revoked after the backup was made is accepted again. A backup with damaged archives is refused, except
            with --drop-damaged.
            """,
        examples: [
            ("backup restore monday.sqlite --data DIR", "restores into a directory without a database"),
            (
                "backup restore monday.sqlite --data DIR --replace --erasures erasures.log",
                "replaces the database, and also erases the users that the given log lists"
            ),
            ("backup restore monday.sqlite --data DIR --drop-damaged", "leaves out the archives that are damaged"),
        ]
    ) { arguments throws(CommandFailure) in
        let path = arguments.operands[0]
        let directory = arguments.value(of: .data) ?? ""
        guard Files.exists(path) else { throw CommandFailure(.failure, "there is no file \(quoted(path))") }
        let (replaces, dropsDamaged) = (try arguments.isOn(.replaceBackup), try arguments.isOn(.dropDamaged))
        let added = try await erasures(arguments)
        try lockSource(path, besides: directory)
        let isNew = try Files.makeDirectory(directory)
        // After a failure, delete a new directory unless it contains files.
        defer { if isNew { rmdir(directory) } }
        guard try DirectoryLock.take(directory) else {
            throw CommandFailure(.unavailable, "the data directory \(quoted(directory)) cannot be opened")
        }
        try DatabaseLock.takeAlone(directory)
        let progress = Progress()
        defer { progress.end() }
        let prepared: Backup.Prepared
        do throws(StoreError) {
            prepared = try Backup.prepare(
                path, in: directory, replaces: replaces, checking: DamagedArchives.check, report: progress.show)
        } catch {
            throw backupFailure(
                error, path,
                ifExists: "there is a database in \(quoted(directory)); --replace deletes it and restores the backup")
        }
        let damaged = DamagedArchives(archives: prepared.damagedArchives)
        guard damaged.archives.isEmpty || dropsDamaged else {
            Backup.discard(prepared)
            throw CommandFailure(
                .failure,
                "the backup \(quoted(path)) was not restored, because \(damaged.text); give another backup, or "
                    + "--drop-damaged to restore it without its damaged archives")
        }
        let erased: Int
        do throws(CommandFailure) {
            let missing = try await copyLog(of: directory, with: added, to: prepared)
            let opened = try await Wiring.open(directory: prepared.directory)
            let result: Result<Int, CommandFailure>
            do throws(CommandFailure) {
                let erased = try await opened.resumeErasures()
                try await damaged.delete(from: opened)
                let apps = try await opened.ask { service async throws(ServiceError) in try await service.apps.apps() }
                for app in apps { try await opened.record(.restored, in: app.id, detail: "erased users: \(erased)") }
                result = .success(erased)
            } catch {
                result = .failure(error)
            }
            await opened.service.upkeep.close()
            erased = try result.get()
            try await append(missing, to: ErasureFile(directory: directory), in: directory)
        } catch {
            Backup.discard(prepared)
            throw error
        }
        let contents: Backup.Contents
        do throws(StoreError) {
            contents = try Backup.install(prepared)
        } catch {
            Backup.discard(prepared)
            throw backupFailure(error, path, ifExists: "")
        }
        progress.end()
        var report = BackupReport(directory + "/" + SQLiteStore.fileName, contents)
        report.erasedUsers = erased
        report.damagedArchives = damaged.archives.count
        try Output.show(
            report, as: report.text, next: "placekeeper serve\(arguments.sharedFlags)", for: arguments)
        return .success
    }

    /// Reads the erasure log given by `--erasures`. Returns no entries without the option.
    private static func erasures(_ arguments: Arguments) async throws(CommandFailure) -> [ErasureEntry] {
        guard let path = arguments.value(of: .erasures) else { return [] }
        guard Files.exists(path) else {
            throw CommandFailure(.failure, "there is no erasure log \(quoted(path))")
        }
        return try await entries(of: ErasureFile(path: path), at: path)
    }

    /// Writes the erasure log of a data directory, with further entries, beside a prepared database. Returns the
    /// entries that the directory's own log lacks. That log gets them once the restore can no longer be refused.
    private static func copyLog(
        of directory: String, with added: [ErasureEntry], to prepared: Backup.Prepared
    ) async throws(CommandFailure) -> [ErasureEntry] {
        let path = directory + "/" + ErasureFile.fileName
        let known = try await entries(of: ErasureFile(directory: directory), at: path)
        let missing = added.filter { [known = Set(known)] in !known.contains($0) }
        try await append(known + missing, to: ErasureFile(directory: prepared.directory), in: prepared.directory)
        return missing
    }

    private static func entries(of log: ErasureFile, at path: String) async throws(CommandFailure) -> [ErasureEntry] {
        do throws(StoreError) { return try await log.entries() } catch {
            throw backupFailure(error, path, ifExists: "")
        }
    }

    private static func append(
        _ entries: [ErasureEntry], to log: ErasureFile, in directory: String
    ) async throws(CommandFailure) {
        do throws(StoreError) {
            try await log.append(entries)
        } catch {
            throw backupFailure(error, directory + "/" + ErasureFile.fileName, ifExists: "")
        }
    }

    /// Checks the file to restore. If it is the database of another data directory, keeps services and commands out of
    /// that directory until this process ends, because a changing database can't be copied.
    static func lockSource(_ path: String, besides directory: String) throws(CommandFailure) {
        do throws(PathFault) {
            close(try RegularFile.open(path, O_RDONLY))
        } catch {
            throw CommandFailure(reading: error)
        }
        guard let resolved = realpath(path, nil) else { return }
        defer { free(resolved) }
        let source = String(cString: resolved)
        guard source.hasSuffix("/" + SQLiteStore.fileName) else { return }
        let folder = FileNames.directory(of: source)
        do throws(CommandFailure) {
            guard try !isSame(folder, directory) else {
                throw CommandFailure(
                    .failure, "\(quoted(path)) is the database of the data directory itself; give a backup")
            }
            guard try DirectoryLock.take(folder) else { return }
            try DatabaseLock.takeAlone(folder)
        } catch  where error.exit == .unavailable {
            throw CommandFailure(
                .unavailable,
                "a service or another command uses \(quoted(path)); make a backup of it with backup create")
        }
    }

    private static func isSame(_ folder: String, _ directory: String) throws(CommandFailure) -> Bool {
        do throws(PathFault) {
            guard let first = try FileStatus.of(folder), let second = try FileStatus.of(directory, followingLink: true)
            else { return false }
            return first.isOfSameFile(as: second)
        } catch {
            throw CommandFailure(reading: error)
        }
    }

    static func backupFailure(_ error: StoreError, _ path: String, ifExists advice: String) -> CommandFailure {
        if error.code == .exists { return CommandFailure(.failure, advice) }
        let cause = error.cause.map { " (\($0))" } ?? ""
        let exit: Exit = [.corrupt, .tooNew].contains(error.code) ? .failure : .unavailable
        return CommandFailure(exit, "\(clause(error.message)): \(quoted(path))\(cause)")
    }
}

extension Option {
    static let replaceBackup = Option("replace", help: "replace what exists")
    fileprivate static let erasures = Option(
        "erasures", "FILE", help: "also erase the users that this erasure log lists")
    fileprivate static let dropDamaged = Option(
        "drop-damaged", help: "restore a backup with damaged archives, without these archives")
}

/// The JSON form of a backup.
struct BackupReport: Encodable {
    var file: String
    var bytes: Int
    var schemaVersion: Int
    var users: Int
    var archives: Int
    /// The number of users that a restore erased. Nil for a new backup.
    var erasedUsers: Int?
    /// The number of damaged archives in a new backup, or left out by a restore.
    var damagedArchives: Int
    /// The names of the old backups that `--keep` deleted.
    var deleted: [String]?

    init(_ file: String, _ contents: Backup.Contents) {
        self.file = file
        bytes = contents.bytes
        schemaVersion = contents.schemaVersion
        users = contents.users
        archives = contents.archives
        damagedArchives = contents.damagedArchives.count
    }

    var text: String {
        let erased = erasedUsers.map { ", \($0) erased" } ?? ""
        let damaged =
            damagedArchives == 0
            ? "" : erasedUsers == nil ? " (\(damagedArchives) damaged)" : " (\(damagedArchives) damaged left out)"
        return "\(file): \(bytes) bytes, schema version \(schemaVersion), users: \(users)\(erased), "
            + "archives: \(archives)\(damaged)\(deleted.map { ", deleted old backups: \($0.count)" } ?? "")"
    }
}
