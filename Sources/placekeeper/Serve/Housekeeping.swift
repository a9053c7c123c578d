import PlacekeeperCore
import PlacekeeperServer
import PlacekeeperService

/// The periodic chores of a running service.
struct Housekeeping: Sendable {
    var opened: Wiring.Opened
    var api: Server
    var signIn: TokenSignIn
    var setUp: SetUpLink
    var backups: BackupWatch
    var watch: Watch
    var record: ChoreRecord
    var command: AlertCommand?
    /// Reports failed chores. If a chore fails several times in a row, only the first failure is reported.
    var report: @Sendable (String) -> Void
    /// Adds a line to the log.
    var log: LogSink

    /// Runs the chores until the task is canceled.
    func run() async {
        opened.service.upkeep.followExternalWrites()
        // Pruning and deleting an app may take minutes, and a store that fails may hold up the chores that use it. The
        // others continue in the meantime.
        async let pruning: Void = run { $0 == .prune }
        async let deleting: Void = run { $0 == .deleteApps }
        async let watching: Void = run { $0 == .watch }
        async let telling: Void = run { $0 == .tellAlerts }
        await run { ![.prune, .deleteApps, .watch, .tellAlerts].contains($0) }
        _ = await (pruning, deleting, watching, telling)
    }

    private func run(_ isMine: @Sendable (Schedule.Chore) -> Bool) async {
        var schedule = Schedule()
        var failing: Set<Schedule.Chore> = []
        while true {
            do { try await Task.sleep(for: .seconds(1)) } catch { return }
            for chore in schedule.next() where isMine(chore) {
                let start = ContinuousClock.now
                do {
                    try await perform(chore)
                    failing.remove(chore)
                    record.add(chore, at: opened.service.clock.now(), after: .now - start)
                } catch {
                    record.addFailure(of: chore)
                    if failing.insert(chore).inserted { report("\(chore) failed: \(error)") }
                }
            }
        }
    }

    private func perform(_ chore: Schedule.Chore) async throws {
        switch chore {
        case .noticeChanges:
            try await opened.service.upkeep.noticeExternalWrites()
            try await opened.service.accounts.finishErasures()
            try await setUp.removeIfUsed(of: opened.service)
        case .checkKeyFiles:
            signIn.refresh(try await opened.service.apps.apps())
        case .noticeBackups: backups.notices().forEach(report)
        case .checkClock: try await api.checkClock().forEach(report)
        case .sendHeartbeats: api.sendHeartbeats()
        case .flush: try await api.flush()
        case .judgeRestores:
            // If two instances judged at the same time, the operators would be alerted twice.
            try await opened.service.upkeep.withLease(.judging, for: .seconds(120), keepsLease: false) {
                () async throws(ServiceError) in
                for line in try await opened.service.health.judgeRestores() { log(message(line)) }
            }
        case .watch: await watch.look()
        case .tellAlerts:
            for change in opened.service.alerts.changes(by: opened.service.clock) {
                var line = LogLine(change.endedAt == nil ? "error" : "info", at: opened.service.clock.now())
                change.add(to: &line)
                log(line.whole)
                command?.tell(change)
            }
        case .deleteApps:
            guard try await opened.service.apps.apps().contains(where: \.isBeingDeleted) else { return }
            // Two instances would erase the same users.
            try await opened.service.upkeep.withLease(.deleting, for: .seconds(300), keepsLease: false) {
                () async throws(ServiceError) in
                try await opened.service.apps.continueDeletions()
            }
        case .prune:
            // Every instance tries once an hour. The first instance prunes for all.
            try await opened.service.upkeep.withLease(.pruning, for: .seconds(2700), keepsLease: true) {
                () async throws(ServiceError) in
                try await opened.service.upkeep.prune()
            }
        }
    }

    private func message(_ text: String) -> String {
        var line = LogLine("warning", at: opened.service.clock.now())
        line.add("message", text)
        return line.whole
    }
}
