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
    /// - what each registered device needs (`Needs`);
    /// - what some device was served last: newer ones it may have to refuse.
    ///
    /// - Parameters:
    ///   - isRegistered: whether a device is one of the user's. Of one that was revoked nothing more is kept, or else a
    ///     scene would grow with each.
    ///   - mustStay: whether a device of the user was served this archive, and no other of the scene since;
    ///     or whether it is to stay for another reason.
    package static func surplus<Failure: Error>(
        of scene: [Entry], keeping limit: Int, isRegistered: (DeviceID) throws(Failure) -> Bool,
        mustStay: (Entry) throws(Failure) -> Bool
    ) throws(Failure) -> [ArchiveID] {
        var counts = IdiomCounts()
        var needs: [DeviceID: Needs] = [:]
        var surplus: [ArchiveID] = []
        for entry in scene.sorted(by: { $0.position > $1.position }) {
            let rank = counts.add(entry.idiom)
            let isNeeded = needs[entry.device, default: Needs()]
                .take(isServable: entry.isServable, hasPlace: entry.hasPlace)
            guard rank > limit else { continue }
            if isNeeded, try isRegistered(entry.device) { continue }
            if try !mustStay(entry) { surplus.append(entry.id) }
        }
        return surplus
    }

    /// What one device needs of its archives in a scene: its head, its newest that could be served to it, and its newest
    /// with a place, which is all that a device of another layout could be served.
    package struct Needs: Sendable {
        private var hasHead = false
        private var hasServable = false
        private var hasPlace = false

        package init() {}

        /// Whether the device needs the next of its archives, from its head backwards.
        package mutating func take(isServable: Bool, hasPlace: Bool) -> Bool {
            let isNeeded = !hasHead || isServable && (!hasServable || hasPlace && !self.hasPlace)
            hasHead = true
            if isServable {
                hasServable = true
                self.hasPlace = self.hasPlace || hasPlace
            }
            return isNeeded
        }
    }

    /// How many archives of each idiom were met.
    package struct IdiomCounts: Sendable {
        private var counts = Array(repeating: 0, count: Idiom.greatest - Idiom.least + 1)

        package init() {}

        /// Counts one more, and returns how many that are.
        package mutating func add(_ idiom: Idiom) -> Int {
            counts[idiom.rawValue - Idiom.least] += 1
            return counts[idiom.rawValue - Idiom.least]
        }
    }
}
