/// A reason against restoring a candidate automatically and in full: a stable code and the two compared values.
package struct Reason: Sendable, Hashable {
    /// What a reason excludes.
    package enum Block: Sendable, Hashable {
        /// Only restoring without asking. The archive is served, and the app offers it to the person.
        case automatic
        /// The full state. The place may be restored.
        case full
        /// The whole archive.
        case place
    }

    /// The code, such as `bundle-version-newer`.
    package var code: String
    /// The archive's value.
    package var archive: String?
    /// The requesting device's value, or the value that the policy requires.
    package var required: String?
    package var blocks: Block
    /// The details of the failed restore, if the archive is quarantined or crashed elsewhere.
    package var details: Outcome.Details

    package init(
        code: String, archive: String? = nil, required: String? = nil, blocks: Block,
        details: Outcome.Details = Outcome.Details()
    ) {
        self.code = code
        self.archive = archive
        self.required = required
        self.blocks = blocks
        self.details = details
    }
}
