import PlacekeeperService

/// A scene's archives, with the facts that decide at which position a new capture is inserted and which archives are
/// pruned. The cost of an upload does not depend on the number of devices: a fact about an archive is looked up again
/// only after it changed (docs/decisions/0062-uploads-are-decided-from-memory.md).
struct History {
    struct Entry {
        var position: Archive.Position
        var content: Int64
        /// The bytes of the archive and of its snapshot.
        var bytes: Int
        var id: ArchiveID
        var device: DeviceID
        var isGlance: Bool
        var idiom: Idiom
        var hasPlace: Bool
        var hasSnapshot = false
        var hasOutcomes = false
        /// Whether the archive's outcomes allow serving it to its own device.
        var isServable = true
        /// Whether the archive's device needs the archive (`Retention.Needs`).
        fileprivate(set) var isNeeded = false
        /// Whether the archive is known to be the last archive that a device was served.
        fileprivate(set) var isServedLast = false
        /// Whether retention is known to keep the archive, although newer archives of its idiom already reach the
        /// limit.
        fileprivate(set) var isKept = false
    }

    /// The entries from the oldest to the head.
    private(set) var entries: [Entry] = []
    /// The number of entries whose `isKept` is false.
    private var undecidedCount = 0

    init() {}

    /// - Parameter entries: the entries from the oldest to the head.
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
            position: archive.position, content: 0, bytes: archive.size, id: archive.id, device: archive.device,
            isGlance: archive.isGlance, idiom: archive.context.idiom, hasPlace: archive.summary.hasPlace)
        let index = (entries.lastIndex { $0.position < archive.position } ?? -1) + 1
        entries.insert(entry, at: index)
        undecidedCount += 1
        // With the new archive, the device may no longer need some of its other archives.
        var needs = Retention.Needs()
        for index in entries.indices.reversed() where entries[index].device == archive.device {
            let isNeeded = needs.take(isServable: entries[index].isServable, hasPlace: entries[index].hasPlace)
            guard isNeeded != entries[index].isNeeded else { continue }
            entries[index].isNeeded = isNeeded
            setKept(false, at: index)
        }
    }

    /// Records that the row `content` holds the bytes of an archive.
    mutating func place(_ content: Int64, of id: ArchiveID) {
        if let index = entries.lastIndex(where: { $0.id == id }) { entries[index].content = content }
    }

    /// Notes that one device was served another archive after the archive with this content row. This archive may still
    /// be the last archive that another device was served, so `takeSurplus` looks this up again.
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

    /// Removes the archives that exceed the limit for their idiom and that retention does not keep for a device.
    /// Returns the removed archives, starting with the newest. The result is the same as the result of
    /// `Retention.surplus`, but only changed facts are looked up again.
    ///
    /// - Parameters:
    ///   - new: the archive that is about to be stored. This archive is kept until the next upload, regardless of its
    ///     age.
    ///   - isRegistered: whether a device belongs to the user.
    ///   - isServedLast: whether the archive with this content row is the last archive that one of the user's devices
    ///     was served.
    mutating func takeSurplus(
        keeping limit: Int, adding new: ArchiveID? = nil, isRegistered: (DeviceID) throws(StoreError) -> Bool,
        isServedLast: (Int64) throws(StoreError) -> Bool
    ) throws(StoreError) -> [Entry] {
        guard entries.count > limit else { return [] }
        var counts = Retention.IdiomCounts()
        var surplus: [Int] = []
        // In a scene with many devices, most archives are known to stay. The loop ends when only such archives are
        // left.
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

    func orderState(
        of new: NewArchive, forgotten: CaptureOrder.Forgotten?, prunedThrough: Revision
    ) -> SceneOrderState {
        var state = SceneOrderState(
            head: head?.capturedAt, forgotten: forgotten, prunedThrough: prunedThrough)
        guard new.sequence != nil else { return state }
        for entry in entries where entry.device == new.device {
            state.note(own: entry.position, isGlance: entry.isGlance, for: new)
        }
        return state
    }
}

/// The key of an archive's row, the row of the archive's content, the bytes of the archive and its snapshot, and whether
/// the archive has a snapshot and outcomes.
struct ArchiveRow {
    var scene: Int64
    var position: Archive.Position
    var content: Int64
    var bytes: Int
    var hasSnapshot: Bool
    var hasOutcomes: Bool
}

extension Connection {
    /// Returns a user's scene with the facts that decide the position of a new capture. Nil if the database has no row
    /// for the scene.
    func scene(_ name: String, of user: UserRow) throws(StoreError) -> SceneMemory.Scene? {
        let select = try statement(.scene)
        select.bind(user.id, at: 1)
        select.bind(name, at: 2)
        guard try select.step() else { return nil }
        let forgotten: CaptureOrder.Forgotten? =
            select.isNull(1) ? nil : CaptureOrder.Forgotten(at: try select.time(1), revision: try select.revision(2))
        let id = try select.key(0)
        return SceneMemory.Scene(id: id, forgotten: forgotten, history: try history(of: id))
    }

    func history(of scene: Int64) throws(StoreError) -> History {
        let select = try statement(.history)
        select.bind(scene, at: 1)
        var entries: [History.Entry] = []
        while try select.step() {
            entries.append(
                History.Entry(
                    position: try select.position(at: 0), content: try select.key(4), bytes: try select.count(5),
                    id: try select.id(6), device: try select.id(7), isGlance: try select.flag(8),
                    idiom: try select.idiom(9), hasPlace: try select.flag(10),
                    hasSnapshot: try select.flag(11), hasOutcomes: try select.flag(12),
                    isServable: try select.flag(13)))
        }
        return History(entries)
    }
}

extension ArchiveRow {
    init(_ entry: History.Entry, in scene: Int64) {
        self.init(
            scene: scene, position: entry.position, content: entry.content, bytes: entry.bytes,
            hasSnapshot: entry.hasSnapshot,
            hasOutcomes: entry.hasOutcomes)
    }
}

extension Query {
    fileprivate static let scene = Query(
        "SELECT id, forgotten_at, forgotten_revision FROM scene WHERE user = ?1 AND name = ?2")
    fileprivate static let history = Query(
        """
        SELECT \(orderColumns), content, size + \(snapshotBytes), uuid, device, is_glance, idiom, place <> '',
            has_snapshot, has_outcomes, is_servable
        FROM archive WHERE scene = ?1 ORDER BY \(orderColumns)
        """)
}
