extension Outcome {
    /// The details of a restore, for those who look for the cause of a failure. The service never compares them.
    package struct Details: Sendable, Hashable {
        /// The restoration path of the object whose restore failed: the restoration identifiers from the root, joined
        /// by `/`.
        package var path: String?
        /// The index of the place's first step that was not reached, or the number of steps if all were reached.
        package var step: Int?
        /// How long the restore took, in whole milliseconds.
        package var duration: Duration?

        package init(path: String? = nil, step: Int? = nil, duration: Duration? = nil) {
            self.path = path
            self.step = step
            self.duration = duration
        }
    }
}
