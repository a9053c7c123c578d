extension RestorationEnvironment {
    /// Extends restoration beyond the end of the launch. Call this while state is being decoded, and balance each call
    /// with a later `completeStateRestoration()` (seed row 69).
    public func extendStateRestoration() { extensions += 1 }

    /// Ends one extension.
    public func completeStateRestoration() {
        guard extensions > 0 else { return }
        extensions -= 1
        finishIfComplete()
    }

    /// Whether restoration is extended.
    public var isRestorationExtended: Bool { extensions > 0 }

    /// Waits until all extensions are complete. After `timeout`, restoration counts as complete.
    /// - Returns: Whether restoration was complete before the timeout.
    @discardableResult
    public func restorationCompletes<C: Clock>(within timeout: C.Duration, clock: C) async -> Bool {
        guard extensions > 0 else { return true }
        let deadline = Task {
            try await clock.sleep(until: clock.now.advanced(by: timeout), tolerance: nil)
            // Restoration may have completed just before this task resumed. A canceled task must not end later
            // extensions.
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

    /// Calls an action when restoration is complete, or at once if it is not extended.
    package func whenRestorationCompletes(_ action: @escaping @MainActor () -> Void) {
        if extensions == 0 { action() } else { completions.append(action) }
    }

    private func finishIfComplete() {
        guard extensions == 0 else { return }
        let actions = completions
        completions = []
        for action in actions { action() }
    }

    /// Prevents the system from showing its snapshot at the next launch only (row 56). Call this while state is being
    /// saved; at any other time it has no effect.
    public func ignoreSnapshotOnNextApplicationLaunch() {
        if isSaving { ignoresSnapshot = true }
    }
}
