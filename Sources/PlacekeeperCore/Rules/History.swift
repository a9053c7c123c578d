/// A scene's archives, with the facts that decide where a new capture is inserted and which archives the scene keeps.
package struct History: Sendable {
    package struct Entry: Sendable, Hashable {
        package var id: ArchiveID
        package var device: DeviceID
        package var position: Archive.Position
        package var receivedAt: Timestamp
        /// The bytes of the archive, and of its snapshot.
        package var size: Int
        package var snapshotSize = 0
        package var idiom: Idiom
        package var isGlance: Bool
        package var hasPlace: Bool
        package var hasSnapshot = false
        package var hasOutcomes = false
        /// Whether a device may have been served the archive.
        package var hasServings = false
        /// `RestoreEligibility.isServable`.
        package var isServable = true
        /// The store's own number of the archive's row.
        package var row: Int64 = 0
        /// Whether the archive's device needs the archive (`Retention.Needs`).
        package fileprivate(set) var isNeeded = false
        /// The number of devices that were served this archive of the scene last.
        fileprivate var servingCount = 0
        package var isServedLast: Bool { servingCount > 0 }

        package init(
            id: ArchiveID, device: DeviceID, position: Archive.Position, receivedAt: Timestamp, size: Int, idiom: Idiom,
            isGlance: Bool, hasPlace: Bool
        ) {
            self.id = id
            self.device = device
            self.position = position
            self.receivedAt = receivedAt
            self.size = size
            self.idiom = idiom
            self.isGlance = isGlance
            self.hasPlace = hasPlace
        }

        package init(_ archive: Archive) {
            self.init(
                id: archive.id, device: archive.device, position: archive.position, receivedAt: archive.receivedAt,
                size: archive.size, idiom: archive.context.idiom, isGlance: archive.isGlance,
                hasPlace: archive.summary.hasPlace)
        }

        /// As `Archive.stateTime`, with the time of receipt for a view below all work.
        var stateTime: Timestamp { position.capturedAt == .belowAllWork ? receivedAt : position.capturedAt }

        package var usage: Usage { Usage(bytes: size + snapshotSize, archives: 1) }
    }

    /// The entries from the oldest to the head.
    package private(set) var entries: [Entry] = []
    /// The archive that each of the user's devices was served last. An archive that was deleted may still be listed, because
    /// its deletion may be undone.
    package private(set) var servedLast: [DeviceID: ArchiveID] = [:]

    package init() {}

    /// - Parameter entries: the entries from the oldest to the head.
    package init(_ entries: [Entry], servedLast: [DeviceID: ArchiveID]) {
        self.entries = entries
        self.servedLast = servedLast
        var needs: [DeviceID: Retention.Needs] = [:]
        for index in entries.indices.reversed() {
            self.entries[index].servingCount = 0
            self.entries[index].isNeeded = needs[entries[index].device, default: Retention.Needs()]
                .take(isServable: entries[index].isServable, hasPlace: entries[index].hasPlace)
        }
        for id in servedLast.values { change(id) { $0.servingCount += 1 } }
    }

    package var head: Archive.Position? { entries.last?.position }

    package func contains(_ id: ArchiveID) -> Bool { entries.contains { $0.id == id } }
    package func entry(_ id: ArchiveID) -> Entry? { entries.first { $0.id == id } }

    mutating func insert(_ entry: Entry) {
        var entry = entry
        entry.servingCount = servedLast.values.count { $0 == entry.id }
        let index = (entries.lastIndex { $0.position < entry.position } ?? -1) + 1
        entries.insert(entry, at: index)
        refreshNeeds(of: entry.device)
    }

    /// Removes an archive. The records that devices were served it last stay, if its deletion can be undone.
    mutating func remove(_ id: ArchiveID, isUndoable: Bool = false) {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
        let entry = entries.remove(at: index)
        refreshNeeds(of: entry.device)
        if !isUndoable { dropServedLast(of: id) }
    }

    mutating func dropServedLast(of id: ArchiveID) {
        for (device, archive) in servedLast where archive == id { servedLast[device] = nil }
    }

    mutating func serve(_ id: ArchiveID, to device: DeviceID) {
        dropServedLast(by: device)
        servedLast[device] = id
        change(id) { $0.servingCount += 1 }
    }

    mutating func dropServedLast(by device: DeviceID) {
        guard let id = servedLast.removeValue(forKey: device) else { return }
        change(id) { $0.servingCount -= 1 }
    }

    /// Changes an entry. Its place stays.
    package mutating func change(_ id: ArchiveID, _ change: (inout Entry) -> Void) {
        guard let index = entries.lastIndex(where: { $0.id == id }) else { return }
        let isServable = entries[index].isServable
        change(&entries[index])
        if entries[index].isServable != isServable { refreshNeeds(of: entries[index].device) }
    }

    private mutating func refreshNeeds(of device: DeviceID) {
        var needs = Retention.Needs()
        for index in entries.indices.reversed() where entries[index].device == device {
            entries[index].isNeeded = needs.take(
                isServable: entries[index].isServable, hasPlace: entries[index].hasPlace)
        }
    }

    /// Returns the archives that the scene drops, the newest first: the archives beyond the newest `limit` of their idiom,
    /// except
    ///
    /// - the archives that each registered device needs (`Retention.Needs`). The needs of a revoked device do not count,
    ///   because otherwise the scene would grow with each revoked device;
    /// - the archives that one of the user's devices was served last: the policy may refuse newer archives to this device;
    /// - the new archive. It stays until the next upload, regardless of its age, because its upload is about to be
    ///   acknowledged.
    package func surplus(
        keeping limit: Int, besides new: ArchiveID? = nil, isRegistered: (DeviceID) -> Bool
    ) -> [Entry] {
        guard entries.count > limit else { return [] }
        var counts = Retention.IdiomCounts()
        var surplus: [Entry] = []
        for index in entries.indices.reversed() {
            let rank = counts.add(entries[index].idiom)
            guard rank > limit, entries[index].id != new else { continue }
            if entries[index].isNeeded, isRegistered(entries[index].device) { continue }
            if entries[index].servingCount == 0 { surplus.append(entries[index]) }
        }
        return surplus
    }

    /// - Parameter device: what the user's state says of the capture's device.
    func orderState(
        of new: NewArchive, by device: UserState.DeviceState, forgotten: CaptureOrder.Forgotten?, prunedThrough: Revision
    ) -> SceneOrderState {
        var state = SceneOrderState(
            head: head?.capturedAt, forgotten: forgotten, prunedThrough: prunedThrough, joined: device.joined)
        guard new.sequence != nil else { return state }
        for index in entries.indices
        where entries[index].device == new.device && entries[index].position.revision > device.countsSince {
            state.note(own: entries[index].position, isGlance: entries[index].isGlance, for: new)
        }
        return state
    }
}
