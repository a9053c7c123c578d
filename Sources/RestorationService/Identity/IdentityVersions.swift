import Concurrency

/// Tells whether a user's identities changed since a response was made from them. Users share version numbers in 256
/// groups, so that a change of another user in the group may raise a version needlessly. No change is ever missed.
final class IdentityVersions: Sendable {
    /// The version at which a response was made.
    struct Stamp: Sendable, Hashable {
        fileprivate var group: Int
        fileprivate var version: UInt64
    }

    private let versions = LockBox([UInt64](repeating: 0, count: 256))

    /// Returns the current version. Call this before reading anything.
    func stamp(of owner: UserKey) -> Stamp {
        let group = group(of: owner)
        return Stamp(group: group, version: versions.withLock { $0[group] })
    }

    func isCurrent(_ stamp: Stamp) -> Bool { versions.withLock { $0[stamp.group] == stamp.version } }

    /// Raises the version. Call this after a change is durable and before it is acknowledged.
    func raise(for owner: UserKey) {
        let group = group(of: owner)
        versions.withLock { $0[group] += 1 }
    }

    func raiseAll() {
        versions.withLock { versions in
            for group in versions.indices { versions[group] += 1 }
        }
    }

    /// Returns the group of a user. User ids are random, so their low byte is enough.
    private func group(of owner: UserKey) -> Int { Int(truncatingIfNeeded: owner.user.low & 0xFF) }
}
