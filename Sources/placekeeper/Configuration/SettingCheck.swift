import PlacekeeperSystem
import PlacekeeperFiles
import PlacekeeperSQLite

/// A setting of `serve`, with the function that `serve` reads it with.
struct SettingCheck: Sendable {
    var option: Option
    var read: @Sendable (Arguments) throws(CommandFailure) -> Void

    static let all: [SettingCheck] = [
        SettingCheck(option: .listen) { arguments throws(CommandFailure) in _ = try arguments.listenAddress() },
        SettingCheck(option: .url) { arguments throws(CommandFailure) in _ = try arguments.url() },
        SettingCheck(option: .data) { arguments throws(CommandFailure) in
            try DataDirectory.check(arguments.value(of: .data) ?? "")
        },
        SettingCheck(option: .database) { arguments throws(CommandFailure) in _ = try arguments.databaseURL() },
        // The file is read only if there is a PostgreSQL database.
        SettingCheck(option: .databasePassword) { arguments throws(CommandFailure) in
            if arguments.value(of: .database) != nil { _ = try arguments.databasePassword() }
        },
        SettingCheck(option: .databaseConnections) { arguments throws(CommandFailure) in
            _ = try arguments.databaseConnections()
        },
        SettingCheck(option: .usersPerTransaction) { arguments throws(CommandFailure) in
            _ = try arguments.usersPerTransaction()
        },
        SettingCheck(option: .publicFiles) { arguments throws(CommandFailure) in _ = try arguments.publicFiles() },
        SettingCheck(option: .maximumBytes) { arguments throws(CommandFailure) in _ = try arguments.maximumBytes() },
        SettingCheck(option: .trustedProxies) { arguments throws(CommandFailure) in
            _ = try arguments.trustedProxies()
        },
        fieldName(.clientAddressField), fieldName(.clientSchemeField),
        SettingCheck(option: .log) { arguments throws(CommandFailure) in _ = try arguments.logsAccess() },
        isOn(.metrics),
        SettingCheck(option: .metricsListen) { arguments throws(CommandFailure) in
            _ = try arguments.metricsAddress()
        },
        SettingCheck(option: .alertCommand) { arguments throws(CommandFailure) in _ = try arguments.alertCommand() },
        SettingCheck(option: .poller) { arguments throws(CommandFailure) in _ = try arguments.poller() },
    ]

    private static func fieldName(_ option: Option) -> SettingCheck {
        SettingCheck(option: option) { arguments throws(CommandFailure) in _ = try arguments.fieldName(option) }
    }

    private static func isOn(_ option: Option) -> SettingCheck {
        SettingCheck(option: option) { arguments throws(CommandFailure) in _ = try arguments.isOn(option) }
    }
}

/// The directory with the database and the erasure log.
enum DataDirectory {
    /// Checks that `serve` can use or create the directory, without changing anything.
    static func check(_ directory: String) throws(CommandFailure) {
        do throws(PathFault) {
            guard let status = try FileStatus.of(directory, followingLink: true) else {
                return try requireAccess(FileNames.directory(of: directory), R_OK | W_OK | X_OK)
            }
            guard status.kind == .directory else { throw PathFault(directory, failed: "mkdir", ENOTDIR) }
            try requireAccess(directory, R_OK | W_OK | X_OK)
            for name in [SQLiteStore.fileName, ErasureFile.fileName] {
                let path = directory + "/" + name
                guard let file = try FileStatus.of(path) else { continue }
                guard file.kind == .regular else { throw PathFault(path, .kind(file.kind)) }
                try requireAccess(path, R_OK | W_OK)
            }
        } catch {
            let path = error.path == directory ? "" : " for \(quoted(error.path))"
            throw CommandFailure(
                .configuration,
                "the data directory \(quoted(directory)) cannot be used: \(error.clause)\(path); "
                    + "give another with --data, or run the command as its owner or as root")
        }
    }

    private static func requireAccess(_ path: String, _ mode: Int32) throws(PathFault) {
        guard access(path, mode) == 0 else { throw PathFault(path, failed: "access", errno) }
    }
}
