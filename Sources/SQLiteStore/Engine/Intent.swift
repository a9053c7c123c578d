import RestorationService

/// A write that waits for its turn.
struct Intent: Sendable {
    /// The answer to a write, for use after the commit.
    struct Answer: Sendable {
        let effects: Effects
        /// Resumes the caller. The effects of the whole group must be applied first.
        let resume: @Sendable () -> Void
    }

    /// The number of bytes that are held while the write waits.
    let weight: Int
    /// The approximate number of rows that the write changes, if this number can be very large. 0 for a short write.
    let rows: Int
    /// The time after which the write is refused.
    let deadline: ContinuousClock.Instant
    /// Performs the write. It may be called again after a rollback.
    let perform: @Sendable (Transaction) throws(StoreError) -> Answer
    /// Resumes the caller with an error.
    let refuse: @Sendable (StoreError) -> Void
}
