import PlacekeeperServer
import PlacekeeperService

/// The periodic chores of a running service.
struct Housekeeping: Sendable {
    var opened: Wiring.Opened
    var api: Server
    var signIn: TokenSignIn
    var setUp: SetUpLink
    /// Reports failing restores and failed chores. If a chore fails several times in a row, only the first failure is
    /// reported.
    var report: @Sendable (String) -> Void

    /// Runs the chores until the task is canceled.
    func run() async {
        opened.service.upkeep.followExternalWrites()
        // Pruning may take minutes. The other chores continue in the meantime.
        async let pruning: Void = run { $0 == .prune }
        await run { $0 != .prune }
        await pruning
    }

    private func run(_ isMine: @Sendable (Schedule.Chore) -> Bool) async {
        var schedule = Schedule()
        var failing: Set<Schedule.Chore> = []
        while true {
            do { try await Task.sleep(for: .seconds(1)) } catch { return }
            for chore in schedule.next() where isMine(chore) {
                do {
                    try await perform(chore)
                    failing.remove(chore)
                } catch {
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
        case .checkClock: try await api.checkClock().forEach(report)
        case .sendHeartbeats: api.sendHeartbeats()
        case .flush: try await api.flush()
        case .judgeRestores:
            // If two instances judged at the same time, the operators would be alerted twice.
            try await opened.service.upkeep.withLease(.judging, for: .seconds(120), keepsLease: false) {
                () async throws(ServiceError) in
                try await opened.service.health.judgeRestores().forEach(report)
            }
        case .prune:
            // Every instance tries once an hour. The first instance prunes for all.
            try await opened.service.upkeep.withLease(.pruning, for: .seconds(2700), keepsLease: true) {
                () async throws(ServiceError) in
                try await opened.service.upkeep.prune()
            }
        }
    }
}
