import Concurrency

/// Tells whether anything changed of a user's identities since an answer was made of them. It holds a number for each of
/// few groups of users: that of another one in the group may rise for nothing, and never fails to rise.
final class IdentityVersions: Sendable {
    /// What an answer was made at.
    struct Stamp: Sendable, Hashable {
        fileprivate var group: Int
        fileprivate var version: UInt64
    }

    private let versions = LockBox([UInt64](repeating: 0, count: 256))

    /// To be taken before anything is read.
    func stamp(of owner: UserKey) -> Stamp {
        let group = group(of: owner)
        return Stamp(group: group, version: versions.withLock { $0[group] })
    }

    func isCurrent(_ stamp: Stamp) -> Bool { versions.withLock { $0[stamp.group] == stamp.version } }

    /// To be called once a change is durable, and before it is acknowledged.
    func raise(for owner: UserKey) {
        let group = group(of: owner)
        versions.withLock { $0[group] += 1 }
    }

    func raiseAll() {
        versions.withLock { versions in
            for group in versions.indices { versions[group] += 1 }
        }
    }

    /// A user's id is random.
    private func group(of owner: UserKey) -> Int { Int(truncatingIfNeeded: owner.user.low & 0xFF) }
}
