import RestorationService

/// A write that waits for its turn.
struct Intent: Sendable {
    /// The number of bytes that are held while the write waits.
    let weight: Int
    /// The approximate number of rows that the write changes, if this number can be very large. 0 for a short write.
    let rows: Int
    /// The time after which the write is refused.
    let deadline: ContinuousClock.Instant
    /// Performs the write. The writer may call it again after a rollback. It returns a closure that resumes the
    /// caller. The writer calls this closure after the commit.
    let perform: @Sendable (Transaction) throws(StoreError) -> (@Sendable () -> Void)
    /// Is called after the commit, before any caller is resumed.
    let committed: @Sendable () -> Void
    /// Resumes the caller with an error.
    let refuse: @Sendable (StoreError) -> Void
}
