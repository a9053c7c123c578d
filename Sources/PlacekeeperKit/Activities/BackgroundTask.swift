/// Work that runs in the background time that the system grants an app. The task is ended once: when the work is done,
/// or in the handler that the system calls before time runs out. If the task hasn't ended when the handler returns, the
/// system terminates the app.
@MainActor
final class BackgroundTask<ID: Sendable> {
    private let end: @MainActor (ID) -> Void
    private var id: ID?
    private var work: Task<Void, Never>?
    private var isExpired = false

    /// Starts the task and the work.
    /// - Parameters:
    ///   - begin: Starts a task of the system, which calls the handler before time runs out. Returns nil if the system
    ///     grants no time. The work is still done then, as far as the system allows.
    ///   - end: Ends the task of the system.
    ///   - work: The work. It is canceled when time runs out.
    @discardableResult
    init(
        begin: @MainActor (_ handler: @escaping @MainActor @Sendable () -> Void) -> ID?,
        end: @escaping @MainActor (ID) -> Void, work: @escaping @MainActor () async -> Void
    ) {
        self.end = end
        id = begin { self.expire() }
        guard !isExpired else {
            finish()
            return
        }
        self.work = Task {
            await work()
            finish()
        }
    }

    private func expire() {
        isExpired = true
        work?.cancel()
        finish()
    }

    private func finish() {
        guard let id else { return }
        self.id = nil
        end(id)
    }
}
