import RestorationService
import SQLiteStore

extension Subcommand {
    static let backupCreate = Subcommand(
        name: "backup create", summary: "copy the database to a file, also while a service runs",
        operands: ["FILE"], options: [.data, .replace, .json],
        discussion: """
            The file has all data that the service had acknowledged when the command started. The command checks every
            page of the file before the file gets its name. The service continues to work; its write-ahead log grows
            during the backup. Also copy erasures.log from the data directory to another machine: it lists the users
            that a restore must erase again.
            """,
        examples: [
            ("backup create /backup/monday.sqlite --data DIR", "writes a new file, and prints its size and contents"),
            ("backup create latest.sqlite --data DIR --replace", "replaces the file after the new copy was checked"),
        ]
    ) { arguments throws(CommandFailure) in
        let path = arguments.operands[0]
        let directory = arguments.value(of: .data) ?? ""
        guard Files.exists(directory + "/" + SQLiteStore.fileName) else {
            throw CommandFailure(
                .unavailable, "there is no database in \(quoted(directory)); give its directory with --data DIR")
        }
        let replaces = try arguments.isOn(.replace)
        _ = try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            let apps = try await opened.ask { service async throws(ServiceError) in try await service.apps() }
            for app in apps { try await opened.record(.backedUp, in: app.id) }
            return .success
        }
        let progress = Progress()
        defer { progress.end() }
        let contents: Backup.Contents
        do throws(StoreError) {
            contents = try Backup.create(from: directory, to: path, replaces: replaces, report: progress.show)
        } catch {
            throw failure(error, path, ifExists: "the file exists; give another name, or --replace")
        }
        progress.end()
        let report = BackupReport(path, contents)
        try Output.show(report, as: report.text, for: arguments)
        return .success
    }

    static let backupRestore = Subcommand(
        name: "backup restore", summary: "make a backup the database of the data directory",
        operands: ["FILE"], options: [.data, .replace, .erasures, .json],
        discussion: """
            Stop the service first, and wait until other commands have ended. The command copies and checks the file, migrates the copy to this version's schema,
            and erases the users that erasures.log in the data directory lists. Then the copy becomes the database. With
            --replace the old database is deleted at this moment, and cannot be brought back: it may have data of erased
            users. Make a backup of it before, if you need it. A device that was revoked after the backup was made is
            accepted again.
            """,
        examples: [
            ("backup restore monday.sqlite --data DIR", "restores into a directory without a database"),
            (
                "backup restore monday.sqlite --data DIR --replace --erasures erasures.log",
                "replaces the database, and also erases the users that the given log lists"
            ),
        ]
    ) { arguments throws(CommandFailure) in
        let path = arguments.operands[0]
        let directory = arguments.value(of: .data) ?? ""
        guard Files.exists(path) else { throw CommandFailure(.failure, "there is no file \(quoted(path))") }
        let replaces = try arguments.isOn(.replace)
        Files.makeDirectory(directory)
        guard try DirectoryLock.take(directory) else {
            throw CommandFailure(.unavailable, "the data directory \(quoted(directory)) cannot be opened")
        }
        try DatabaseLock.takeAlone(directory)
        let progress = Progress()
        defer { progress.end() }
        let prepared: Backup.Prepared
        do throws(StoreError) {
            try await addErasures(arguments.value(of: .erasures), to: directory)
            prepared = try Backup.prepare(path, in: directory, replaces: replaces, report: progress.show)
        } catch {
            throw failure(
                error, path, ifExists: "there is a database in \(quoted(directory)); --replace replaces and deletes it")
        }
        let erased: Int
        do throws(CommandFailure) {
            let opened = try await Wiring.open(directory: prepared.directory, erasures: directory)
            let result: Result<Int, CommandFailure>
            do throws(CommandFailure) {
                result = .success(try await opened.resumeErasures())
            } catch {
                result = .failure(error)
            }
            await opened.store.close()
            erased = try result.get()
        } catch {
            Backup.discard(prepared)
            throw error
        }
        let contents: Backup.Contents
        do throws(StoreError) {
            contents = try Backup.install(prepared)
        } catch {
            Backup.discard(prepared)
            throw failure(error, path, ifExists: "")
        }
        progress.end()
        var report = BackupReport(directory + "/" + SQLiteStore.fileName, contents)
        report.erasedUsers = erased
        try Output.show(report, as: report.text, for: arguments)
        return .success
    }

    /// Adds the entries of another erasure log to the log of the data directory.
    private static func addErasures(_ path: String?, to directory: String) async throws(StoreError) {
        guard let path else { return }
        guard Files.exists(path) else {
            throw StoreError(.corrupt, "The erasure log does not exist.", cause: path)
        }
        let log = ErasureFile(directory: directory)
        let known = Set(try await log.entries())
        try await log.append(try await ErasureFile(path: path).entries().filter { !known.contains($0) })
    }

    private static func failure(_ error: StoreError, _ path: String, ifExists advice: String) -> CommandFailure {
        if error.code == .exists { return CommandFailure(.failure, "\(advice): \(quoted(path))") }
        let cause = error.cause.map { " (\($0))" } ?? ""
        let exit: Exit = [.corrupt, .tooNew].contains(error.code) ? .failure : .unavailable
        return CommandFailure(exit, "\(clause(error.message)): \(quoted(path))\(cause)")
    }
}

extension Option {
    fileprivate static let replace = Option("replace", help: "replace what exists")
    fileprivate static let erasures = Option(
        "erasures", "FILE", help: "also erase the users that this erasure log lists")
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

    init(_ file: String, _ contents: Backup.Contents) {
        self.file = file
        bytes = contents.bytes
        schemaVersion = contents.schemaVersion
        users = contents.users
        archives = contents.archives
    }

    var text: String {
        let erased = erasedUsers.map { ", \($0) erased" } ?? ""
        return
            "\(file): \(bytes) bytes, schema version \(schemaVersion), users: \(users)\(erased), archives: \(archives)"
    }
}
