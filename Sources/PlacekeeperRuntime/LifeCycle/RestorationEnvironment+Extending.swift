extension RestorationEnvironment {
    /// Extends restoration beyond the end of the launch. Call this method while state is decoded. Each call needs one
    /// later call of `completeStateRestoration()` (seed row 69).
    public func extendStateRestoration() { extensions += 1 }

    /// Ends one extension of restoration.
    public func completeStateRestoration() {
        guard extensions > 0 else { return }
        extensions -= 1
        finishIfComplete()
    }

    /// Whether restoration is extended.
    public var isRestorationExtended: Bool { extensions > 0 }

    /// Waits until all extensions are complete. After `timeout`, restoration is treated as complete.
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

    /// Calls an action when restoration is complete. If restoration is not extended, calls the action at once.
    func whenRestorationCompletes(_ action: @escaping @MainActor () -> Void) {
        if extensions == 0 { action() } else { completions.append(action) }
    }

    private func finishIfComplete() {
        guard extensions == 0 else { return }
        let actions = completions
        completions = []
        for action in actions { action() }
    }

    /// Prevents the system's snapshot from being shown at the next launch. Call this method while state is saved: a
    /// call at another time has no effect. The call affects only the next launch (row 56).
    public func ignoreSnapshotOnNextApplicationLaunch() {
        if isSaving { ignoresSnapshot = true }
    }
}
