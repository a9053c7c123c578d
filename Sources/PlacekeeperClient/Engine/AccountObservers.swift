import PlacekeeperConcurrency

/// Counts the changes of the account in this process.
package struct AccountNumbers: Sendable, Hashable {
    /// The number of times that the person changed: at a sign-out, at an erasure, when an anonymous registration ends, and
    /// when somebody else signs in than was asked to. What was in memory before belongs to the earlier person.
    package var owner = 0
    /// The number of sign-ins and links. What is in memory moves along.
    package var joins = 0
}

/// The windows that have content of an account in memory.
final class AccountObservers: Sendable {
    /// Notes the present account. Returns false if there is no window any more.
    typealias Observer = @MainActor @Sendable () -> Bool

    private let state = LockBox<(next: Int, observers: [Int: Observer])>((0, [:]))

    var isEmpty: Bool { state.withLock(\.observers.isEmpty) }

    func add(_ observer: @escaping Observer) {
        state.withLock { state in
            state.next += 1
            state.observers[state.next] = observer
        }
    }

    /// Tells each window that the account possibly changed, the earliest first.
    @MainActor
    func run() {
        for (number, observer) in state.withLock({ $0.observers.sorted { $0.key < $1.key } }) where !observer() {
            state.withLock { $0.observers[number] = nil }
        }
    }
}
