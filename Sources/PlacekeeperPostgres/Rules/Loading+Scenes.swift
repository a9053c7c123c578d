import PlacekeeperCore
import PlacekeeperService

extension Loading {
    mutating func addDeletions(of scene: SceneState) {
        let reading = HistoryReading()
        var times: [ArchiveID: Timestamp] = [:]
        add(
            """
            SELECT \(Self.entryColumns), archive.deleted_at FROM archive
            WHERE app = $1 AND owner = $2 AND scene = $3 AND deleted_at IS NOT NULL
            """, scene.key.values,
            each: { row throws(StoreError) in
                let read = try row.entry()
                reading.entries["", default: []].append(read)
                times[read.entry.id] = try row.time()
            })
        add(
            """
            SELECT outcome.archive, \(Row.outcomeColumns) FROM outcome JOIN archive ON archive.app = $1
                AND archive.owner = $2 AND archive.scene = $3 AND archive.uuid = outcome.archive
            WHERE outcome.app = $1 AND outcome.owner = $2 AND outcome.scene = $3 AND archive.deleted_at IS NOT NULL
            ORDER BY outcome.number
            """, scene.key.values
        ) { rows throws(StoreError) in
            for index in 0..<rows.count {
                var row = Row(rows, index)
                let id: ArchiveID = try row.id()
                reading.outcomes["", default: [:]][id, default: []].append(try row.outcome(of: id))
            }
            var deletions: [ArchiveID: SceneState.Deletion] = [:]
            for entry in reading.history(of: "").entries {
                deletions[entry.id] = times[entry.id].map { SceneState.Deletion(entry: entry, at: $0) }
            }
            scene.deletions = deletions
        }
    }

    /// Adds scenes of one user that the rule names.
    mutating func add(_ scenes: [SceneState]) {
        guard let first = scenes.first else { return }
        let byName = Dictionary(scenes.map { ($0.key.name, $0) }, uniquingKeysWith: { first, _ in first })
        // The database plans a comparison with one name better than one with a list.
        let (condition, names): (String, Value) =
            scenes.count == 1
            ? ("= $3", .text(first.key.name)) : ("= ANY($3)", .texts(scenes.map(\.key.name)))
        addScenes(condition, first.key.owner.values + [names]) { byName[$0] }
        for scene in scenes { scene.tombstones = Tombstones([:]) }
        guard scenes.count == 1 else { return addTombstones(of: byName) }
        let limit = Tombstones.loadedAtOnce + 1
        add(
            """
            SELECT archive, deleted_at FROM tombstone WHERE app = $1 AND owner = $2 AND scene = $3 LIMIT \(limit)
            """, first.key.values
        ) { rows throws(StoreError) in
            first.tombstones = rows.count < limit ? Tombstones(try Self.times(rows)) : Tombstones()
        }
    }

    /// Finds out which of several scenes have tombstones, without loading them: the rule names the tombstones it needs.
    private mutating func addTombstones(of scenes: [String: SceneState]) {
        guard let owner = scenes.values.first?.key.owner else { return }
        add(
            "SELECT DISTINCT scene FROM tombstone WHERE app = $1 AND owner = $2 AND scene = ANY($3)",
            owner.values + [.texts(Array(scenes.keys))],
            each: { row throws(StoreError) in
                scenes[try row.text()]?.tombstones = Tombstones()
            })
    }

    mutating func addTombstones(_ ids: [ArchiveID], of scene: SceneState) {
        add(
            "SELECT archive, deleted_at FROM tombstone WHERE app = $1 AND owner = $2 AND scene = $3 AND archive = ANY($4)",
            scene.key.values + [.ids(ids)]
        ) { rows throws(StoreError) in
            let times = try Self.times(rows)
            for id in ids where !scene.tombstones.knows(id) { scene.tombstones.note(id, times[id]) }
        }
    }

    private static func times(_ rows: Rows) throws(StoreError) -> [ArchiveID: Timestamp] {
        var times: [ArchiveID: Timestamp] = [:]
        for index in 0..<rows.count {
            var row = Row(rows, index)
            let id: ArchiveID = try row.id()
            times[id] = try row.time()
        }
        return times
    }

    mutating func addHeldScenes(of user: UserState) {
        user.hasAllScenes = true
        let known = user.scenes
        addScenes(
            """
            IN (SELECT DISTINCT held.scene FROM archive AS held
                WHERE held.app = $1 AND held.owner = $2 AND held.deleted_at IS NULL)
            """, user.key.values
        ) { name in
            guard known[name] == nil else { return nil }
            if let scene = user.scenes[name] { return scene }
            let scene = SceneState(SceneKey(owner: user.key, name: name))
            user.scenes[name] = scene
            return scene
        }
    }

