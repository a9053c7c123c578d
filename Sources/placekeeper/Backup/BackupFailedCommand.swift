import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperFiles
import PlacekeeperSQLite
import PlacekeeperService
import PlacekeeperSystem

extension Subcommand {
    static let backupFailed = Subcommand(
        name: "backup failed", summary: "record a failure that backup create couldn't record itself",
        operands: ["RESULT"], options: [.data],
        discussion: """
            For ExecStopPost= of the backup's unit, which gives the result of the unit, such as timeout or oom-kill. The
            service then shows and alerts the failure. With the result success, or within a minute after backup create
            recorded a failure of its own, the command changes nothing.
            """,
        examples: [("backup failed timeout", "records that the last backup took too long")]
    ) { arguments throws(CommandFailure) in
        let (result, directory) = (arguments.operands[0], arguments.value(of: .data) ?? "")
        guard result != "success" else { return .success }
        let database = directory + "/" + SQLiteStore.fileName
        guard let status = try? FileStatus.of(database), status.kind == .regular else {
            throw CommandFailure(
                .unavailable, "there is no database in \(quoted(directory)); give its directory with --data DIR")
        }
        let now = Time(milliseconds: SystemClock().now().milliseconds)
        let last = BackupRecord(of: directory)?.failure?.at
        // A record from the future says nothing: the clock was set back.
        let isRecorded = last.map { 0..<60_000 ~= now.milliseconds - $0.milliseconds } ?? false
        guard !isRecorded else { return .success }
        let message =
            switch result {
            case "timeout": "the backup took longer than its unit allows"
            case "oom-kill": "the system ended the backup, because memory was short"
            default: "the backup's unit failed: \(result); see journalctl -u placekeeper-backup"
            }
        try BackupRecord.save(BackupRecord.Failure(at: now, message: message), in: directory)
        return .success
    }
}
