/// What an archive says of itself, read in one bounded pass.
public struct ArchiveSummary: Sendable, Hashable {
    public init() {}
}
