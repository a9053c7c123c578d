/// The rules for the archives that a scene keeps: `App.Settings.retainedArchives` (20 by default) of each idiom, thinned by
/// time, and the archives that each device needs. So many uploads displace neither the places from before, nor the only
/// archive of another device (docs/decisions/0045-what-retention-keeps.md). `History.prunable` applies the rules.
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

    /// Returns the worth of an archive in a history that has more archives than it may keep: the gap that it would leave, for
    /// its age. So archives may be the closer together the newer they are.
    ///
    /// The gap to the newer neighbor counts most: the last place before a pause is worth more than the first one after it.
    /// The oldest archive counts as if another one were older by a quarter of its age. So a long session keeps early places,
    /// but last month's places are dropped before yesterday's.
    ///
    /// - Parameters:
    ///   - time: the archive's `capturedAt`.
    ///   - newer: that of the next newer archive.
    ///   - older: that of the next older archive. Nil if there is none.
    ///   - head: that of the newest archive.
    package static func worth(
        of time: Timestamp, newer: Timestamp, older: Timestamp?, head: Timestamp
    ) -> Double {
        // A view below all work has no time.
        if time == .belowAllWork { return 0 }
        func seconds(_ from: Timestamp, _ to: Timestamp) -> Double {
            (Double(to.milliseconds) - Double(from.milliseconds)) / 1000
        }
        let (age, toNewer) = (seconds(time, head), seconds(time, newer))
        let toOlder = if let older, older != .belowAllWork { seconds(older, time) } else { age / 4 }
        // The archives of the last minutes count as about equally old.
        return (toNewer + min(toOlder / 4, 4 * toNewer)) / (age + 300)
    }

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

        package mutating func add(_ idiom: Idiom) { counts[idiom.rawValue - Idiom.least] += 1 }

        package subscript(idiom: Idiom) -> Int { counts[idiom.rawValue - Idiom.least] }
    }
}
