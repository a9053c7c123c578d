package import PlacekeeperCore
import PlacekeeperService

extension SQLiteStore {
    package func choose(_ choice: Choice, limit: Int) async throws(StoreError) -> Chosen {
        let version = versions.userVersion(of: choice.scene.owner).version
        if let chosen = chooseCached(choice, limit: limit, at: version) { return chosen }
        let read = try readers.readAtOnce { connection throws(StoreError) in
            try connection.choose(choice, limit: limit)
        }
        let archive = read.stopped
        let bytes = try read.content?.original(count: archive?.size ?? 0, with: compression)
        if choice.asksForHead, let head = read.first {
            let isHead = archive?.revision == head.revision
            heads.insert(CachedHead(head, bytes: isHead ? bytes : nil, version: version))
        }
        var chosen = read.chosen
        chosen.bytes = bytes
        return chosen
    }

    /// Decides from the cached head. Returns `nil` if the database must be read.
    private func chooseCached(_ choice: Choice, limit: Int, at version: Int64) -> Chosen? {
        guard choice.asksForHead, let head = heads.head(of: choice.scene, at: version), !head.archive.hasOutcomes
        else { return nil }
        var choice = choice
        switch choice.consider(head.archive, outcomes: []) {
        case .stop(needsBytes: false): return Chosen(choice)
        case .stop(needsBytes: true): return head.bytes.map { Chosen(choice, bytes: $0) }
        case .showNext: return limit == 1 ? Chosen(choice, hasMore: true) : nil
        }
    }
}

extension Choice {
    /// Whether the scene's head is the next candidate.
    fileprivate var asksForHead: Bool { device == nil && position == nil }
}

/// A choice that was made from the database.
private struct ReadChoice {
    var chosen: Chosen
    var first: Archive?
    /// The archive that the choice stopped at, or `nil` if it didn't stop.
    var stopped: Archive?
    /// The stored bytes of `stopped`, if needed.
    var content: Content?
}

extension Connection {
    fileprivate func choose(_ choice: Choice, limit: Int) throws(StoreError) -> ReadChoice {
        var choice = choice
        if choice.device != nil, choice.head == nil { choice.head = try head(of: choice.scene) }
        let page = try candidates(
            in: choice.scene, device: choice.device, below: choice.position, limit: limit)
        for archive in page {
            let outcomes = archive.hasOutcomes ? try outcomes(of: archive) : []
            guard case .stop(let needsBytes) = choice.consider(archive, outcomes: outcomes) else { continue }
            return ReadChoice(
                chosen: Chosen(choice), first: page.first, stopped: archive,
                content: needsBytes ? try content(of: archive) : nil)
        }
        return ReadChoice(chosen: Chosen(choice, hasMore: page.count == limit), first: page.first)
    }

    private func outcomes(of archive: Archive) throws(StoreError) -> [Outcome] {
        guard let stored = try self.archive(archive.id, in: archive.scene) else { return [] }
        return try outcomes(of: archive.id, content: stored.row.content)
    }
}
