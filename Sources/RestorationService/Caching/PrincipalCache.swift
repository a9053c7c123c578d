import Concurrency

/// Whom each token in use belongs to, so that a request need not ask the store; and when each was last seen.
///
/// What one process changes it forgets at once; what another changed (an operator's command) when it is told to.
final class PrincipalCache: Sendable {
    fileprivate struct State {
        var callers = GenerationalCache<Digest, Caller>(capacity: 8192)
        /// Rises with each invalidation: what was read before one must not be kept after it.
        var generation: UInt64 = 0
        var seen: [DeviceID: Timestamp] = [:]
    }

    /// Times of use held between two flushes; more are dropped, for they only inform.
    fileprivate static let seenLimit = 100_000
    private let state = LockBox(State())

    /// Who a token belongs to, noting that it was used; nil when that must be read from the store.
    func caller(for token: Digest, at now: Timestamp) -> Caller? {
        state.withLock { state in
            guard let caller = state.callers.value(for: token) else { return nil }
            state.note(caller.device.id, at: now)
            return caller
        }
    }

    /// To be asked before the store is.
    var generation: UInt64 { state.withLock { $0.generation } }

    func insert(_ caller: Caller, for token: Digest, readIn generation: UInt64, at now: Timestamp) {
        state.withLock { state in
            state.note(caller.device.id, at: now)
            if state.generation == generation { state.callers.insert(caller, for: token) }
        }
    }

    func forget(_ device: DeviceID) {
        state.withLock { state in
            state.generation += 1
            state.callers.removeAll { $0.device.id == device }
        }
    }

    func forgetAll() {
        state.withLock { state in
            state.generation += 1
            state.callers.removeAll()
        }
    }

    /// The times of use since they were last taken.
    func takeSeen() -> [DeviceID: Timestamp] {
        state.withLock { state in
            defer { state.seen = [:] }
            return state.seen
        }
    }

    /// Puts back what could not be written.
    func restoreSeen(_ seen: [DeviceID: Timestamp]) {
        state.withLock { state in
            for (device, time) in seen { state.note(device, at: max(time, state.seen[device] ?? time)) }
        }
    }
}

extension PrincipalCache.State {
    fileprivate mutating func note(_ device: DeviceID, at time: Timestamp) {
        if seen.count < PrincipalCache.seenLimit || seen[device] != nil { seen[device] = time }
    }
}
