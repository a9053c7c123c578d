import RestorationService

/// A write that waits for its turn.
struct Intent: Sendable {
    /// The bytes that are held while the write waits.
    let weight: Int
    /// The approximate number of rows that the write changes, if there can be very many. 0 for a short write.
    let rows: Int
    /// The time after which the write is refused instead of performed.
    let deadline: ContinuousClock.Instant
    /// Performs the write. It may be called again after a rollback. It returns a closure that resumes the caller, to
    /// be called after the commit.
    let perform: @Sendable (Transaction) throws(StoreError) -> (@Sendable () -> Void)
    /// Called after the commit, before any caller is resumed.
    let committed: @Sendable () -> Void
    /// Resumes the caller with an error.
    let refuse: @Sendable (StoreError) -> Void
}
