import Concurrency

/// Holds the caller of each token in use, so that a request need not read the store. Also holds the time of each
/// device's last use.
final class PrincipalCache: Sendable {
    /// A caller, and the user's access version that was read with it. If the access version has changed, the caller
    /// must be read again.
    struct Entry: Sendable {
        var caller: Caller
        var access: Int64
    }

    fileprivate struct State {
        var entries = GenerationalCache<Digest, Entry>(capacity: 8192)
        var seen: [DeviceID: Timestamp] = [:]
    }

    /// The maximum number of devices whose last use is held between two flushes. The last use of further devices is
    /// dropped, because it is only informative.
    fileprivate static let seenLimit = 100_000
    private let state = LockBox(State())

    /// Returns the caller of a token, and notes that the token was used. Nil if the caller must be read from the
    /// store.
    func entry(for token: Digest, at now: Timestamp) -> Entry? {
        state.withLock { state in
            guard let entry = state.entries.value(for: token) else { return nil }
            state.note(entry.caller.device.id, at: now)
            return entry
        }
    }

    func insert(_ entry: Entry, for token: Digest, at now: Timestamp) {
        state.withLock { state in
            state.note(entry.caller.device.id, at: now)
            state.entries.insert(entry, for: token)
        }
    }

    func remove(_ token: Digest) { state.withLock { $0.entries.remove(token) } }

    /// Returns each device's last use since the previous call.
    func takeSeen() -> [DeviceID: Timestamp] {
        state.withLock { state in
            defer { state.seen = [:] }
            return state.seen
        }
    }

    /// Puts back timestamps that could not be written.
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
