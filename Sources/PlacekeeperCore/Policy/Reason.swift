/// Why a candidate can't be restored automatically and in full: a stable code and the two values compared.
package struct Reason: Sendable, Hashable {
    /// What the reason rules out.
    package enum Block: Sendable, Hashable {
        /// Restoring without asking. The archive is served, but the app only offers it to the user.
        case automatic
        /// Restoring the full state. The place may be restored.
        case full
        /// Restoring anything.
        case place
    }

    /// The code, such as `bundle-version-newer`.
    package var code: String
    /// The archive's value.
    package var archive: String?
    /// The requesting device's value, or the value that the policy requires.
    package var required: String?
    package var blocks: Block
    /// The details of the failed restore, for an archive that is quarantined or crashed elsewhere.
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
