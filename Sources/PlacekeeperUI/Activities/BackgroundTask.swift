/// Work for which the system gives an app some time in the background. The task is ended once: when the work is done, or
/// in the handler that the system calls before the time is over. After the handler has returned, the system ends an app
/// whose task has not ended.
@MainActor
final class BackgroundTask<ID: Sendable> {
    private let end: @MainActor (ID) -> Void
    private var id: ID?
    private var work: Task<Void, Never>?
    private var isExpired = false

    /// Begins the task and the work.
    /// - Parameters:
    ///   - begin: Begins a task of the system, which calls the handler before the time is over. Returns nil if the system
    ///     gives no time. The work is done then too, as far as the system lets it.
    ///   - end: Ends the task of the system.
    ///   - work: The work. It is canceled when the time is over.
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
