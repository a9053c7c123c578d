/// The outcome of a restore, reported by the app.
public struct Outcome: Sendable, Equatable {
    /// The result of a restore.
    public enum Result: String, Sendable, Hashable {
        /// The state was restored.
        case restored
        /// The state could not be restored. The service then serves an earlier state.
        case failed
        /// The user discarded the state.
        case abandoned
    }

    /// The result.
    public var result: Result
    /// The restoration path of the object that failed.
    public var path: String?
    /// The index of the place's first step that was not reached, or the number of steps if all were reached.
    public var step: Int?
    /// The duration of the restore, in seconds.
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
    /// The user discarded the state.
    public static let abandoned = Outcome(.abandoned)
}