    /// - Parameters:
    ///   - condition: the SQL after the column with a scene's name.
    ///   - state: returns the state of a scene, or `nil` if it is already loaded.
    private mutating func addScenes(
        _ condition: String, _ values: [Value], _ state: @escaping (String) -> SceneState?
    ) {
        add(
            """
            SELECT name, forgotten_at, forgotten_revision FROM scene WHERE app = $1 AND owner = $2 AND name \(condition)
            """, values,
            each: { row throws(StoreError) in
                guard let scene = state(try row.text()) else { return }
                scene.exists = true
                if let time = try row.optionalTime() {
                    scene.forgotten = CaptureOrder.Forgotten(at: time, revision: try row.revision())
                }
            })
        // A scene's history is complete after the last of these statements.
        let reading = HistoryReading()
        add(
            """
            SELECT \(Self.entryColumns), archive.scene FROM archive
            WHERE app = $1 AND owner = $2 AND scene \(condition) AND deleted_at IS NULL ORDER BY \(Row.orderColumns)
            """, values,
            each: { row throws(StoreError) in
                let entry = try row.entry()
                reading.entries[try row.text(), default: []].append(entry)
            })
        add(
            """
            SELECT scene, archive, \(Row.outcomeColumns) FROM outcome
            WHERE app = $1 AND owner = $2 AND scene \(condition) ORDER BY number
            """, values,
            each: { row throws(StoreError) in
                let name = try row.text()
                let id: ArchiveID = try row.id()
                reading.outcomes[name, default: [:]][id, default: []].append(try row.outcome(of: id))
            })
        add(
            "SELECT scene, device, archive FROM served_last WHERE app = $1 AND owner = $2 AND scene \(condition)",
            values
        ) { rows throws(StoreError) in
            for index in 0..<rows.count {
                var row = Row(rows, index)
                let name = try row.text()
                let device: DeviceID = try row.id()
                reading.servedLast[name, default: [:]][device] = try row.id()
            }
            for name in Set(reading.entries.keys).union(reading.servedLast.keys) {
                state(name)?.history = reading.history(of: name)
            }
        }
    }

    private static let entryColumns = """
        archive.uuid, archive.device, \(Row.orderColumns), archive.size,
        coalesce(octet_length(archive.screenshot), 0)::bigint, archive.idiom, archive.is_view_only,
        octet_length(archive.place) > 0, archive.screenshot IS NOT NULL, archive.has_outcomes, archive.bundle_version,
        archive.received_at
        """
}

/// An entry with the context that determines whether it can be served.
private struct ReadEntry {
    var entry: History.Entry
    var context: Context
}

/// The rows of several scenes' histories.
private final class HistoryReading {
    var entries: [String: [ReadEntry]] = [:]
    var outcomes: [String: [ArchiveID: [Outcome]]] = [:]
    var servedLast: [String: [DeviceID: ArchiveID]] = [:]

    func history(of scene: String) -> History {
        let entries = (entries[scene] ?? []).map { read in
            var entry = read.entry
            if entry.hasOutcomes, let outcomes = outcomes[scene]?[entry.id] {
                entry.isServable = RestoreEligibility.isServable(by: entry.device, in: read.context, after: outcomes)
            }
            return entry
        }
        return History(entries, servedLast: servedLast[scene] ?? [:])
    }
}

extension Row {
    /// Reads the columns `Loading.entryColumns`.
    fileprivate mutating func entry() throws(StoreError) -> ReadEntry {
        let (id, device): (ArchiveID, DeviceID) = (try id(), try id())
        let (position, size, screenshotSize) = (try position(), Int(try number(.size)), try count())
        let idiom = try idiom()
        let (isViewOnly, hasPlace) = (try bool(), try bool())
        let (hasScreenshot, hasOutcomes) = (try bool(), try bool())
        let context = Context(idiom: idiom, bundleVersion: try optionalText())
        var entry = History.Entry(
            id: id, device: device, position: position, receivedAt: try time(), size: size, idiom: idiom,
            isViewOnly: isViewOnly, hasPlace: hasPlace)
        entry.screenshotSize = screenshotSize
        (entry.hasScreenshot, entry.hasOutcomes, entry.hasServings) = (hasScreenshot, hasOutcomes, true)
        return ReadEntry(entry: entry, context: context)
    }
}
