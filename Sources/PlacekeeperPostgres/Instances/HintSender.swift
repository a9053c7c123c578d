import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperService

/// Tells other instances which users have new changes, once these are committed (`NOTIFY`). After a hint, further users
/// are collected for a few milliseconds, because a hint for each commit would cost the server about as much as the
/// commit. A hint may get lost: the other instances also check for changes once a second.
final class HintSender: Sendable {
    private struct State {
        var users: Set<UserKey> = []
        var isSending = false
    }

    private let pool: ConnectionPool
    private let instance: [UInt8]
    private let state = LockBox(State())
    /// With more users than this, there is no hint: the other instances' next check finds them.
    private static let limit = 2000
    private static let interval = Duration.milliseconds(10)

    init(_ pool: ConnectionPool, instance: [UInt8]) {
        self.pool = pool
        self.instance = instance
    }

    func send(_ invalidations: Invalidations) {
        guard !invalidations.news.isEmpty else { return }
        let mustStart = state.withLock { state in
            state.users.formUnion(invalidations.news)
            if state.users.count > Self.limit { state.users = [] }
            defer { state.isSending = true }
            return !state.isSending
        }
        if mustStart { Task { await run() } }
    }

    private func run() async {
        while let hint = next() {
            let statements = hint.texts.map { Statement("SELECT pg_notify($1, $2)", .text(Hint.channel), .text($0)) }
            // This transaction writes nothing that must be durable, so it doesn't wait for the disk or a standby.
            let fast = Statement("SELECT set_config('synchronous_commit', 'off', true)")
            _ = try? await pool.run(Batch([fast] + statements))
            try? await Task.sleep(for: Self.interval)
        }
    }

    private func next() -> Hint? {
        state.withLock { state in
            guard !state.users.isEmpty else {
                state.isSending = false
                return nil
            }
            defer { state.users = [] }
            return Hint(instance: instance, users: Array(state.users))
        }
    }
}
