/// Assigns each archive of a scene a new `Archive.orderRevision` when the archives move to another user and get new
/// revisions there. Pass the archives in ascending order of the old `orderRevision`, then of the old revision; the new
/// values then keep the scene's order.
package struct MovedOrder: Sendable {
    private var last: (old: Revision, new: Revision)?

    package init() {}

    /// Returns the `orderRevision` of the next archive.
    ///
    /// - Parameters:
    ///   - old: the archive's old `orderRevision`.
    ///   - revision: the archive's new revision.
    package mutating func next(_ old: Revision, movedTo revision: Revision) -> Revision {
        if let last, last.old == old { return last.new }
        last = (old, revision)
        return revision
    }
}
