import RestorationService
import Synchronization

/// The head of each scene that was lately asked for, with its bytes: what most reads are of. A read that it answers takes
/// no lock of the database's (docs/decisions/0033-heads-are-remembered.md).
///
/// The writer forgets a scene as soon as a write to it is committed, and before that is acknowledged or an event tells of
/// it: no read that follows sees what was before.
final class HeadCache: Sendable {
    struct Entry: Sendable {
        var archive: Archive
        var bytes: [UInt8]?
    }

    /// What a reader holds from before it read: what was forgotten since, it must not bring back.
    struct Ticket: Sendable {
        fileprivate var generation: UInt64
    }

    private struct Shard {
        var entries: GenerationalCache<SceneKey, Entry>
        var generation: UInt64 = 0
    }

    /// A lock is not copied, so that an array of them holds boxes. Readers of one scene seldom wait for those of another.
    private final class Guarded: Sendable {
        let shard: Mutex<Shard>
        init(capacity: Int) { shard = Mutex(Shard(entries: GenerationalCache(capacity: capacity))) }
    }

    private let shards: [Guarded]
    /// Bytes of the largest archive that is held with its bytes.
    static let largest = 64 * 1024
    /// About what an entry weighs besides its archive's bytes.
    private static let entryWeight = 512

    /// - Parameter capacity: bytes, of all that is held, give or take an entry a shard.
    init(capacity: Int) {
        let count = 16
        shards = (0..<count).map { _ in Guarded(capacity: max(1, capacity / count / 2)) }
    }

    func entry(for scene: SceneKey) -> Entry? {
        withShard(of: scene) { $0.entries.value(for: scene) }
    }

    /// To be taken before the database is read.
    func ticket(for scene: SceneKey) -> Ticket {
        withShard(of: scene) { Ticket(generation: $0.generation) }
    }

    func insert(_ archive: Archive, ticket: Ticket) {
        withShard(of: archive.scene) { shard in
            guard shard.generation == ticket.generation else { return }
            shard.entries.insert(Entry(archive: archive), for: archive.scene, weight: Self.entryWeight)
        }
    }

    /// Adds the bytes of an archive, while it is the head that is held.
    func insert(_ bytes: [UInt8], of archive: Archive) {
        guard bytes.count <= Self.largest else { return }
        withShard(of: archive.scene) { shard in
            guard var entry = shard.entries.value(for: archive.scene), entry.archive.revision == archive.revision else {
                return
            }
            entry.bytes = bytes
            shard.entries.insert(entry, for: archive.scene, weight: Self.entryWeight + bytes.count)
        }
    }

    func forget(_ scene: SceneKey) {
        withShard(of: scene) { shard in
            shard.generation &+= 1
            shard.entries.remove(scene)
        }
    }

    func forgetAll() {
        for guarded in shards {
            guarded.shard.withLock { shard in
                shard.generation &+= 1
                shard.entries.removeAll()
            }
        }
    }

    private func withShard<Result>(of scene: SceneKey, _ body: (inout Shard) -> Result) -> Result {
        // A user's id is random.
        let guarded = shards[Int(truncatingIfNeeded: scene.owner.user.low) & (shards.count - 1)]
        return guarded.shard.withLock { shard in body(&shard) }
    }
}
