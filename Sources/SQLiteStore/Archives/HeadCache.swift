import RestorationService
import Synchronization

/// The head of each scene that was lately asked for, with its bytes: what most reads are of. A read that it answers takes
/// no lock of the database's (docs/decisions/0033-heads-are-remembered.md).
///
/// The writer forgets a scene as soon as a write to it is committed, and before that is acknowledged or an event tells of
/// it: no read that follows sees what was before.
final class HeadCache: Sendable {
    /// What a reader holds from before it read: what was forgotten since, it must not bring back.
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

    /// A lock is not copied, so that an array of them holds boxes. Readers of one scene seldom wait for those of another.
    private final class Guarded: Sendable {
        let shard: Mutex<Shard>
        init(capacity: Int) { shard = Mutex(Shard(heads: GenerationalCache(capacity: capacity))) }
    }

    private let shards: [Guarded]
    /// Bytes of the largest archive that is held with its bytes, and of the largest that is held as it was rewritten.
    static let largest = 64 * 1024
    /// About what a head weighs besides the bytes of its archive and of what was rewritten: itself, and all the answers
    /// that it may hold.
    fileprivate static let headWeight = 4096

    /// - Parameter capacity: bytes, of all that is held, give or take an entry a shard.
    init(capacity: Int) {
        let count = 16
        shards = (0..<count).map { _ in Guarded(capacity: max(1, capacity / count / 2)) }
    }

    func head(of scene: SceneKey) -> RememberedHead? {
        withShard(of: scene) { $0.heads.value(for: scene) }
    }

    /// To be taken before the database is read.
    func ticket(for scene: SceneKey) -> Ticket {
        withShard(of: scene) { Ticket(generation: $0.generation) }
    }

    func insert(_ archive: Archive, ticket: Ticket) {
        withShard(of: archive.scene) { shard in
            guard shard.generation == ticket.generation else { return }
            shard.insert(RememberedHead(archive))
        }
    }

    /// Adds the bytes of an archive, while it is the head that is held.
    func insert(_ bytes: [UInt8], of archive: Archive) {
        guard bytes.count <= Self.largest else { return }
        withShard(of: archive.scene) { shard in
            guard let head = shard.heads.value(for: archive.scene), head.archive.revision == archive.revision,
                head.bytes == nil
            else { return }
            shard.insert(RememberedHead(head.archive, bytes: bytes))
        }
    }

    /// Adds an answer that was made of a head, while that is the one that is held.
    func remember(_ answer: RememberedAnswer, with head: RememberedHead) {
        guard answer.size <= Self.largest else { return }
        withShard(of: head.archive.scene) { shard in
            guard shard.heads.value(for: head.archive.scene) === head else { return }
            head.remember(answer)
            shard.insert(head)
        }
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
        // A user's id is random.
        let guarded = shards[Int(truncatingIfNeeded: scene.owner.user.low) & (shards.count - 1)]
        return guarded.shard.withLock { shard in body(&shard) }
    }
}
