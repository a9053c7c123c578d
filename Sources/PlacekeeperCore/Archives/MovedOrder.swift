/// The `Archive.orderRevision` of the archives of one scene that move to another user, and get new revisions there. The
/// archives must come in the ascending order of their old `orderRevision` and their old revision. Then the new values
/// keep the order of the scene.
package struct MovedOrder: Sendable {
    private var last: (old: Revision, new: Revision)?

    package init() {}

    /// Returns the new `orderRevision` of the next archive.
    ///
    /// - Parameters:
    ///   - old: the old `orderRevision` of the archive.
    ///   - revision: the new revision of the archive.
    package mutating func next(_ old: Revision, movedTo revision: Revision) -> Revision {
        if let last, last.old == old { return last.new }
        last = (old, revision)
        return revision
    }
}
