/// When the periodic chores run, to the second.
struct Schedule {
    enum Chore: String, Sendable, Hashable, CaseIterable {
        /// Checks whether another process wrote to the database.
        case noticeChanges = "notice-changes"
        /// Checks whether the apps' key files have changed.
        case checkKeyFiles = "check-key-files"
        /// Checks whether a backup has ended.
        case noticeBackups = "notice-backups"
        /// Checks whether stored times are ahead of the system's clock.
        case checkClock = "check-clock"
        /// Sends a heartbeat to every event stream, so proxies and clients keep the connection open.
        case sendHeartbeats = "send-heartbeats"
        /// Writes to the store what the service has collected in memory: the devices' times of last use, the counts and
        /// the restore log.
        case flush
        /// Judges the restores of each app, and stops restores that fail.
        case judgeRestores = "judge-restores"
        /// Looks for alerts: checks the store and the disk, and counts failed log-ins.
        case watch
        /// Logs the alerts that started or ended, and tells them to the operator's command.
        case tellAlerts = "tell-alerts"
        /// Continues to delete the apps that an administrator or a command deleted.
        case deleteApps = "delete-apps"
        /// Deletes expired data.
        case prune
    }

    private var second = 0

    /// Returns the chores of the next second, in order.
    mutating func next() -> [Chore] {
        second += 1
        var chores: [Chore] = [.noticeChanges, .tellAlerts, .deleteApps]
        // The first check comes immediately, so the readiness check soon reports an unusable key file.
        if second % 5 == 1 { chores += [.checkKeyFiles, .noticeBackups] }
        if second % 60 == 1 { chores.append(.checkClock) }
        if second % 15 == 0 { chores += [.sendHeartbeats, .watch] }
        if second % 60 == 0 { chores += [.flush, .judgeRestores] }
        // Pruning runs a minute after the start and then every hour, so a service that is restarted every hour also
        // prunes.
        if second % 3600 == 60 { chores.append(.prune) }
        return chores
    }
}
