import PlacekeeperService

extension Differences {
    private typealias SceneRecord = OldMemoryStore.SceneRecord

    mutating func addScenes() {
        let (earlier, later) = scenes
        for (key, scene) in later {
            let known = earlier[key]
            if known == nil || known?.forgotten != scene.forgotten {
                add(
                    """
                    INSERT INTO scene (app, owner, name, forgotten_at, forgotten_revision) VALUES ($1, $2, $3, $4, $5)
                    ON CONFLICT (app, owner, name) DO UPDATE SET forgotten_at = $4, forgotten_revision = $5
                    """, key.values + [.time(scene.forgotten?.at), .revision(scene.forgotten?.revision)])
            }
            addServedLast(of: key, from: known ?? SceneRecord(), to: scene)
            addTombstones(of: key, from: known ?? SceneRecord(), to: scene)
        }
        for (key, scene) in earlier where later[key] == nil {
            addServedLast(of: key, from: scene, to: SceneRecord())
            addTombstones(of: key, from: scene, to: SceneRecord())
            add("DELETE FROM scene WHERE app = $1 AND owner = $2 AND name = $3", key.values)
        }
    }

    private mutating func addServedLast(of key: SceneKey, from known: SceneRecord, to scene: SceneRecord) {
        for (device, archive) in scene.servedLast where known.servedLast[device] != archive {
            add(.setServedLast, key.values + [.id(device), .id(archive)])
        }
        let gone = known.servedLast.keys.filter { scene.servedLast[$0] == nil }
        guard !gone.isEmpty else { return }
        add(
            "DELETE FROM served_last WHERE app = $1 AND owner = $2 AND scene = $3 AND device = ANY($4)",
            key.values + [.ids(gone)])
    }

    private mutating func addTombstones(of key: SceneKey, from known: SceneRecord, to scene: SceneRecord) {
        let new = scene.tombstones.filter { known.tombstones[$0.key] != $0.value }
        if !new.isEmpty {
            add(
                """
                INSERT INTO tombstone (app, owner, scene, archive, deleted_at)
                SELECT $1, $2, $3, archive, deleted_at FROM unnest($4, $5) AS new (archive, deleted_at)
                ON CONFLICT (app, owner, scene, archive) DO UPDATE SET deleted_at = EXCLUDED.deleted_at
                """,
                key.values + [.ids(new.map(\.key)), .ints(new.map { $0.value.milliseconds })])
        }
        let gone = known.tombstones.keys.filter { scene.tombstones[$0] == nil }
        guard !gone.isEmpty else { return }
        add(
            "DELETE FROM tombstone WHERE app = $1 AND owner = $2 AND scene = $3 AND archive = ANY($4)",
            key.values + [.ids(gone)])
    }

    // Archives

    mutating func addArchives() {
        let (earlier, later) = scenes
        var gone: [ArchiveKey] = []
        var new: [ArchiveKey] = []
        for (key, scene) in later {
            compare(earlier[key] ?? SceneRecord(), with: scene, key, &gone, &new)
        }
        for (key, scene) in earlier where later[key] == nil {
            gone += scene.ids.map { ArchiveKey(scene: key, id: $0) }
        }
        // An archive that left a user and is new for another user was moved.
        var sources = Dictionary(grouping: gone, by: SceneName.init)
        var moves: [Route: [Archive]] = [:]
        for key in new {
            guard let stored = later[key.scene]?.entry(key.id)?.stored else { continue }
            if stored.bytes.isEmpty, let source = sources[SceneName(key)]?.popLast() {
                moves[Route(source: source.scene.owner, target: key.scene.owner), default: []].append(stored.archive)
            } else {
                addArchive(stored, key)
            }
        }
        for key in sources.values.joined() { dropArchive(key, earlier[key.scene]?.entry(key.id)?.stored) }
        for (route, archives) in moves { addMove(from: route.source, to: route.target, archives) }
    }

