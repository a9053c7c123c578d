import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperFiles
import PlacekeeperSQLite
import PlacekeeperService
import PlacekeeperSystem

extension Subcommand {
    static let backupCreate = Subcommand(
        name: "backup create", summary: "back up the database, even while the service runs",
        operands: ["PATH"], options: [.data, .replaceBackup, .keep, .json],
        discussion: """
            The file contains all data that the service had acknowledged when the command started. The command checks
            every page of the file, and the bytes of every archive, before the file gets its name. In a directory, the
            file gets a name with the time. If archives are damaged, the command still writes the file and ends with 1,
            but does not replace an existing file. Only an earlier backup is ever replaced, and no file is written into a
            data directory. The service keeps working; its write-ahead log grows during the backup. The service logs the
            end of the backup, and shows it in its metrics. Also copy erasures.log from the data directory to another
            machine: it lists the users that a restore must erase again.
            """,
        examples: [
            ("backup create /backup/monday.sqlite --data DIR", "writes a new file, and prints its size and contents"),
            ("backup create latest.sqlite --data DIR --replace", "replaces the file after the new copy was checked"),
            ("backup create /backup --keep 14", "writes a new file into the directory, and deletes old backups there"),
        ]
    ) { arguments throws(CommandFailure) in
        let directory = arguments.value(of: .data) ?? ""
        guard Files.exists(directory + "/" + SQLiteStore.fileName) else {
            throw CommandFailure(
                .unavailable, "there is no database in \(quoted(directory)); give its directory with --data DIR")
        }
        let start = SystemClock().now()
        let (path, isInFolder) = try backupPath(arguments, at: start)
        let count = try arguments.number(of: .keep, in: 1...10_000)
        guard count == nil || isInFolder else {
            throw CommandFailure(.usage, "--keep needs a directory for backups, and \(quoted(path)) is none")
        }
        let replaces = try arguments.isOn(.replaceBackup)
        do throws(PathFault) {
            try Backup.look(at: path, replaces: replaces, besides: directory)
        } catch {
            let advice = error.reason == .exists ? "give another path, or --replace" : "give another path"
            throw CommandFailure(writing: error, advice)
        }
        _ = try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            let apps = try await opened.ask { service async throws(ServiceError) in try await service.apps.apps() }
            for app in apps { try await opened.record(.backedUp, in: app.id) }
            return .success
        }
        // A path or a database that is refused before leaves everything as it was.
        do throws(CommandFailure) {
            return try create(path, of: directory, replaces: replaces, keeping: count, from: start, arguments)
        } catch {
            let failure = BackupRecord.Failure(
                at: Time(milliseconds: SystemClock().now().milliseconds), message: error.message)
            // The first error says more than an error of the record.
            _ = try? BackupRecord.save(failure, in: directory)
            throw error
        }
    }

    /// Returns the path of the new file, and whether it is in a directory that the operand names.
    private static func backupPath(
        _ arguments: Arguments, at time: Timestamp
    ) throws(CommandFailure) -> (path: String, isInFolder: Bool) {
        let path = arguments.operands[0]
        do throws(PathFault) {
            guard try FileStatus.of(path, followingLink: true)?.kind == .directory else { return (path, false) }
        } catch {
            throw CommandFailure(writing: error)
        }
        // From 2026-11-30T03:44:59.123Z to 20261130T034459Z.
        let digits = time.text.prefix { $0 != "." }.filter { $0 != "-" && $0 != ":" } + "Z"
        return ((path.hasSuffix("/") ? String(path.dropLast()) : path) + "/" + Backup.name(at: digits), true)
    }

    private static func create(
        _ path: String, of directory: String, replaces: Bool, keeping count: Int?, from start: Timestamp,
        _ arguments: Arguments
    ) throws(CommandFailure) -> Exit {
        let progress = Progress()
        defer { progress.end() }
        var report: BackupReport
        let contents: Backup.Contents
        do throws(StoreError) {
            if count != nil { try Backup.deleteInterrupted(in: FileNames.directory(of: path)) }
            contents = try Backup.create(
                from: directory, to: path, replaces: replaces, checking: DamagedArchives.check, report: progress.show)
            report = BackupReport(path, contents)
        } catch {
            throw backupFailure(error, path, ifExists: "\(quoted(path)) exists; give another name, or --replace")
        }
        let isWhole = contents.wrongRows.isEmpty && contents.damagedArchives.isEmpty
        if isWhole {
            let digest = try fileDigest(path)
            let end = SystemClock().now()
            let success = BackupRecord.Success(
                endedAt: Time(milliseconds: end.milliseconds),
                milliseconds: end.milliseconds - start.milliseconds, file: absolute(path), bytes: contents.bytes,
                sha256: digest)
            try BackupRecord.save(success, in: directory)
            if let count {
                do throws(StoreError) {
                    report.deleted = try Backup.keepNewest(count, with: path)
                } catch {
                    throw backupFailure(error, FileNames.directory(of: path), ifExists: "")
                }
            }
        }
        progress.end()
        try Output.show(
            report, as: report.text,
            next: isWhole
                ? "test it with placekeeper backup verify \(shellQuoted(path))\(arguments.sharedFlags)" : nil,
            for: arguments)
        if let row = contents.wrongRows.first {
            throw CommandFailure(
                .failure,
                "the backup was written, but no restore accepts it, because a value is out of range in \(row); "
                    + "erase the user of the row, or keep an older backup")
        }
        guard contents.damagedArchives.isEmpty else {
            let damaged = DamagedArchives(archives: contents.damagedArchives)
            throw CommandFailure(
                .failure,
                "the backup was written, but \(damaged.text); keep an older backup, or see --drop-damaged of backup restore"
            )
        }
        return .success
    }

    /// Returns the digest of a file, in hexadecimal digits.
    static func fileDigest(_ path: String) throws(CommandFailure) -> String {
        do throws(PathFault) {
            let descriptor = try RegularFile.open(path, O_RDONLY)
            defer { close(descriptor) }
            let hash = SystemHashing().running()
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw PathFault(path, failed: "read", errno) }
                if count == 0 { break }
                buffer.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            }
            return hash.finish().bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        } catch {
            throw CommandFailure(reading: error)
        }
    }

    /// Returns the absolute path of a file, or the path itself if the file is gone.
    static func absolute(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

extension Option {
    fileprivate static let keep = Option(
        "keep", "N", help: "keep only the newest N backups in the directory, with the new one")
}
