extension RestorationEnvironment {
    /// Restoring goes on after this turn: to be called while state is decoded, and once for each
    /// `completeStateRestoration()` (seed row 69).
    public func extendStateRestoration() { extensions += 1 }

    /// What was extended is done.
    public func completeStateRestoration() {
        guard extensions > 0 else { return }
        extensions -= 1
        finishIfComplete()
    }

    /// Whether restoring goes on.
    public var isRestorationExtended: Bool { extensions > 0 }

    /// Waits until all that was extended is complete, at most as long as `timeout`; then it counts as complete.
    /// - Returns: whether it was complete in time.
    @discardableResult
    public func restorationCompletes<C: Clock>(within timeout: C.Duration, clock: C) async -> Bool {
        guard extensions > 0 else { return true }
        let deadline = Task {
            try await clock.sleep(until: clock.now.advanced(by: timeout), tolerance: nil)
            // It may have been complete just before it was woken.
            try Task.checkCancellation()
            isOverdue = extensions > 0
            extensions = 0
            finishIfComplete()
        }
        await withCheckedContinuation { continuation in
            whenRestorationCompletes { continuation.resume() }
        }
        deadline.cancel()
        defer { isOverdue = false }
        return !isOverdue
    }

    /// Calls once everything is complete; at once if nothing was extended.
    func whenRestorationCompletes(_ action: @escaping @MainActor () -> Void) {
        if extensions == 0 { action() } else { completions.append(action) }
    }

    private func finishIfComplete() {
        guard extensions == 0 else { return }
        let actions = completions
        completions = []
        for action in actions { action() }
    }

    /// The system's picture of the interface is not to be shown at the next launch, since it will not look so. It counts
    /// while state is saved only, and for one launch (row 56).
    public func ignoreSnapshotOnNextApplicationLaunch() {
        if isSaving { ignoresSnapshot = true }
    }
}
