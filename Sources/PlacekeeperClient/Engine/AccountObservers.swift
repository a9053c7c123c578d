import PlacekeeperConcurrency

/// Counts the changes of the account in this process.
package struct AccountNumbers: Sendable, Equatable {
    /// How often the user has changed: at a sign-out, at an erasure, when an anonymous registration ended, and when a
    /// user other than the expected one signed in. Content in memory from before the change belongs to the previous
    /// user.
    package var owner = 0
    /// The number of sign-ins and links. Content in memory then belongs to the joined account.
    package var joins = 0
}

/// The windows that show an account's content.
final class AccountObservers: Sendable {
    /// Reacts to the current account. Returns false once its window is gone.
    typealias Observer = @MainActor @Sendable () -> Bool

    private let state = LockBox<(next: Int, observers: [Int: Observer])>((0, [:]))

    var isEmpty: Bool { state.withLock(\.observers.isEmpty) }

    func add(_ observer: @escaping Observer) {
        state.withLock { state in
            state.next += 1
            state.observers[state.next] = observer
        }
    }

    /// Informs each window, the oldest first, that the account may have changed.
    @MainActor
    func run() {
        for (number, observer) in state.withLock({ $0.observers.sorted { $0.key < $1.key } }) where !observer() {
            state.withLock { $0.observers[number] = nil }
        }
    }
}