    /// Adds the changes of the archives that a scene had before and has after, and finds the other archives.
    private mutating func compare(
        _ known: SceneRecord, with scene: SceneRecord, _ key: SceneKey, _ gone: inout [ArchiveKey],
        _ new: inout [ArchiveKey]
    ) {
        // Both lists have the same order, so the next archive of the one is usually the next archive of the other. A copy
        // of an archive costs more than a look at its id.
        var next = 0
        for index in scene.archives.indices {
            let id = scene.archives[index].archive.id
            let place = known.index(of: id, from: next)
            if let place { next = place + 1 }
            if place == nil, known.deleted[id] == nil {
                new.append(ArchiveKey(scene: key, id: id))
            } else if place.map({ !known.archives[$0].isSame(as: scene.archives[index]) }) ?? true,
                let earlier = known.entry(id)
            {
                addChanges(of: ArchiveKey(scene: key, id: id), from: earlier, to: (scene.archives[index], nil))
            }
        }
        for (id, deletion) in scene.deleted {
            let key = ArchiveKey(scene: key, id: id)
            if let earlier = known.entry(id) {
                addChanges(of: key, from: earlier, to: (deletion.stored, deletion.at))
            } else {
                new.append(key)
            }
        }
        next = 0
        for index in known.archives.indices {
            let id = known.archives[index].archive.id
            if let place = scene.index(of: id, from: next) {
                next = place + 1
            } else if scene.deleted[id] == nil {
                gone.append(ArchiveKey(scene: key, id: id))
            }
        }
        for id in known.deleted.keys where scene.entry(id) == nil { gone.append(ArchiveKey(scene: key, id: id)) }
    }

    /// An archive's id, and the name of its scene, which a move keeps.
    private struct SceneName: Hashable {
        var scene: String
        var id: ArchiveID

        init(_ key: ArchiveKey) {
            scene = key.scene.name
            id = key.id
        }
    }

    private struct Route: Hashable {
        var source: UserKey
        var target: UserKey
    }

    /// - Parameter known: the archive. Nil if it may have outcomes and servings.
    private mutating func dropArchive(_ key: ArchiveKey, _ known: OldMemoryStore.StoredArchive?) {
        if known?.outcomes.isEmpty != true { add(.dropOutcomes, key.values) }
        if known?.served.isEmpty != true { add(.dropServings, key.values) }
        add(.dropArchive, key.values)
    }

    private mutating func addMove(from source: UserKey, to target: UserKey, _ archives: [Archive]) {
        let values =
            source.values + [
                .id(target.user), .texts(archives.map(\.scene.name)), .ids(archives.map(\.id)),
            ]
        add(
            """
            UPDATE archive SET owner = $3, revision = moved.revision, order_revision = moved.order_revision
            FROM unnest($4, $5, $6, $7) AS moved (scene, id, revision, order_revision)
            WHERE app = $1 AND owner = $2 AND archive.scene = moved.scene AND uuid = moved.id
            """,
            values + [.ints(archives.map(\.revision.rawValue)), .ints(archives.map(\.orderRevision.rawValue))])
        for table in ["outcome", "served"] {
            add(
                """
                UPDATE \(table) SET owner = $3 FROM unnest($4, $5) AS moved (scene, id)
                WHERE app = $1 AND owner = $2 AND \(table).scene = moved.scene AND archive = moved.id
                """, values)
        }
    }

    private mutating func addChanges(of key: ArchiveKey, from known: Entry, to entry: Entry) {
        let (stored, earlier) = (entry.stored, known.stored)
        if stored.archive.hasOutcomes != earlier.archive.hasOutcomes || entry.deletedAt != known.deletedAt {
            add(
                """
                UPDATE archive SET has_outcomes = $5, deleted_at = $6
                WHERE app = $1 AND owner = $2 AND scene = $3 AND uuid = $4
                """, key.values + [.bool(stored.archive.hasOutcomes), .time(entry.deletedAt)])
        }
        // Snapshots are not loaded, so a snapshot is a new one.
        if let snapshot = stored.snapshot {
            add(
                """
                UPDATE archive SET snapshot_format = $5, snapshot = $6
                WHERE app = $1 AND owner = $2 AND scene = $3 AND uuid = $4
                """, key.values + [.text(snapshot.format.rawValue), .bytes(snapshot.bytes)])
        }
        for (device, time) in stored.served where earlier.served[device] == nil {
            addServing(of: key, to: device, time)
        }
        guard stored.outcomes != earlier.outcomes, let new = stored.outcomes.last else { return }
        let first = before.firstOutcomes[key] ?? 0
        add(new, of: key, number: first + Int64(earlier.outcomes.count))
        let dropped = earlier.outcomes.count + 1 - stored.outcomes.count
        guard dropped > 0 else { return }
        add(
            "DELETE FROM outcome WHERE app = $1 AND owner = $2 AND scene = $3 AND archive = $4 AND number < $5",
            key.values + [.int(first + Int64(dropped))])
    }

    private mutating func addServing(of key: ArchiveKey, to device: DeviceID, _ time: Timestamp) {
        add(.addServing, key.values + [.id(device), .time(time)])
    }

