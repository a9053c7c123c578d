/// A reason against serving a candidate in full: a stable code and the two compared values.
package struct Reason: Sendable, Hashable {
    /// The code, such as `bundle-version-newer`.
    package var code: String
    /// The archive's value.
    package var archive: String?
    /// The requesting device's value, or the value that the policy requires.
    package var required: String?
    /// The fidelity that the reason excludes: `full` excludes only the full state, and `place` excludes the whole
    /// archive.
    package var blocks: Fidelity
    /// The details of the failed restore, if the archive is quarantined.
    package var details: Outcome.Details

    package init(
        code: String, archive: String? = nil, required: String? = nil, blocks: Fidelity,
        details: Outcome.Details = Outcome.Details()
    ) {
        self.code = code
        self.archive = archive
        self.required = required
        self.blocks = blocks
        self.details = details
    }
}
