import PlacekeeperCore
import PlacekeeperService
import Synchronization

/// A cached head of a scene.
final class CachedHead: Sendable {
    let archive: Archive
    let bytes: [UInt8]?
    /// The version of the user, read before the head.
    let version: Int64

    init(_ archive: Archive, bytes: [UInt8]? = nil, version: Int64) {
        self.archive = archive
        self.bytes = bytes
        self.version = version
    }
}

/// Caches the heads of recently read scenes, because most reads request a head. Bytes are cached too, up to `largest`.
/// A read from this cache takes no database lock (docs/decisions/0033-heads-are-remembered.md).
///
/// A cached head is valid only while the user has the same version as before the head was read.
final class HeadCache: Sendable {
    /// A part of the cache with its own lock, so readers of different users seldom wait for each other. A class,
    /// because a mutex can't be copied.
    private final class Shard: Sendable {
        let heads: Mutex<GenerationalCache<SceneKey, CachedHead>>
        init(capacity: Int) { heads = Mutex(GenerationalCache(capacity: capacity)) }
    }

    private let shards: [Shard]
    /// The maximum size of cached bytes. A larger head is cached without its bytes.
    static let largest = 64 * 1024
    /// The approximate size of a head in bytes, without the archive's bytes and the titles of its place.
    private static let headWeight = 1024

    /// - Parameter capacity: the maximum size of the whole cache, in bytes. Each shard may exceed its share by one
    ///   entry.
    init(capacity: Int) {
        let count = 16
        shards = (0..<count).map { _ in Shard(capacity: max(1, capacity / count / 2)) }
    }

    /// Returns a scene's head if it is cached with this version of the user.
    func head(of scene: SceneKey, at version: Int64) -> CachedHead? {
        let head = shard(of: scene).heads.withLock { $0.value(for: scene) }
        return head?.version == version ? head : nil
    }

    func insert(_ head: CachedHead) {
        let isSmall = head.archive.size <= Self.largest
        let kept = isSmall ? head : CachedHead(head.archive, version: head.version)
        let titles = kept.archive.summary.place.reduce(0) { $0 + $1.utf8.count + 32 }
        let weight = Self.headWeight + titles + (kept.bytes?.count ?? 0)
        shard(of: head.archive.scene).heads.withLock { $0.insert(kept, for: head.archive.scene, weight: weight) }
    }

    private func shard(of scene: SceneKey) -> Shard {
        // User ids are random, so their low bits spread users evenly over the shards.
        shards[Int(truncatingIfNeeded: scene.owner.user.low) & (shards.count - 1)]
    }
}
