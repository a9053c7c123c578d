/// The rules for the archives that a scene keeps: the newest `App.Settings.retainedArchives` (20 by default) of each
/// idiom, and the archives that each device needs. So a device with many uploads never displaces the only archive of
/// another device (docs/decisions/0045-what-retention-keeps.md). `History.surplus` applies the rules.
package enum Retention {
    /// The time for which the store remembers deleted archives and removed items, and for which the deletion of an archive
    /// by an administrator can be undone.
    package static let tombstones = Duration.seconds(30 * 86_400)
    /// The maximum number of a scene's deleted archives whose deletion can be undone. A further deletion ends the oldest.
    /// So forgetting a scene deletes a limited number of rows in one transaction.
    package static let deletedArchives = 100
    /// The time for which the store keeps the entries of the change log (`Change`).
    package static let changes = Duration.seconds(30 * 86_400)
    /// The time for which the store keeps an anonymous user without devices, from the user's last write on.
    package static let usersWithoutDevices = Duration.seconds(30 * 86_400)
    /// The time for which the store keeps hourly counters.
    package static let counters = Duration.seconds(90 * 86_400)
    /// The time for which entries of the audit log are kept.
    package static let audit = Duration.seconds(400 * 86_400)
    /// The time for which the entries of the restore log are kept.
    package static let restoreLog = Duration.seconds(30 * 86_400)
    /// The maximum number of entries of one kind that the restore log keeps for an app. The store keeps the newest.
    package static let restoreLogEntries = 10_000
    /// The maximum number of outcomes that the store keeps for one archive. The store keeps the newest outcomes.
    package static let outcomes = 100

    /// Returns whether the deletion of an archive at `deletion` can be undone at `time`.
    package static func isUndoable(_ deletion: Timestamp, at time: Timestamp) -> Bool { time - tombstones <= deletion }

    /// The archives that one device needs in a scene: the device's newest archive, its newest servable archive, and its
    /// newest servable archive with a place. The last of these is needed because a device of another layout can be
    /// served only a place.
    package struct Needs: Sendable {
        private var hasHead = false
        private var hasServable = false
        private var hasPlace = false

        package init() {}

        /// Returns whether the device needs its next archive, and notes the archive for the following calls. Call this
        /// method for each archive of the device, the newest first.
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

    /// Counts the archives of each idiom.
    package struct IdiomCounts: Sendable {
        private var counts = Array(repeating: 0, count: Idiom.greatest - Idiom.least + 1)

        package init() {}

        /// Counts another archive of an idiom, and returns the new count.
        package mutating func add(_ idiom: Idiom) -> Int {
            counts[idiom.rawValue - Idiom.least] += 1
            return counts[idiom.rawValue - Idiom.least]
        }
    }
}
