import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperFiles
import PlacekeeperSQLite
import PlacekeeperSystem

/// The backups of a data directory with SQLite, and its erasure log.
enum BackupCheck {
    /// A day, and time for a long backup.
    static let longestAge = Duration.seconds(26 * 3600)

    static func findings(of directory: String, at now: Timestamp) -> [Finding] {
        let record = BackupRecord(of: directory)
        let size = record?.success.flatMap { try? FileStatus.of($0.file, followingLink: true) }?.size
        return findings(record, presentSize: size, at: now)
    }

    /// - Parameter presentSize: the size of the recorded file. Nil if it is gone, for example to another machine.
    static func findings(_ record: BackupRecord?, presentSize: Int?, at now: Timestamp) -> [Finding] {
        var findings: [Finding] = []
        if let failure = record?.failure {
            findings.append(
                .problem(
                    "backups", "the backup of \(failure.at) failed: \(failure.message)",
                    do: "correct the cause, and repeat backup create"))
        }
        guard let success = record?.success else {
            return findings.isEmpty
                ? [
                    .problem(
                        "backups", "no backup was made",
                        do: "systemctl enable --now placekeeper-backup.timer, or backup create every day")
                ] : findings
        }
        let hours = (now.milliseconds - success.endedAt.milliseconds) / 3_600_000
        if hours >= longestAge.components.seconds / 3600 {
            findings.append(
                .problem(
                    "backups", "the last backup is \(hours) hours old",
                    do: "systemctl status placekeeper-backup.timer, or backup create"))
        }
        if let presentSize, presentSize != success.bytes {
            findings.append(
                .problem(
                    "backups",
                    "\(quoted(success.file)) has \(presentSize) bytes, and had \(success.bytes) when it was made",
                    do: "look with backup verify, and make a new backup"))
        }
        return findings.orOK("backups", "the last is \(max(0, hours)) hours old, with \(success.bytes) bytes")
    }
}
