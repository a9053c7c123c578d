/// A scene's archives, with the facts that decide where a new capture is inserted and which archives the scene keeps.
package struct History: Sendable {
    package struct Entry: Sendable, Hashable {
        package var id: ArchiveID
        package var device: DeviceID
        package var position: Archive.Position
        package var receivedAt: Timestamp
        /// The bytes of the archive, and of its screenshot.
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
        /// The store's own number of the archive's row.
        package var row: Int64 = 0
        /// Whether the archive's device needs the archive (`Retention.Needs`).
        package fileprivate(set) var isNeeded = false
        /// The number of devices that were served this archive of the scene last.
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

        /// As `Archive.stateTime`, with the time of receipt for a view below all work.
        var stateTime: Timestamp { position.capturedAt == .belowAllWork ? receivedAt : position.capturedAt }

        package var usage: Usage { Usage(bytes: size + screenshotSize, archives: 1) }
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

    /// Returns the archives that the scene drops, the newest first. Of each idiom, the scene keeps `limit` archives: the
    /// newest half of this number, and of the others those of the greatest worth (`Retention.worth`). It also keeps
    ///
    /// - the archives that each registered device needs (`Retention.Needs`). The needs of a revoked device do not count,
    ///   because otherwise the scene would grow with each revoked device;
    /// - the archives that one of the user's devices was served last: the policy may refuse newer archives to this device;
    /// - the new archive. It stays until the next upload, regardless of its age, because its upload is about to be
    ///   acknowledged.
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
            // The newest first. Archives that stay in addition to `limit` are left out.
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

    /// Returns the place in `left` of the archive that is worth least, below the newest ones: of equal ones, the oldest.
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

    /// - Parameter device: what the user's state says of the capture's device.
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
