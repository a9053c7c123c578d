/// A scene's archives, with the facts that decide where a new capture goes and which archives are kept.
package struct History: Sendable {
    package struct Entry: Sendable, Hashable {
        package var id: ArchiveID
        package var device: DeviceID
        package var position: Archive.Position
        package var receivedAt: Timestamp
        /// The archive's size in bytes. Its screenshot counts separately.
        package var size: Int
        package var screenshotSize = 0
        package var idiom: Idiom
        package var isViewOnly: Bool
        package var hasPlace: Bool
        package var hasScreenshot = false
        package var hasOutcomes = false
        /// Whether a device may have been served the archive.
        package var hasServings = false
        /// `RestoreEligibility.isServable`.
        package var isServable = true
        /// The store's own number for the archive's row.
        package var row: Int64 = 0
        /// Whether the device that made the archive needs it (`Retention.Needs`).
        package fileprivate(set) var isNeeded = false
        /// How many devices were served this archive more recently than any other of the scene.
        fileprivate var servingCount = 0
        package var isServedLast: Bool { servingCount > 0 }

        package init(
            id: ArchiveID, device: DeviceID, position: Archive.Position, receivedAt: Timestamp, size: Int, idiom: Idiom,
            isViewOnly: Bool, hasPlace: Bool
        ) {
            self.id = id
            self.device = device
            self.position = position
            self.receivedAt = receivedAt
            self.size = size
            self.idiom = idiom
            self.isViewOnly = isViewOnly
            self.hasPlace = hasPlace
        }

        package init(_ archive: Archive) {
            self.init(
                id: archive.id, device: archive.device, position: archive.position, receivedAt: archive.receivedAt,
                size: archive.size, idiom: archive.context.idiom, isViewOnly: archive.isViewOnly,
                hasPlace: archive.summary.hasPlace)
        }

        /// Like `Archive.stateTime`, but with the time of receipt for view-only captures below all work.
        var stateTime: Timestamp { position.capturedAt == .belowAllWork ? receivedAt : position.capturedAt }

        package var usage: Usage { Usage(bytes: size + screenshotSize, archives: 1) }
    }

    /// The entries, from the oldest to the head.
    package private(set) var entries: [Entry] = []
    /// The archive that each of the user's devices was served last. Includes deleted archives whose deletion can be
    /// undone.
    package private(set) var servedLast: [DeviceID: ArchiveID] = [:]

    package init() {}

    /// - Parameter entries: the entries, from the oldest to the head.
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

    /// Removes an archive. If its deletion can be undone, `servedLast` still lists it.
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

    /// Changes an entry, but not its position.
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

    /// Returns the archives that the scene drops, the newest first. The scene keeps `limit` archives of each idiom:
    /// half of them are the newest, the rest those worth the most (`Retention.worth`). It also keeps
    ///
    /// - the archives that each registered device needs (`Retention.Needs`). Revoked devices don't count; otherwise the
    ///   scene would grow with each of them;
    /// - the archives that one of the user's devices was served last, because the policy may refuse the device newer
    ///   ones;
    /// - the new archive, however old it is, until the next upload: its own upload is about to be acknowledged.
    package func prunable(
        keeping limit: Int, besides new: ArchiveID? = nil, isRegistered: (DeviceID) -> Bool
    ) -> [Entry] {
        guard entries.count > limit else { return [] }
        var counts = Retention.IdiomCounts()
        for entry in entries { counts.add(entry.idiom) }
        var dropped: [Int] = []
        func stays(_ entry: Entry) -> Bool {
            entry.isNeeded && isRegistered(entry.device) || entry.servingCount > 0 || entry.id == new
        }
        for idiom in Idiom.allCases where counts[idiom] > limit {
            // The newest first, without the archives that are kept beyond `limit`.
            var count = 0
            var left = entries.indices.reversed().filter { index in
                guard entries[index].idiom == idiom else { return false }
                count += 1
                return count <= limit || !stays(entries[index])
            }
            while left.count > limit, let place = leastWorth(of: left, below: (limit + 1) / 2, besides: stays) {
                dropped.append(left.remove(at: place))
            }
        }
        return dropped.sorted(by: >).map { entries[$0] }
    }

    /// Returns the index in `left` of the archive that is worth least, not counting the newest ones. If several are
    /// worth least, returns the oldest.
    private func leastWorth(of left: [Int], below newest: Int, besides stays: (Entry) -> Bool) -> Int? {
        func time(_ place: Int) -> Timestamp { entries[left[place]].position.capturedAt }
        var least: (place: Int, worth: Double)?
        for place in left.indices.dropFirst(max(newest, 1)) where !stays(entries[left[place]]) {
            let worth = Retention.worth(
                of: time(place), newer: time(place - 1), older: place + 1 < left.count ? time(place + 1) : nil,
                head: time(0))
            if worth <= least?.worth ?? .infinity { least = (place, worth) }
        }
        return least?.place
    }

    /// - Parameter device: the user's state of the device that made the capture.
    func orderState(
        of new: NewArchive, by device: UserState.DeviceState, forgotten: CaptureOrder.Forgotten?,
        prunedThrough: Revision
    ) -> SceneOrderState {
        var state = SceneOrderState(
            head: head?.capturedAt, forgotten: forgotten, prunedThrough: prunedThrough, joined: device.joined)
        guard new.sequence != nil else { return state }
        for index in entries.indices
        where entries[index].device == new.device && entries[index].position.revision > device.countsSince {
            state.note(own: entries[index].position, isViewOnly: entries[index].isViewOnly, for: new)
        }
        return state
    }
}
