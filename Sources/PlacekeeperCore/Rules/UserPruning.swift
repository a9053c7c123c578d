/// Decides what pruning drops for a user once expired tombstones and deletions are gone.
package struct UserPruning: Sendable {
    /// Changes up to this revision are dropped. Nil if none are.
    package private(set) var droppedThrough: Revision?
    /// The names of the scenes to drop.
    package private(set) var scenes: [String] = []
    /// The user's new `UserState.prunedThrough`.
    package private(set) var prunedThrough: Revision

    /// A scene without archives, tombstones or deletions that can be undone.
    package struct EmptyScene: Sendable {
        package var name: String
        package var forgotten: CaptureOrder.Forgotten?

        package init(name: String, forgotten: CaptureOrder.Forgotten?) {
            self.name = name
            self.forgotten = forgotten
        }
    }

    /// - Parameters:
    ///   - changes: the revisions and times of the user's changes, the oldest first.
    ///   - emptyScenes: the user's empty scenes.
    package init(
        of changes: [(revision: Revision, at: Timestamp)], _ emptyScenes: [EmptyScene], prunedThrough: Revision,
        at time: Timestamp
    ) {
        let bound = time - Retention.changes
        let dropped = changes.prefix { $0.at < bound }
        droppedThrough = dropped.last?.revision
        self.prunedThrough = dropped.last?.revision ?? prunedThrough
        let kept = Set(changes.dropFirst(dropped.count).map(\.revision))
        for scene in emptyScenes {
            // The change that forgot the scene may have been dropped early (`RowChange.dropChanges`).
            if let forgotten = scene.forgotten {
                guard !kept.contains(forgotten.revision), forgotten.at < bound else { continue }
                self.prunedThrough = max(self.prunedThrough, forgotten.revision)
            }
            scenes.append(scene.name)
        }
    }

    /// Returns whether to drop a user. No device can reach an anonymous user without devices and link codes.
    package static func isUnreachable(
        isAnonymous: Bool, latestTime: Timestamp?, createdAt: Timestamp, hasDevices: Bool, hasLinkCodes: Bool,
        at time: Timestamp
    ) -> Bool {
        isAnonymous && max(latestTime ?? createdAt, createdAt) < time - Retention.usersWithoutDevices && !hasDevices
            && !hasLinkCodes
    }
}
