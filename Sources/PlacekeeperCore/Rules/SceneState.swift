/// The part of a scene's data that rules read.
///
/// Unchecked: one rule at a time uses it, with its user.
package final class SceneState: @unchecked Sendable {
    package let key: SceneKey
    /// Whether the scene is stored.
    package var exists = false
    package var forgotten: CaptureOrder.Forgotten?
    package var history = History()
    package var tombstones = Tombstones()
    /// The store's own number of the scene's row.
    package var row: Int64 = 0

    // Everything below is loaded for one rule and dropped afterward.

    /// Nil for an archive that is not stored.
    package var details: [ArchiveID: ArchiveDetails?] = [:]
    package var deletions: [ArchiveID: Deletion]?

    /// An archive that was deleted, and whose deletion can be undone.
    package struct Deletion: Sendable {
        package var entry: History.Entry
        package var at: Timestamp

        package init(entry: History.Entry, at: Timestamp) {
            self.entry = entry
            self.at = at
        }
    }

    package init(_ key: SceneKey) { self.key = key }

    func endRule() {
        tombstones.limit()
        details = [:]
        deletions = nil
    }
}

/// The deleted archives of a scene, as far as they are loaded.
package struct Tombstones: Sendable {
    /// The maximum number of a scene's tombstones that are loaded with the scene. Of a scene with more, each rule loads
    /// those that it needs.
    package static let loadedAtOnce = 64

    /// The times of the deletions. Nil for an archive that was not deleted.
    package private(set) var times: [ArchiveID: Timestamp?] = [:]
    /// Whether an archive that `times` does not have was not deleted.
    package private(set) var isComplete = false

    package init() {}

    /// - Parameter times: all tombstones of a scene.
    package init(_ times: [ArchiveID: Timestamp]) {
        self.times = times.mapValues { $0 }
        isComplete = true
    }

    package func knows(_ id: ArchiveID) -> Bool { isComplete || times[id] != nil }

    /// The time of the deletion of an archive. Nil if it was not deleted.
    package subscript(id: ArchiveID) -> Timestamp? { times[id] ?? nil }

    /// Notes the time of the deletion of an archive. Nil if it was not deleted.
    package mutating func note(_ id: ArchiveID, _ time: Timestamp?) {
        times[id] = isComplete && time == nil ? nil : .some(time)
    }

    /// Forgets the times if they are too many to be kept for the next rule.
    fileprivate mutating func limit() {
        if times.count > Self.loadedAtOnce { self = Tombstones() }
    }
}

/// An archive with all that belongs to it except its bytes.
package struct ArchiveDetails: Sendable {
    package var archive: Archive
    /// The oldest first.
    package var outcomes: [Outcome]
    /// The time at which each device was first served the archive.
    package var served: [DeviceID: Timestamp]
    /// The store's own number of the first outcome.
    package var firstOutcome: Int64 = 0

    package init(archive: Archive, outcomes: [Outcome], served: [DeviceID: Timestamp]) {
        self.archive = archive
        self.outcomes = outcomes
        self.served = served
    }
}
