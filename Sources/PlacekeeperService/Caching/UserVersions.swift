import PlacekeeperConcurrency
package import PlacekeeperCore

/// Keeps all users' versions in memory, for a store that sees every write.
///
/// Several users share a version, to limit the memory used. A write for one user may therefore raise another user's
/// version unnecessarily, but no write is missed.
package final class UserVersions: Sendable {
    /// One of 16 parts, each with its own lock, so that threads seldom wait for each other.
    private struct Shard {
        var versions: [UserVersion]
        /// Added to each version in the shard, so that a single change raises them all.
        var base = UserVersion(version: 0, access: 0)
    }

    private let shards: [LockBox<Shard>]
    private let versionsPerShard: Int
    /// The number of writes that raised an access version.
    private let accessWrites = LockBox<Int64>(0)

    private static let shardCount = 16

    /// - Parameter count: the number of versions for all users together, rounded up to a multiple of 16.
    package init(count: Int) {
        let perShard = max(1, (count + Self.shardCount - 1) / Self.shardCount)
        versionsPerShard = perShard
        shards = (0..<Self.shardCount).map { _ in
            LockBox(Shard(versions: Array(repeating: UserVersion(version: 0, access: 0), count: perShard)))
        }
    }

    /// Returns a user's version. Call this method before you read the data to cache.
    package func userVersion(of owner: UserKey) -> UserVersion {
        let (shard, index) = place(of: owner)
        return shards[shard].withLock { shard in
            let own = shard.versions[index]
            return UserVersion(
                version: own.version &+ shard.base.version, access: own.access &+ shard.base.access)
        }
    }

    /// Reads a value, and then the version of the user to whom the value belongs. The access version is never newer
    /// than the value.
    package func fresh<Value: Sendable, Failure: Error>(
        ownedBy owner: (Value) -> UserKey, _ read: () throws(Failure) -> Value?
    ) throws(Failure) -> Fresh<Value>? {
        while true {
            let before = accessWrites.withLock { $0 }
            guard let value = try read() else { return nil }
            let userVersion = userVersion(of: owner(value))
            // If a write raised an access version between the two reads, for example because a device was moved to
            // another user, the version may be newer than the value. Read both again in that case.
            if accessWrites.withLock({ $0 }) == before { return Fresh(value, userVersion) }
        }
    }

    /// Raises the versions affected by a write. Call this method after the write is durable and before it is
    /// acknowledged.
    package func apply(_ invalidations: Invalidations) {
        if !invalidations.access.isEmpty || invalidations.allAccess { accessWrites.withLock { $0 &+= 1 } }
        for owner in invalidations.users { raise(owner) { $0.version &+= 1 } }
        for owner in invalidations.access { raise(owner) { $0.access &+= 1 } }
        guard invalidations.allUsers || invalidations.allAccess else { return }
        for shard in shards {
            shard.withLock { shard in
                if invalidations.allUsers { shard.base.version &+= 1 }
                if invalidations.allAccess { shard.base.access &+= 1 }
            }
        }
    }

    private func raise(_ owner: UserKey, _ change: (inout UserVersion) -> Void) {
        let (shard, index) = place(of: owner)
        shards[shard].withLock { change(&$0.versions[index]) }
    }

    /// Returns the shard and index of a user's version. User IDs are random, so their low bits suffice.
    private func place(of owner: UserKey) -> (shard: Int, index: Int) {
        let low = owner.user.low
        let index = (low / UInt64(Self.shardCount)) % UInt64(versionsPerShard)
        return (Int(low % UInt64(Self.shardCount)), Int(index))
    }
}
