import PlacekeeperConcurrency

/// Saves that wait for further changes, such as the user's next keystroke. They run on the main actor: each after its
/// delay, or all together before a flush or a change of the account.
final class DelayedSaves: Sendable {
    typealias Save = @MainActor @Sendable () -> Void

    private struct State {
        var next = 0
        var saves: [Int: (save: Save, timer: Task<Void, Never>?)] = [:]
    }

    private let state = LockBox(State())

    var isEmpty: Bool { state.withLock(\.saves.isEmpty) }

    /// Adds a save, and returns its number.
    /// - Parameter start: Starts the save's timer, which calls the closure when the delay is over.
    func add(_ save: @escaping Save, _ start: (@escaping @MainActor @Sendable () -> Void) -> Task<Void, Never>) -> Int {
        let number = state.withLock { state in
            state.next += 1
            state.saves[state.next] = (save, nil)
            return state.next
        }
        let timer = start { [weak self] in self?.run(number) }
        state.withLock { $0.saves[number]?.timer = timer }
        return number
    }

    /// Removes a save, unless it has begun.
    func cancel(_ number: Int) {
        let removed = state.withLock { $0.saves.removeValue(forKey: number) }
        removed?.timer?.cancel()
    }

    /// Runs all delayed saves, the earliest first.
    @MainActor
    func runAll() { for number in state.withLock({ $0.saves.keys.sorted() }) { run(number) } }

    @MainActor
    private func run(_ number: Int) {
        guard let removed = state.withLock({ $0.saves.removeValue(forKey: number) }) else { return }
        removed.timer?.cancel()
        removed.save()
    }
}

/// A save that waits for further changes.
package struct DelayedSave: Sendable {
    let number: Int
    let saves: DelayedSaves

    /// Removes the save, unless it has begun.
    package func cancel() { saves.cancel(number) }
}

extension KeptScene {
    /// Runs a closure on the main actor after some seconds, or earlier at a flush or a change of the account.
    package func save(after seconds: Double, _ save: @escaping @MainActor @Sendable () -> Void) -> DelayedSave {
        placekeeper.engine.delay(save, for: seconds)
    }
}

extension Placekeeper {
    /// Runs all delayed saves.
    @MainActor
    package func runDelayedSaves() { engine.delayedSaves.runAll() }
}
