import PlacekeeperFiles
import PlacekeeperSQLite
import PlacekeeperSystem

/// The settings of `serve`, as `config check` checks them.
enum SettingsCheck {
    static func findings(_ arguments: Arguments) -> [Finding] {
        let report = ConfigurationReport(
            arguments, settings: Command.parser.subcommands.flatMap(\.allOptions).filter(\.isSetting))
        return report.problems.map {
            .problem("settings", $0, do: "correct the setting, and look with placekeeper config check")
        }.orOK("settings", "valid")
    }
}

/// The data directory, and the rights to it.
enum DirectoryCheck {
    static func findings(of directory: String) -> [Finding] {
        guard let status = try? FileStatus.of(directory, followingLink: true) else {
            return [
                .problem(
                    "directory", "there is no data directory \(quoted(directory))",
                    do: "start the service, which creates it, or give the right directory with --data")
            ]
        }
        guard status.kind == .directory else { return [] }  // `SettingsCheck` reports it.
        var findings: [Finding] = []
        if status.permissions & 0o077 != 0 {
            findings.append(
                .problem(
                    "directory", "other users of the machine have rights to \(quoted(directory))",
                    do: "chmod 700 \(shellQuoted(directory))"))
        }
        for name in files {
            let path = directory + "/" + name
            guard let file = try? FileStatus.of(path) else { continue }
            if file.permissions & 0o077 != 0 {
                findings.append(
                    .problem(
                        "directory", "other users of the machine have rights to \(quoted(path))",
                        do: "chmod 600 \(shellQuoted(path))"))
            }
            if file.owner != status.owner {
                findings.append(
                    .problem(
                        "directory", "\(quoted(path)) does not belong to the owner of its directory",
                        do: "chown --reference=\(shellQuoted(directory)) \(shellQuoted(path))"))
            }
        }
        if let kind = networkFileSystem(at: directory) {
            findings.append(networkFileSystem(kind, directory))
        }
        return findings.orOK("directory", "\(quoted(directory)) is private")
    }

    private static let files = [
        SQLiteStore.fileName, SQLiteStore.fileName + "-wal", SQLiteStore.fileName + "-shm", ErasureFile.fileName,
        BackupRecord.fileName, "admin-set-up",
    ]

    static func networkFileSystem(_ kind: String, _ directory: String) -> Finding {
        .problem(
            "directory",
            "\(quoted(directory)) is on \(kind), where SQLite's locks and its log do not work reliably",
            do: "move the data to a local disk: backup create, then backup restore")
    }

    /// The name of a network file system, or nil for any other.
    private static func networkFileSystem(at path: String) -> String? {
        Platform.fileSystemKind(path).flatMap { networkFileSystems[$0] }
    }

    /// The magic numbers of statfs(2).
    static let networkFileSystems: [UInt32: String] = [
        0x6969: "NFS", 0xFF53_4D42: "CIFS", 0xFE53_4D42: "SMB", 0x0102_1997: "9P", 0x00C3_6400: "Ceph",
    ]
}
