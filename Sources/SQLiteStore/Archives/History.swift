import RestorationService

/// A scene's archives, with no more of each than a new capture is placed and pruned by. The cost does not rise with the
/// number of devices: each fact about an archive is remembered once it was looked up
/// (docs/decisions/0071-an-uploads-cost-and-devices.md).
struct History {
    struct Entry {
        var position: Archive.Position
        var content: Int64
        var id: ArchiveID
        var device: DeviceID
        var sequence: Int64?
        var idiom: Idiom
        var hasPlace: Bool
        var hasSnapshot = false
        var hasOutcomes = false
        /// Whether no outcome stands against it.
        var isServable = true
        /// Whether its device needs it (`Retention.Needs`).
        fileprivate(set) var isNeeded = false
        /// Whether it is known to have been served to a device last.
        fileprivate(set) var isServedLast = false
        /// Whether it is known that it stays, though it is not among the newest.
        fileprivate(set) var isKept = false
    }

    /// From the oldest to the head.
    private(set) var entries: [Entry] = []
    /// The number of entries that are not known to stay.
    private var undecidedCount = 0

    init() {}

    /// - Parameter entries: from the oldest to the head.
    init(_ entries: [Entry]) {
        self.entries = entries
        undecidedCount = entries.count
        var needs: [DeviceID: Retention.Needs] = [:]
        for index in entries.indices.reversed() {
            self.entries[index].isNeeded = needs[entries[index].device, default: Retention.Needs()]
                .take(isServable: entries[index].isServable, hasPlace: entries[index].hasPlace)
        }
    }

    var head: Archive.Position? { entries.last?.position }

    func contains(_ id: ArchiveID) -> Bool { entries.contains { $0.id == id } }

    func entry(of revision: Revision) -> Entry? { entries.first { $0.position.revision == revision } }

    /// Adds an archive whose bytes are not yet stored.
    mutating func insert(_ archive: Archive) {
        let entry = Entry(
            position: archive.position, content: 0, id: archive.id, device: archive.device,
            sequence: archive.sequence, idiom: archive.context.idiom, hasPlace: archive.summary.hasPlace)
        let index = (entries.lastIndex { $0.position < archive.position } ?? -1) + 1
        entries.insert(entry, at: index)
        undecidedCount += 1
        // It takes the place of others of its device.
        var needs = Retention.Needs()
        for index in entries.indices.reversed() where entries[index].device == archive.device {
            let isNeeded = needs.take(isServable: entries[index].isServable, hasPlace: entries[index].hasPlace)
            guard isNeeded != entries[index].isNeeded else { continue }
            entries[index].isNeeded = isNeeded
            setKept(false, at: index)
        }
    }

    /// Tells where the bytes of an archive are.
    mutating func place(_ content: Int64, of id: ArchiveID) {
        if let index = entries.lastIndex(where: { $0.id == id }) { entries[index].content = content }
    }

    /// Tells that a device was served another archive than this one.
    mutating func loseServing(of content: Int64) {
        guard let index = entries.lastIndex(where: { $0.content == content }) else { return }
        entries[index].isServedLast = false
        setKept(false, at: index)
    }

    private mutating func setKept(_ isKept: Bool, at index: Int) {
        guard isKept != entries[index].isKept else { return }
        entries[index].isKept = isKept
        undecidedCount += isKept ? -1 : 1
    }

    /// Takes out the archives that the scene has too many of, and returns them from the head backwards. It is
    /// `Retention.surplus`, which asks anew only where the answer may have changed.
    ///
    /// - Parameters:
    ///   - new: the archive that is about to be stored. It stays, however old, until the next one comes.
    ///   - isRegistered: whether a device is one of the user's.
    ///   - isServedLast: whether an archive with these bytes was the last one served to one of the user's devices.
    mutating func takeSurplus(
        keeping limit: Int, adding new: ArchiveID? = nil, isRegistered: (DeviceID) throws(StoreError) -> Bool,
        isServedLast: (Int64) throws(StoreError) -> Bool
    ) throws(StoreError) -> [Entry] {
        guard entries.count > limit else { return [] }
        var counts = Retention.IdiomCounts()
        var surplus: [Int] = []
        // Of a scene with many devices, most archives are known to stay: the walk ends where only those are left.
        var undecided = undecidedCount
        for index in entries.indices.reversed() {
            if undecided == 0 { break }
            let rank = counts.add(entries[index].idiom)
            guard !entries[index].isKept else { continue }
            undecided -= 1
            guard rank > limit, entries[index].id != new else { continue }
            let entry = entries[index]
            if entry.isServedLast {
                setKept(true, at: index)
            } else if entry.isNeeded, try isRegistered(entry.device) {
                setKept(true, at: index)
            } else if try isServedLast(entry.content) {
                entries[index].isServedLast = true
                setKept(true, at: index)
            } else {
                surplus.append(index)
            }
        }
        undecidedCount -= surplus.count
        return surplus.map { entries.remove(at: $0) }
    }

    func surroundings(
        of new: NewArchive, forgotten: CaptureOrder.Forgotten?, prunedThrough: Revision
    ) -> CaptureOrder.Surroundings {
        var surroundings = CaptureOrder.Surroundings(
            head: head?.capturedAt, forgotten: forgotten, prunedThrough: prunedThrough)
        guard let own = new.sequence else { return surroundings }
        for entry in entries where entry.device == new.device {
            guard let sequence = entry.sequence else { continue }
            let time = entry.position.capturedAt
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
            select.isNull(1) ? nil : CaptureOrder.Forgotten(at: try select.time(1), revision: try select.revision(2))
        let id = select.integer(0)
        return SceneMemory.Scene(id: id, forgotten: forgotten, history: try history(of: id))
    }

    func history(of scene: Int64) throws(StoreError) -> History {
        let select = try statement(.history)
        select.bind(scene, at: 1)
        var entries: [History.Entry] = []
        while try select.step() {
            entries.append(
                History.Entry(
                    position: try select.position, content: select.integer(2), id: try select.id(5),
                    device: try select.id(6), sequence: select.optionalInteger(7), idiom: try select.idiom(8),
                    hasPlace: select.integer(9) != 0, hasSnapshot: select.integer(3) != 0,
                    hasOutcomes: select.integer(4) != 0, isServable: select.integer(10) != 0))
        }
        return History(entries)
    }
}

extension ArchiveRow {
    init(_ entry: History.Entry, in scene: Int64) {
        self.init(
            scene: scene, position: entry.position, content: entry.content, hasSnapshot: entry.hasSnapshot,
            hasOutcomes: entry.hasOutcomes)
    }
}

extension Query {
    fileprivate static let scene = Query(
        "SELECT id, forgotten_at, forgotten_revision FROM scene WHERE user = ?1 AND name = ?2")
    fileprivate static let history = Query(
        """
        SELECT revision, captured_at, content, has_snapshot, has_outcomes, uuid, device, sequence, idiom,
            place <> '', is_servable
        FROM archive WHERE scene = ?1 ORDER BY captured_at, revision
        """)
}
