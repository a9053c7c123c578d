import PlacekeeperConcurrency
import PlacekeeperCore

/// Caches the principals of recently used tokens, so that a request doesn't have to read the device and the app from
/// the store. Also keeps each device's time of last use until the next flush.
final class PrincipalCache: Sendable {
    /// A principal, and the user's access version when the principal was read. If the access version has changed, the
    /// principal must be read again.
    struct Entry: Sendable {
        var principal: Principal
        var access: Int64
        /// When the principal must be read again, because the token expires, or the device's sign-in may. Nil for never.
        var expiresAt: Timestamp?
    }

    fileprivate struct State {
        var entries = GenerationalCache<Digest, Entry>(capacity: 8192)
        var seen: [DeviceID: Use] = [:]
        var hasDropped = false
    }

    /// A device's last use, and its user at that time.
    fileprivate struct Use {
        var owner: UserKey
        var time: Timestamp
    }

    /// The maximum number of devices whose last use is kept between two flushes. Beyond it, the last use of further
    /// devices is dropped, and no sign-in expires because of this hour (`Upkeep.unusedSince`).
    fileprivate static let seenLimit = 100_000
    private let state = LockBox(State())

    /// Returns a token's principal and records that the token was used. Nil if the principal must be read from the
    /// store.
    func entry(for token: Digest, at now: Timestamp) -> Entry? {
        state.withLock { state in
            guard let entry = state.entries.value(for: token), entry.expiresAt.map({ now < $0 }) ?? true else {
                return nil
            }
            state.note(entry.principal.device.id, of: entry.principal.owner, at: now)
            return entry
        }
    }

    /// Returns a token's principal, although nobody used the token.
    func rememberedEntry(for token: Digest) -> Entry? { state.withLock { $0.entries.value(for: token) } }

    func insert(_ entry: Entry, for token: Digest, at now: Timestamp) {
        state.withLock { state in
            state.note(entry.principal.device.id, of: entry.principal.owner, at: now)
            state.entries.insert(entry, for: token)
        }
    }

    func remove(_ token: Digest) { state.withLock { $0.entries.remove(token) } }

    /// Whether the device was used since the previous call of `takeSeen`.
    func isSeen(_ device: DeviceID) -> Bool { state.withLock { $0.seen[device] != nil } }

    /// Returns whether times of last use were dropped since the previous call.
    func takeHasDropped() -> Bool {
        state.withLock { state in
            defer { state.hasDropped = false }
            return state.hasDropped
        }
    }

    /// Returns the times of last use recorded since the previous call, by user and device, and clears them.
    func takeSeen() -> [UserKey: [DeviceID: Timestamp]] {
        let seen = state.withLock { state in
            defer { state.seen = [:] }
            return state.seen
        }
        var times: [UserKey: [DeviceID: Timestamp]] = [:]
        for (device, use) in seen { times[use.owner, default: [:]][device] = use.time }
        return times
    }

    /// Puts back times of last use that could not be written.
    func restoreSeen(_ times: [UserKey: [DeviceID: Timestamp]]) {
        state.withLock { state in
            for (owner, devices) in times {
                // If the device was used again after `takeSeen`, keep the later use, because it has the device's
                // current user.
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
        } else {
            hasDropped = true
        }
    }
}
