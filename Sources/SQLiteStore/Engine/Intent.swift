import RestorationService

/// A write that waits for its turn.
struct Intent: Sendable {
    /// Bytes that are held while it waits.
    let weight: Int
    /// About how many rows it writes, where that may be very many; 0 for what takes no time to speak of.
    let rows: Int
    /// When waiting is no longer worth it.
    let deadline: ContinuousClock.Instant
    /// Carries the write out. It may be called again after a rollback. What it returns resumes the caller, and is to be
    /// called once the commit has returned.
    let perform: @Sendable (Transaction) throws(StoreError) -> (@Sendable () -> Void)
    /// Called once the commit has returned, before any caller is resumed.
    let committed: @Sendable () -> Void
    /// Resumes the caller with an error.
    let refuse: @Sendable (StoreError) -> Void
}
