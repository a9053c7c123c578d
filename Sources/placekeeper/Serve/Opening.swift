import PlacekeeperService
import PlacekeeperSockets
import Synchronization

/// The opening of a service's database, while the service already listens.
final class Opening: Sendable {
    private struct State {
        var address = ""
        var start = ContinuousClock.now
        var migration: (version: Int, start: ContinuousClock.Instant)?
        var attempts = 0
        var failure: CommandFailure?
    }

    private let state = Mutex(State())
    private let report: @Sendable (String) -> Void
    /// The time between two attempts.
    private static let pause = Duration.seconds(1)

    /// - Parameter report: logs a line for operators.
    init(report: @escaping @Sendable (String) -> Void) { self.report = report }

    /// - Parameter address: the address at which the service answers 503.
    func begin(at address: SocketAddress) { state.withLock { $0.address = "http://\(address)" } }

    /// Records that the database is being migrated to a schema version.
    @Sendable func migrate(to version: Int) {
        let isNew = state.withLock { state in
            guard state.migration?.version != version else { return false }
            state.migration = (version, .now)
            return true
        }
        if isNew { reportWait("the database is being migrated to schema version \(version)") }
    }

    /// Why the database isn't open yet, as sentences that anyone may read.
    var reason: String {
        state.withLock { state in
            if let (version, start) = state.migration {
                let age = age(start)
                return "The store is being opened: the migration to schema version \(version) has run for \(age)."
            }
            guard let outage = state.failure?.outage else {
                return "The store is being opened, for \(age(state.start)) so far."
            }
            let attempts = state.attempts == 1 ? "1 attempt" : "\(state.attempts) attempts"
            return "The store could not be opened in \(attempts) so far. \(outage)"
        }
    }

    /// Opens the database, and erases the people that a restored backup may have brought back. Returns nil if `stop`
    /// ends first.
    ///
    /// - Parameter isPatient: whether to try again while the database is away.
    func open(
        unless stop: Task<Void, Never>, isPatient: Bool,
        _ attempt: @escaping @Sendable () async throws(CommandFailure) -> Wiring.Opened
    ) async throws(CommandFailure) -> Wiring.Opened? {
        let (results, continuation) = AsyncStream<Result<Wiring.Opened, CommandFailure>?>.makeStream()
        Task {
            await stop.value
            continuation.yield(nil)
        }
        // A blocked attempt doesn't notice that its task is canceled, so nobody waits for it after `stop`.
        Task {
            while true {
                let result = await self.result(of: attempt)
                guard isPatient, case .failure(let failure) = result, failure.outage != nil else {
                    continuation.yield(result)
                    return
                }
                note(failure)
                do { try await Task.sleep(for: Self.pause) } catch { return }
            }
        }
        for await result in results { return try result?.get() }
        return nil
    }

    private func result(
        of attempt: () async throws(CommandFailure) -> Wiring.Opened
    ) async -> Result<Wiring.Opened, CommandFailure> {
        do throws(CommandFailure) {
            let opened = try await attempt()
            state.withLock { $0.migration = nil }
            do throws(CommandFailure) { try await opened.resumeErasures() } catch {
                await opened.service.upkeep.close()
                throw error
            }
            return .success(opened)
        } catch {
            return .failure(error)
        }
    }

    private func note(_ failure: CommandFailure) {
        let isNew = state.withLock { state in
            state.migration = nil
            state.attempts += 1
            defer { state.failure = failure }
            return state.failure != failure
        }
        if isNew { reportWait(failure.message) }
    }

    private func reportWait(_ reason: String) {
        report("\(state.withLock { $0.address }) answers 503 until the database is open: \(reason)")
    }

    private func age(_ start: ContinuousClock.Instant) -> String {
        "\((ContinuousClock.now - start).components.seconds) s"
    }
}
