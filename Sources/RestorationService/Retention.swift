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
        var counts = Array(repeating: 0, count: Idiom.greatest - Idiom.least + 1)
        // Whether an archive of the device was met that could be served, and one with a place.
        var devices: [DeviceID: (servable: Bool, place: Bool)] = [:]
        var surplus: [ArchiveID] = []
        for entry in scene.sorted(by: { $0.position > $1.position }) {
            counts[entry.idiom.rawValue - Idiom.least] += 1
            let met = devices[entry.device]
            let isServable = entry.isServable && met?.servable != true
            let isPlace = entry.isServable && entry.hasPlace && met?.place != true
            if met == nil || isServable || isPlace {
                devices[entry.device] = (met?.servable == true || isServable, met?.place == true || isPlace)
                continue
            }
            guard counts[entry.idiom.rawValue - Idiom.least] > limit else { continue }
            if try !mustStay(entry) { surplus.append(entry.id) }
        }
        return surplus
    }
}