    private mutating func add(_ outcome: Outcome, of key: ArchiveKey, number: Int64) {
        add(
            """
            INSERT INTO outcome (app, owner, scene, archive, number, device, result, idiom, layout, bundle_version,
                system_version, state_version, launch, path, step, milliseconds, reported_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
            """,
            key.values + [.int(number), .id(outcome.device), .text(outcome.result.rawValue)] + outcome.context.values
                + [
                    .text(outcome.launch?.text), .anyText(outcome.details.path),
                    .int(outcome.details.step.map(Int64.init)),
                    .int(outcome.details.duration?.wholeMilliseconds), .time(outcome.reportedAt),
                ])
    }

    private mutating func addArchive(_ stored: OldMemoryStore.StoredArchive, _ key: ArchiveKey) {
        let archive = stored.archive
        let order: [Value] = [
            .id(archive.device), .time(archive.capturedAt), .revision(archive.orderRevision),
            .int(archive.sequence ?? -1), .revision(archive.revision), .time(archive.writtenAt),
            .time(archive.receivedAt),
        ]
        let rest: [Value] = [
            .digest(archive.digest), .int(archive.size), .anyText(Netstrings.join(archive.summary.place)),
            .int(archive.summary.objectCount), .int(archive.summary.referenceCount), .bool(archive.hasOutcomes),
            .bool(archive.isGlance), .text(stored.snapshot?.format.rawValue), .bytes(stored.snapshot?.bytes),
            .bytes(stored.bytes),
        ]
        add(.addArchive, key.values + order + archive.context.values + rest)
        for (number, outcome) in stored.outcomes.enumerated() { add(outcome, of: key, number: Int64(number)) }
        for (device, time) in stored.served { addServing(of: key, to: device, time) }
    }

    // Changes

    mutating func addChanges() {
        for (owner, user) in after.users {
            let known = before.contents.users[owner]
            let earlier = Set((known?.changes ?? []).map(\.revision))
            let later = Set(user.changes.map(\.revision))
            let new = user.changes.filter { !earlier.contains($0.revision) }
            for change in new { add(change, of: owner) }
            newChanges += new.map { ChangeKey(owner: owner, revision: $0.revision) }
            let gone = earlier.subtracting(later)
            if !gone.isEmpty {
                add(
                    "DELETE FROM change WHERE app = $1 AND owner = $2 AND revision = ANY($3)",
                    owner.values + [.ints(gone.map(\.rawValue))])
            }
            dropUnreadable(of: owner, from: known?.latest, to: user.latest)
        }
    }

    /// Drops the changes that no reader can ask for any more, when the revision passes a multiple of
    /// `Limits.changesBehind`.
    private mutating func dropUnreadable(of owner: UserKey, from earlier: Revision?, to latest: Revision) {
        let length = Int64(Limits.changesBehind)
        guard let earlier, latest.rawValue / length > earlier.rawValue / length else { return }
        let values = owner.values + [.int((latest.rawValue / length - 1) * length)]
        // Changes without a position leave a gap in the log of all changes.
        add(
            """
            UPDATE store SET change_position = change_position + dropped.count FROM (
                SELECT count(*) FROM change
                WHERE app = $1 AND owner = $2 AND revision <= $3 AND position IS NULL) AS dropped
            WHERE dropped.count > 0
            """, values)
        add("DELETE FROM change WHERE app = $1 AND owner = $2 AND revision <= $3", values)
    }

    private mutating func add(_ change: Change, of owner: UserKey) {
        add(
            .addChange,
            owner.values + [
                .revision(change.revision), .text(change.kind.rawValue), .text(change.scene), .id(change.archive),
                .id(change.device), .time(change.at),
            ])
    }
}

/// An archive and the time of its deletion.
private typealias Entry = (stored: OldMemoryStore.StoredArchive, deletedAt: Timestamp?)

extension OldMemoryStore.SceneRecord {
    /// The ids of the stored and the deleted archives.
    fileprivate var ids: [ArchiveID] { archives.map(\.archive.id) + deleted.keys }

    /// Returns a stored or a deleted archive.
    fileprivate func entry(_ id: ArchiveID) -> Entry? {
        if let index = index(of: id, from: 0) { return (archives[index], nil) }
        return deleted[id].map { ($0.stored, $0.at) }
    }

    /// Returns the index of a stored archive. Looks at this place first.
    fileprivate func index(of id: ArchiveID, from place: Int) -> Int? {
        if place < archives.count, archives[place].archive.id == id { return place }
        return archives.firstIndex { $0.archive.id == id }
    }
}
