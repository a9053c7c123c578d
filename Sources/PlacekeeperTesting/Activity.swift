import PlacekeeperConcurrency
import PlacekeeperClient

/// Counts the tasks of the virtual devices, so a test can wait until no device has work.
///
/// A task is parked while it waits for the clock or for the service's next event. When all tasks are parked, the
/// devices have no work until the clock advances or the test calls a client.
final class Activity: EngineWatch {
    /// An event stream, as received by the device.
    struct Stream: Sendable {
        /// The number of comments that arrived. The service sends a comment when it has no event to send.
        var comments = 0
    }

    struct Snapshot: Sendable {
        /// The number of the last event of any kind.
        var tick = 0
        /// The number of the last event of a task.
        var version = 0
        var running = 0
        var parked = 0
        var streams: [Int: Stream] = [:]

        var isIdle: Bool { running == parked }
    }

    private struct State {
        var snapshot = Snapshot()
        var nextID = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = LockBox(State())

    var snapshot: Snapshot { state.withLock(\.snapshot) }

    func start(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        changeTasks { $0.running += 1 }
        return Task {
            await work()
            changeTasks { $0.running -= 1 }
        }
    }

    func callerWaits() { change { _ in } }

    func park() { changeTasks { $0.parked += 1 } }

    func unpark() { changeTasks { $0.parked -= 1 } }

    /// Records that a task waits for an event stream, and returns the stream's number.
    func openStream() -> Int {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        changeTasks {
            $0.streams[id] = Stream()
            $0.parked += 1
        }
        return id
    }

    /// Records a piece of a stream.
    func receive(_ bytes: [UInt8], from id: Int) {
        let isComment = bytes.first == UInt8(ascii: ":")
        change { $0.streams[id]?.comments += isComment ? 1 : 0 }
    }

    /// Records the end of a stream. Does nothing if it has already ended.
    func closeStream(_ id: Int) {
        changeTasks { $0.parked -= $0.streams.removeValue(forKey: id) == nil ? 0 : 1 }
    }

    /// Waits for an event with a higher number, or until the task is canceled.
    func event(after tick: Int) async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.snapshot.tick == tick, !Task.isCancelled else { return true }
                    state.waiters[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
            waiter?.resume()
        }
    }

    private func changeTasks(_ body: (inout Snapshot) -> Void) {
        change { snapshot in
            body(&snapshot)
            snapshot.version += 1
        }
    }

    private func change(_ body: (inout Snapshot) -> Void) {
        let waiters = state.withLock { state in
            body(&state.snapshot)
            state.snapshot.tick += 1
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }
}
