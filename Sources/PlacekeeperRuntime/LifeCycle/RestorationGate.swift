import PlacekeeperArchive

/// An app's requirements for saved state. Check them in `shouldRestoreApplicationState(_:)`, or when a single object
/// decodes its state (seed rows 60 to 62, 68).
public struct RestorationGate: Sendable, Equatable {
    /// The oldest bundle version whose state is accepted. A missing version counts as 0.
    public var minimumBundleVersion: String?
    /// The idiom of the device that must have saved the state.
    public var idiom: UserInterfaceIdiom?
    /// The oldest system version whose state is accepted.
    public var minimumSystemVersion: String?
    /// The maximum age of the state, in seconds.
    public var maximumAge: Double?

    /// Creates a gate. Requirements that are nil are not checked.
    public init(
        minimumBundleVersion: String? = nil, idiom: UserInterfaceIdiom? = nil, minimumSystemVersion: String? = nil,
        maximumAge: Double? = nil
    ) {
        self.minimumBundleVersion = minimumBundleVersion
        self.idiom = idiom
        self.minimumSystemVersion = minimumSystemVersion
        self.maximumAge = maximumAge
    }

    /// Why state is refused.
    public enum Refusal: Sendable, Equatable {
        /// The state was saved by a bundle version below the minimum.
        case bundleVersion(saved: String?, minimum: String)
        /// The state was saved on a device with another idiom, or its idiom is missing.
        case idiom(saved: UserInterfaceIdiom?, current: UserInterfaceIdiom)
        /// The state was saved on a system version below the minimum.
        case systemVersion(saved: String?, minimum: String)
        /// The state is too old, or its timestamp is missing. Both values are in seconds.
        case age(seconds: Double?, maximum: Double)
    }

    /// Returns the first requirement that the state does not meet. `nil` if it meets all of them.
    /// - Parameters:
    ///   - coder: Any coder of the archive; the reserved keys are the same in all of them.
    ///   - now: The time, in seconds since the start of 2001, UTC.
    @MainActor
    public func refusal(of coder: StateDecoder, now: Double) -> Refusal? {
        let archive = coder.context.archive
        if let minimum = minimumBundleVersion, DottedVersion(archive.bundleVersion) < DottedVersion(minimum) {
            return .bundleVersion(saved: archive.bundleVersion, minimum: minimum)
        }
        let saved = archive.idiom.map(UserInterfaceIdiom.init)
        if let idiom, saved != idiom { return .idiom(saved: saved, current: idiom) }
        if let minimum = minimumSystemVersion, DottedVersion(archive.systemVersion) < DottedVersion(minimum) {
            return .systemVersion(saved: archive.systemVersion, minimum: minimum)
        }
        if let maximumAge {
            let age = archive.timestamp.map { now - $0 }
            // A timestamp in the future means that the clock was set back. The age is then negative, and the state is
            // accepted.
            if age.map({ $0 > maximumAge }) ?? true { return .age(seconds: age, maximum: maximumAge) }
        }
        return nil
    }
}
