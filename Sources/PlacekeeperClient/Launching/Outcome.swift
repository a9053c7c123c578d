/// The outcome of a restore, which the app reports.
public struct Outcome: Sendable, Hashable {
    /// The result of a restore.
    public enum Result: String, Sendable, Hashable {
        /// The state was restored.
        case restored
        /// The state could not be restored. The service then serves an earlier state.
        case failed
        /// The person discarded the state.
        case abandoned
    }

    /// The result.
    public var result: Result
    /// The restoration path of the object that failed.
    public var path: String?
    /// The index of the step of the place that failed, or that was reached.
    public var step: Int?
    /// The seconds that restoring took.
    public var duration: Double?

    /// Creates an outcome.
    public init(_ result: Result, path: String? = nil, step: Int? = nil, duration: Double? = nil) {
        self.result = result
        self.path = path
        self.step = step
        self.duration = duration
    }

    /// The state was restored.
    public static let restored = Outcome(.restored)
    /// The state could not be restored.
    public static let failed = Outcome(.failed)
    /// The person discarded the state.
    public static let abandoned = Outcome(.abandoned)
}
