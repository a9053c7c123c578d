import Concurrency

/// Holds the caller of each token in use, so that a request need not read the store. Also holds the time of each
/// device's last use.
///
/// If this process changes a caller, it drops the caller at once. If another process changes the caller (for example,
/// an operator's command), the caller is dropped when the caches are invalidated.
final class PrincipalCache: Sendable {
    fileprivate struct State {
        var callers = GenerationalCache<Digest, Caller>(capacity: 8192)
        /// A number that rises with each invalidation. A caller that was read before an invalidation must not be kept
        /// after it.
        var generation: UInt64 = 0
        var seen: [DeviceID: Use] = [:]
    }

    /// The last use of a device, and the device's user at that time.
    fileprivate struct Use {
        var owner: UserKey
        var time: Timestamp
    }

    /// The maximum number of devices whose last use is held between two flushes. The last use of further devices is
    /// dropped, because it is only informative.
    fileprivate static let seenLimit = 100_000
    private let state = LockBox(State())

    /// Returns the caller of a token, and notes that the token was used. Nil if the caller must be read from the
    /// store.
    func caller(for token: Digest, at now: Timestamp) -> Caller? {
        state.withLock { state in
            guard let caller = state.callers.value(for: token) else { return nil }
            state.note(caller.device.id, of: caller.owner, at: now)
            return caller
        }
    }

    /// The generation to pass to `insert`. Read it before reading the store.
    var generation: UInt64 { state.withLock { $0.generation } }

    func insert(_ caller: Caller, for token: Digest, readIn generation: UInt64, at now: Timestamp) {
        state.withLock { state in
            state.note(caller.device.id, of: caller.owner, at: now)
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

    /// Returns the last use of each user's devices since the previous call.
    func takeSeen() -> [UserKey: [DeviceID: Timestamp]] {
        let seen = state.withLock { state in
            defer { state.seen = [:] }
            return state.seen
        }
        var times: [UserKey: [DeviceID: Timestamp]] = [:]
        for (device, use) in seen { times[use.owner, default: [:]][device] = use.time }
        return times
    }

    /// Puts back timestamps that could not be written.
    func restoreSeen(_ times: [UserKey: [DeviceID: Timestamp]]) {
        state.withLock { state in
            for (owner, devices) in times {
                // A use that was noted in the meantime is later, and its user is the device's current user.
                for (device, time) in devices where state.seen[device].map({ $0.time < time }) ?? true {
                    state.note(device, of: owner, at: time)
                }
            }
        }
    }
}

extension PrincipalCache.State {
    fileprivate mutating func note(_ device: DeviceID, of owner: UserKey, at time: Timestamp) {
        if seen.count < PrincipalCache.seenLimit || seen[device] != nil {
            seen[device] = PrincipalCache.Use(owner: owner, time: time)
        }
    }
}
