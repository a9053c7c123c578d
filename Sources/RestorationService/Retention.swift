/// Which archives a scene keeps: the newest of each idiom, and besides those what each device could be served, so that a
/// busy device never takes a quiet one's only archive (design, "Retention").
package enum Retention {
    package struct Entry: Sendable, Hashable {
        package var id: ArchiveID
        package var device: DeviceID
        package var idiom: Idiom
        package var position: Archive.Position
        package var hasPlace: Bool
        /// Whether no outcome stands against it.
        package var isServable: Bool

        package init(
            id: ArchiveID, device: DeviceID, idiom: Idiom, position: Archive.Position, hasPlace: Bool, isServable: Bool
        ) {
            self.id = id
            self.device = device
            self.idiom = idiom
            self.position = position
            self.hasPlace = hasPlace
            self.isServable = isServable
        }

        package init(_ archive: Archive, isServable: Bool) {
            self.init(
                id: archive.id, device: archive.device, idiom: archive.context.idiom, position: archive.position,
                hasPlace: archive.summary.hasPlace, isServable: isServable)
        }
    }

    /// Lifetimes of what the store drops by itself.
    package static let tombstones = Duration.seconds(30 * 86_400)
    package static let changes = Duration.seconds(30 * 86_400)
    package static let counters = Duration.seconds(90 * 86_400)
    /// Outcomes kept for one archive, the newest.
    package static let outcomes = 100

    /// The entries of a scene to drop: those beyond the newest `limit` of their idiom, save
    ///
    /// - each device's head, its newest that could be served to it, and its newest with a place, which is all that a
    ///   device of another layout could be served;
    /// - what some device was served last: newer ones it may have to refuse.
    ///
    /// - Parameter mustStay: whether a device of the user was served this archive, and no other of the scene since;
    ///   or whether it is to stay for another reason.
    package static func surplus<Failure: Error>(
        of scene: [Entry], keeping limit: Int, mustStay: (Entry) throws(Failure) -> Bool
    ) throws(Failure) -> [ArchiveID] {
        var counts: [Idiom: Int] = [:]
        var heads: Set<DeviceID> = []
        var servable: Set<DeviceID> = []
        var places: Set<DeviceID> = []
        var surplus: [ArchiveID] = []
        for entry in scene.sorted(by: { $0.position > $1.position }) {
            counts[entry.idiom, default: 0] += 1
            let isHead = heads.insert(entry.device).inserted
            let isServable = entry.isServable && servable.insert(entry.device).inserted
            let isPlace = entry.isServable && entry.hasPlace && places.insert(entry.device).inserted
            guard counts[entry.idiom, default: 0] > limit, !isHead, !isServable, !isPlace else { continue }
            if try !mustStay(entry) { surplus.append(entry.id) }
        }
        return surplus
    }
}
