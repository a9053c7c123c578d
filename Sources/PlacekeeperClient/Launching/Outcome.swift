package import PlacekeeperModels

/// The outcome of a restore, reported by the app.
package struct Outcome: Sendable, Equatable {
    /// The result of a restore.
    package enum Result: String, Sendable, Hashable {
        /// The state was restored.
        case restored
        /// The state could not be restored. The service then serves an earlier state.
        case failed
        /// The user discarded the state.
        case abandoned
    }

    /// The result.
    package var result: Result
    /// The restoration path of the object that failed.
    package var path: String?
    /// The index of the place's first step that was not reached, or the number of steps if all were reached.
    package var step: Int?
    /// The duration of the restore, in seconds.
    package var duration: Double?

    /// Creates an outcome.
    package init(_ result: Result, path: String? = nil, step: Int? = nil, duration: Double? = nil) {
        self.result = result
        self.path = path
        self.step = step
        self.duration = duration
    }

    /// The state was restored.
    package static let restored = Outcome(.restored)
    /// The state could not be restored.
    package static let failed = Outcome(.failed)
    /// The user discarded the state.
    package static let abandoned = Outcome(.abandoned)
}

extension Outcome {
    /// Creates the outcome of restoring a place. A place that was partly reached counts as restored.
    package init(_ place: PlaceRestoration) {
        self.init(
            place.reached.isEmpty && place.stopped != nil ? .failed : .restored, step: place.reached.count)
    }
}
