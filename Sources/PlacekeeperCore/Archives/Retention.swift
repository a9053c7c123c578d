/// The archives that a scene keeps: `App.Settings.retainedArchives` (20 by default) of each idiom, thinned by time, and
/// those that each device needs. Even many uploads in a row therefore push out neither earlier places nor another
/// device's only archive (docs/decisions/0045-what-retention-keeps.md). `History.prunable` applies these rules.
package enum Retention {
    /// How long the store remembers deleted archives and removed items, and how long an administrator's deletion of an
    /// archive can be undone.
    package static let tombstones = Duration.seconds(30 * 86_400)
    /// Maximum number of deleted archives of a scene that can be restored. One more makes the oldest deletion final, so
    /// forgetting a scene deletes a bounded number of rows in one transaction.
    package static let deletedArchives = 100
    /// How long entries of the change log (`Change`) are kept.
    package static let changes = Duration.seconds(30 * 86_400)
    /// How long an anonymous user without devices is kept after the last write.
    package static let usersWithoutDevices = Duration.seconds(30 * 86_400)
    /// How long hourly counters are kept.
    package static let counters = Duration.seconds(90 * 86_400)
    /// How long entries of the audit log are kept.
    package static let audit = Duration.seconds(400 * 86_400)
    /// How long entries of the restore log are kept.
    package static let restoreLog = Duration.seconds(30 * 86_400)
    /// Maximum number of entries of one kind in an app's restore log. The newest are kept.
    package static let restoreLogEntries = 10_000
    /// Maximum number of outcomes stored for an archive. The newest are kept.
    package static let outcomes = 100

    /// Returns whether a deletion at `deletion` can still be undone at `time`.
    package static func isUndoable(_ deletion: Timestamp, at time: Timestamp) -> Bool { time - tombstones <= deletion }

    /// Returns how much an archive is worth in a history that exceeds its limit: the gap that it would leave, relative
    /// to its age. So newer archives may be closer together than older ones.
    ///
    /// The gap to the newer neighbor counts most: the last place before a pause is worth more than the first one after
    /// it. The oldest archive counts as if it had an older neighbor, a quarter of its age away. So a long session keeps
    /// early places, but last month's places go before yesterday's.
    ///
    /// - Parameters:
    ///   - time: the archive's `capturedAt`.
    ///   - newer: the `capturedAt` of the next newer archive.
    ///   - older: the `capturedAt` of the next older archive, if any.
    ///   - head: the `capturedAt` of the newest archive.
    package static func worth(
        of time: Timestamp, newer: Timestamp, older: Timestamp?, head: Timestamp
    ) -> Double {
        // A view-only capture below all work has no time.
        if time == .belowAllWork { return 0 }
        func seconds(_ from: Timestamp, _ to: Timestamp) -> Double {
            (Double(to.milliseconds) - Double(from.milliseconds)) / 1000
        }
        let (age, toNewer) = (seconds(time, head), seconds(time, newer))
        let toOlder = if let older, older != .belowAllWork { seconds(older, time) } else { age / 4 }
        // Archives of the last few minutes count as about equally old.
        return (toNewer + min(toOlder / 4, 4 * toNewer)) / (age + 300)
    }

    /// Tracks which archives of a scene a device needs: its newest, its newest servable one, and its newest servable
    /// one with a place. The last is needed because a device with another layout can be served only a place.
    package struct Needs: Sendable {
        private var hasHead = false
        private var hasServable = false
        private var hasPlace = false

        package init() {}

        /// Returns whether the device needs this archive, and remembers it for the next calls. Call it for each archive
        /// of the device, the newest first.
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
