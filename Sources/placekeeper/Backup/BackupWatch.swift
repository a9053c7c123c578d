import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperServer
import PlacekeeperService
import Synchronization

/// The record of the last backup, as a running service knows it.
final class BackupWatch: Sendable {
    private let directory: String
    private let record: Mutex<BackupRecord?>

    init(directory: String) {
        self.directory = directory
        record = Mutex(BackupRecord(of: directory))
    }

    /// Rereads the record, and returns a log line for each backup or verification that has ended since the last call.
    func notices() -> [String] {
        // Without a readable record, the last one stays.
        guard let new = BackupRecord(of: directory) else { return [] }
        let old = record.withLock { record in
            defer { record = new }
            return record
        }
        var lines: [String] = []
        if let success = new.success, success != old?.success {
            let seconds = Double(success.milliseconds) / 1000
            lines.append("backed up to \(quoted(success.file)): \(success.bytes) bytes in \(seconds) s")
        }
        if let proof = new.proof, proof != old?.proof { lines.append("verified the backup \(quoted(proof.file))") }
        if let failure = new.failure, failure != old?.failure {
            lines.append("the backup failed: " + failure.message)
        }
        return lines
    }

    /// The last backup, and the failure of a later attempt.
    var last: (Server.Host.Backup?, Server.Host.BackupFailure?) {
        let record = record.withLock(\.self)
        let success = record?.success.map { success in
            Server.Host.Backup(
                endedAt: Timestamp(milliseconds: success.endedAt.milliseconds),
                milliseconds: Int(clamping: success.milliseconds), bytes: success.bytes)
        }
        let failure = record?.failure.map { failure in
            Server.Host.BackupFailure(
                at: Timestamp(milliseconds: failure.at.milliseconds), message: failure.message)
        }
        return (success, failure)
    }

    /// The last backup that was restored and compared.
    var proof: Server.Host.BackupProof? {
        record.withLock { $0?.proof }.map { proof in
            Server.Host.BackupProof(
                at: Timestamp(milliseconds: proof.at.milliseconds),
                endedAt: proof.endedAt.map { Timestamp(milliseconds: $0.milliseconds) })
        }
    }

    /// The alert about a failed backup, and the one about an old backup. A service without backups has neither: there
    /// are other ways to make them.
    func alerts(at now: Timestamp) -> (failed: [Alert], old: [Alert]) {
        guard let record = record.withLock(\.self) else { return ([], []) }
        let failed = record.failure.map { Alert(.backupFailed, "the backup", "The last backup failed: \($0.message)") }
        let end = record.success.map { Timestamp(milliseconds: $0.endedAt.milliseconds) }
        let old = end.flatMap { end in
            now - end <= BackupCheck.longestAge
                ? nil : Alert(.backupOld, "the backup", "The last backup ended at \(end.text).")
        }
        return ([failed].compactMap(\.self), [old].compactMap(\.self))
    }

    /// Empty if no backup was made.
    var metrics: [Metric] {
        guard let record = record.withLock(\.self) else { return [] }
        var metrics: [Metric] = []
        if let success = record.success {
            metrics += [
                Metric(
                    "last_backup_timestamp_seconds", .gauge,
                    "The time at which the last successful backup ended, in seconds since 1970.",
                    Double(success.endedAt.milliseconds) / 1000),
                Metric(
                    "last_backup_duration_seconds", .gauge, "How long that backup took.",
                    Double(success.milliseconds) / 1000),
                Metric("last_backup_bytes", .gauge, "The size of that backup.", success.bytes),
            ]
        }
        let hasFailed = record.failure != nil
        metrics.append(
            Metric(
                "last_backup_failed", .gauge, "1 if the last attempt of a backup failed, otherwise 0.",
                hasFailed ? 1 : 0))
        return metrics
    }
}
