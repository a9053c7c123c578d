import PlacekeeperConcurrency
package import PlacekeeperCore

/// Keeps the versions of all users in memory, for a store that learns of every write. Several users share a version, so
/// that the memory is bounded. So a write for one user may raise the version of another user needlessly, but no write
/// is missed.
package final class UserVersions: Sendable {
    /// One of 16 parts of the versions. Each part has a separate lock, so that threads seldom wait for each other.
    private struct Shard {
        var versions: [UserVersion]
        /// A value that is added to each version in the shard. Raising this value raises all these versions at once.
        var base = UserVersion(version: 0, access: 0)
    }

    private let shards: [LockBox<Shard>]
    private let versionsPerShard: Int
    /// The number of writes that raised an access version.
    private let accessWrites = LockBox<Int64>(0)

    private static let shardCount = 16

    /// - Parameter count: the number of versions that all users share. It is rounded up to a multiple of 16.
    package init(count: Int) {
        let perShard = max(1, (count + Self.shardCount - 1) / Self.shardCount)
        versionsPerShard = perShard
        shards = (0..<Self.shardCount).map { _ in
            LockBox(Shard(versions: Array(repeating: UserVersion(version: 0, access: 0), count: perShard)))
        }
    }

    /// Returns a user's userVersion. Call this method before you read the data that a cache keeps with the userVersion.
    package func userVersion(of owner: UserKey) -> UserVersion {
        let (shard, index) = place(of: owner)
        return shards[shard].withLock { shard in
            let own = shard.versions[index]
            return UserVersion(
                version: own.version &+ shard.base.version, access: own.access &+ shard.base.access)
        }
    }

    /// Reads a value whose user is known only after the read, and then the user's userVersion. The access version is not
    /// newer than the value.
    package func fresh<Value: Sendable, Failure: Error>(
        ownedBy owner: (Value) -> UserKey, _ read: () throws(Failure) -> Value?
    ) throws(Failure) -> Fresh<Value>? {
        while true {
            let before = accessWrites.withLock { $0 }
            guard let value = try read() else { return nil }
            let userVersion = userVersion(of: owner(value))
            // If a write raised an access version between the two reads, for example because a device moved, the
            // userVersion may be newer than the value. The value is then read again.
            if accessWrites.withLock({ $0 }) == before { return Fresh(value, userVersion) }
        }
    }

    /// Raises the versions that a write concerns. Call this method after the write is durable and before it is
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

    /// Returns the shard and the index of a user's version. User ids are random, so their low bits are enough.
    private func place(of owner: UserKey) -> (shard: Int, index: Int) {
        let low = owner.user.low
        let index = (low / UInt64(Self.shardCount)) % UInt64(versionsPerShard)
        return (Int(low % UInt64(Self.shardCount)), Int(index))
    }
}
