import PlacekeeperConcurrency
import PlacekeeperCore

/// Remembers which archives were already recorded as served to which device, so that only the first serving is written.
/// If an entry is evicted, the next serving is written again.
final class ServedMemory: Sendable {
    /// An archive that was served to a device. A revision always identifies the same archive of a user. The user is
    /// part of the key, because a device may move to another user.
    struct Serving: Hashable, Sendable {
        var user: UserID
        var device: DeviceID
        var revision: Revision
    }

    private let noted = LockBox(GenerationalCache<Serving, Bool>(capacity: 8192))

    func contains(_ serving: Serving) -> Bool { noted.withLock { $0.value(for: serving) ?? false } }
    func insert(_ serving: Serving) { noted.withLock { $0.insert(true, for: serving) } }
}
