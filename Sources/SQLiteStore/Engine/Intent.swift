import RestorationService

/// A write that waits for its turn.
struct Intent: Sendable {
    /// The answer to a write, for use after the commit.
    struct Answer: Sendable {
        let effects: Effects
        /// Resumes the caller. The writer must apply the effects of the whole group before it resumes a caller.
        let resume: @Sendable () -> Void
    }

    /// The number of bytes that the write holds in memory until it is answered.
    let weight: Int
    /// The approximate number of rows that the write changes, if this number can be very large. 0 for a short write.
    let rows: Int
    /// The write is refused if the writer has not begun it at this time.
    let deadline: ContinuousClock.Instant
    /// Performs the write. The writer may call this function again after a rollback.
    let perform: @Sendable (Transaction) throws(StoreError) -> Answer
    /// Resumes the caller with an error.
    let refuse: @Sendable (StoreError) -> Void
}
