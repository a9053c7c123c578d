import Concurrency

/// Which archives are known to be noted as served to which devices, so that only the first answer writes. Losing this
/// memory costs one more write.
final class ServedMemory: Sendable {
    /// A revision stands for its archive for good; it is a user's, and a device may change its user.
    struct Serving: Hashable, Sendable {
        var user: UserID
        var device: DeviceID
        var revision: Revision
    }

    private let noted = LockBox(GenerationalCache<Serving, Bool>(capacity: 8192))

    func contains(_ serving: Serving) -> Bool { noted.withLock { $0.value(for: serving) ?? false } }
    func insert(_ serving: Serving) { noted.withLock { $0.insert(true, for: serving) } }
}
