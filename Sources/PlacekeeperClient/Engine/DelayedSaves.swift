import PlacekeeperConcurrency

/// The saves that wait for later changes, such as the next letter that a person types. They run on the main actor: each
/// after its delay, or all at once before the client sends everything or changes the account.
final class DelayedSaves: Sendable {
    typealias Save = @MainActor @Sendable () -> Void

    private struct State {
        var next = 0
        var saves: [Int: (save: Save, timer: Task<Void, Never>?)] = [:]
    }

    private let state = LockBox(State())

    var isEmpty: Bool { state.withLock(\.saves.isEmpty) }

    /// Adds a save, and returns its number.
    /// - Parameter start: Starts the timer of the save, which calls the closure when the delay is over.
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

    /// Removes a save. Does nothing if the save has begun.
    func cancel(_ number: Int) {
        let removed = state.withLock { $0.saves.removeValue(forKey: number) }
        removed?.timer?.cancel()
    }

    /// Runs the saves that wait, the earliest first.
    @MainActor
    func runAll() { for number in state.withLock({ $0.saves.keys.sorted() }) { run(number) } }

    @MainActor
    private func run(_ number: Int) {
        guard let removed = state.withLock({ $0.saves.removeValue(forKey: number) }) else { return }
        removed.timer?.cancel()
        removed.save()
    }
}

/// A save that waits for later changes.
package struct DelayedSave: Sendable {
    let number: Int
    let saves: DelayedSaves

    /// Removes the save. Does nothing if the save has begun.
    package func cancel() { saves.cancel(number) }
}

extension KeptScene {
    /// Runs a closure on the main actor after some seconds. A flush, and each change of the account, run it before.
    package func save(after seconds: Double, _ save: @escaping @MainActor @Sendable () -> Void) -> DelayedSave {
        placekeeper.engine.delay(save, for: seconds)
    }
}

extension Placekeeper {
    /// Runs the saves that wait for later changes.
    @MainActor
    package func runDelayedSaves() { engine.delayedSaves.runAll() }
}
