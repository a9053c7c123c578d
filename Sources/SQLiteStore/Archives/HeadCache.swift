import RestorationService
import Synchronization

/// Caches the heads of recently read scenes, with their bytes. Most reads request a head. A cached read takes no
/// database lock (docs/decisions/0033-heads-are-remembered.md).
///
/// The writer removes a scene's head from the cache as soon as a write to the scene is committed. The write is
/// acknowledged, and its event is sent, only after the removal. So no later read returns the former head.
final class HeadCache: Sendable {
    /// The state of the cache before a read of the database. The head that was read is inserted only if no head of
    /// the same shard was removed after the ticket was taken.
    struct Ticket: Sendable {
        fileprivate var generation: UInt64
    }

    private struct Shard {
        var heads: GenerationalCache<SceneKey, RememberedHead>
        var generation: UInt64 = 0

        mutating func insert(_ head: RememberedHead) {
            heads.insert(head, for: head.archive.scene, weight: HeadCache.headWeight + head.size)
        }
    }

    /// A shard of the cache. Because of the shards, readers of different users seldom wait for each other. A mutex
    /// cannot be copied, so each shard is a class.
    private final class Guarded: Sendable {
        let shard: Mutex<Shard>
        init(capacity: Int) { shard = Mutex(Shard(heads: GenerationalCache(capacity: capacity))) }
    }

    private let shards: [Guarded]
    /// The maximum size in bytes of a cached archive, and of a rewritten archive.
    static let largest = 64 * 1024
    /// The approximate size of a head in bytes, without the archive's bytes and rewritten archives. This size
    /// includes the responses that a head may hold.
    fileprivate static let headWeight = 4096

    /// - Parameter capacity: the limit in bytes of the whole cache. Each shard may exceed its share by one entry.
    init(capacity: Int) {
        let count = 16
        shards = (0..<count).map { _ in Guarded(capacity: max(1, capacity / count / 2)) }
    }

    func head(of scene: SceneKey) -> RememberedHead? {
        withShard(of: scene) { $0.heads.value(for: scene) }
    }

    /// Returns a ticket for `insert(_:ticket:)`. Take the ticket before reading the database.
    func ticket(for scene: SceneKey) -> Ticket {
        withShard(of: scene) { Ticket(generation: $0.generation) }
    }

    func insert(_ archive: Archive, ticket: Ticket) {
        withShard(of: archive.scene) { shard in
            guard shard.generation == ticket.generation else { return }
            shard.insert(RememberedHead(archive))
        }
    }

    /// Adds the bytes of an archive if the archive is still the cached head.
    func insert(_ bytes: [UInt8], of archive: Archive) {
        guard bytes.count <= Self.largest else { return }
        withShard(of: archive.scene) { shard in
            guard let head = shard.heads.value(for: archive.scene), head.archive.revision == archive.revision,
                head.bytes == nil
            else { return }
            shard.insert(RememberedHead(head.archive, bytes: bytes))
        }
    }

    /// Adds a response that was made from a head, if that head is still cached.
    func remember(_ answer: RememberedAnswer, with head: RememberedHead) {
        guard answer.size <= Self.largest else { return }
        withShard(of: head.archive.scene) { shard in
            guard shard.heads.value(for: head.archive.scene) === head else { return }
            head.remember(answer)
            shard.insert(head)
        }
    }

    /// Removes the scenes that a committed write changed.
    func apply(_ effects: Effects) {
        if effects.allScenes { forgetAll() }
        for scene in effects.scenes { forget(scene) }
    }

    func forget(_ scene: SceneKey) {
        withShard(of: scene) { shard in
            shard.generation &+= 1
            shard.heads.remove(scene)
        }
    }

    func forgetAll() {
        for guarded in shards {
            guarded.shard.withLock { shard in
                shard.generation &+= 1
                shard.heads.removeAll()
            }
        }
    }

    private func withShard<Result>(of scene: SceneKey, _ body: (inout Shard) -> Result) -> Result {
        // User ids are random, so their low bits select a shard.
        let guarded = shards[Int(truncatingIfNeeded: scene.owner.user.low) & (shards.count - 1)]
        return guarded.shard.withLock { shard in body(&shard) }
    }
}
