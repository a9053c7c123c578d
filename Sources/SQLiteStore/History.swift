import RestorationService

/// A scene's archives, from the head backwards, with no more of each than a new capture is placed and pruned by: one
/// walk over rows that lie together.
struct History {
    struct Entry {
        var row: ArchiveRow
        var id: ArchiveID
        var device: DeviceID
        var sequence: Int64?
        var idiom: Idiom
        var hasPlace: Bool
    }

    var entries: [Entry] = []

    mutating func insert(_ archive: Archive, at row: ArchiveRow) {
        let place = entries.firstIndex { $0.row.position < row.position } ?? entries.endIndex
        entries.insert(
            Entry(
                row: row, id: archive.id, device: archive.device, sequence: archive.sequence,
                idiom: archive.context.idiom, hasPlace: archive.summary.hasPlace),
            at: place)
    }

    mutating func remove(_ rows: [ArchiveRow]) {
        guard !rows.isEmpty else { return }
        entries.removeAll { entry in rows.contains { $0.content == entry.row.content } }
    }

    var head: Archive.Position? { entries.first?.row.position }

    func surroundings(
        of new: NewArchive, forgotten: CaptureOrder.Forgotten?, prunedThrough: Revision
    ) -> CaptureOrder.Surroundings {
        var surroundings = CaptureOrder.Surroundings(
            head: head?.capturedAt, forgotten: forgotten, prunedThrough: prunedThrough)
        for entry in entries {
            let time = entry.row.position.capturedAt
            if entry.row.position.revision == new.restoredFrom { surroundings.restoredFrom = time }
            guard entry.device == new.device, let own = new.sequence, let sequence = entry.sequence else { continue }
            if sequence < own {
                surroundings.ownEarlier = max(surroundings.ownEarlier ?? time, time)
            } else if sequence > own {
                surroundings.ownLater = min(surroundings.ownLater ?? time, time)
            }
        }
        return surroundings
    }
}

/// Where an archive lies, and what hangs on it.
struct ArchiveRow {
    var scene: Int64
    var position: Archive.Position
    var content: Int64
    var hasSnapshot: Bool
    var hasOutcomes: Bool
}

extension Connection {
    /// A scene as a new capture finds it.
    func scene(_ name: String, of user: UserRow) throws(StoreError) -> SceneMemory.Scene? {
        let select = try statement(.scene)
        select.bind(user.id, at: 1)
        select.bind(name, at: 2)
        guard try select.step() else { return nil }
        let forgotten: CaptureOrder.Forgotten? =
            select.isNull(1) ? nil : CaptureOrder.Forgotten(at: select.time(1), revision: select.revision(2))
        let id = select.integer(0)
        return SceneMemory.Scene(id: id, forgotten: forgotten, history: try history(of: id))
    }

    func history(of scene: Int64) throws(StoreError) -> History {
        let select = try statement(.history)
        select.bind(scene, at: 1)
        var history = History()
        while try select.step() {
            let row = ArchiveRow(
                scene: scene, position: select.position, content: select.integer(2),
                hasSnapshot: select.integer(3) != 0, hasOutcomes: select.integer(4) != 0)
            history.entries.append(
                History.Entry(
                    row: row, id: try select.id(5), device: try select.id(6), sequence: select.optionalInteger(7),
                    idiom: try select.idiom(8), hasPlace: select.integer(9) != 0))
        }
        return history
    }
}

extension Query {
    fileprivate static let scene = Query(
        "SELECT id, forgotten_at, forgotten_revision FROM scene WHERE user = ?1 AND name = ?2")
    fileprivate static let history = Query(
        """
        SELECT revision, captured_at, content, has_snapshot, has_outcomes, uuid, device, sequence, idiom,
            place <> ''
        FROM archive WHERE scene = ?1 ORDER BY captured_at DESC, revision DESC
        """)
}
