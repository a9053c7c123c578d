/// The part of a scene's data that rules read.
///
/// Unchecked: one rule at a time uses it, together with the scene's user.
package final class SceneState: @unchecked Sendable {
    package let key: SceneKey
    /// Whether the scene is stored.
    package var exists = false
    package var forgotten: CaptureOrder.Forgotten?
    package var history = History()
    package var tombstones = Tombstones()
    /// The store's own number for the scene's row.
    package var row: Int64 = 0

    // Everything below is loaded for one rule and dropped afterward.

    /// Nil for an archive that isn't stored.
    package var details: [ArchiveID: ArchiveDetails?] = [:]
    package var deletions: [ArchiveID: Deletion]?

    /// A deletion that can still be undone.
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

/// A scene's deleted archives, as far as they are loaded.
package struct Tombstones: Sendable {
    /// Maximum number of tombstones that are loaded along with a scene. If the scene has more, each rule loads those it
    /// needs.
    package static let loadedAtOnce = 64

    /// When each archive was deleted. Nil for one that wasn't.
    package private(set) var times: [ArchiveID: Timestamp?] = [:]
    /// Whether archives missing from `times` are known not to be deleted.
    package private(set) var isComplete = false

    package init() {}

    /// - Parameter times: all tombstones of a scene.
    package init(_ times: [ArchiveID: Timestamp]) {
        self.times = times.mapValues { $0 }
        isComplete = true
    }

    package func knows(_ id: ArchiveID) -> Bool { isComplete || times[id] != nil }

    /// When an archive was deleted, or nil if it wasn't.
    package subscript(id: ArchiveID) -> Timestamp? { times[id] ?? nil }

    /// Records when an archive was deleted. Nil if it wasn't.
    package mutating func note(_ id: ArchiveID, _ time: Timestamp?) {
        times[id] = isComplete && time == nil ? nil : .some(time)
    }

    /// Drops the times if there are too many to keep for the next rule.
    fileprivate mutating func limit() {
        if times.count > Self.loadedAtOnce { self = Tombstones() }
    }
}

/// An archive with everything that belongs to it except its bytes.
package struct ArchiveDetails: Sendable {
    package var archive: Archive
    /// The oldest first.
    package var outcomes: [Outcome]
    /// When each device was first served the archive.
    package var served: [DeviceID: Timestamp]
    /// The store's own number for the first outcome.
    package var firstOutcome: Int64 = 0

    package init(archive: Archive, outcomes: [Outcome], served: [DeviceID: Timestamp]) {
        self.archive = archive
        self.outcomes = outcomes
        self.served = served
    }
}
