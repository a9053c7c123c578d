import PlacekeeperArchive

/// The requirements that an app has for saved state. Use a gate in `shouldRestoreApplicationState(_:)`, or when a
/// single object decodes its state (seed rows 60 to 62, 68).
public struct RestorationGate: Sendable, Hashable {
    /// The oldest bundle version whose state is accepted. A missing version is treated as 0.
    public var minimumBundleVersion: String?
    /// The idiom of the device that the state must have been saved on.
    public var idiom: UserInterfaceIdiom?
    /// The oldest system version whose state is accepted.
    public var minimumSystemVersion: String?
    /// The maximum age of the state, in seconds.
    public var maximumAge: Double?

    /// Creates a gate. A requirement that is nil is not checked.
    public init(
        minimumBundleVersion: String? = nil, idiom: UserInterfaceIdiom? = nil, minimumSystemVersion: String? = nil,
        maximumAge: Double? = nil
    ) {
        self.minimumBundleVersion = minimumBundleVersion
        self.idiom = idiom
        self.minimumSystemVersion = minimumSystemVersion
        self.maximumAge = maximumAge
    }

    /// The reason why state is refused.
    public enum Refusal: Sendable, Hashable {
        /// The state was saved by a bundle version below the minimum.
        case bundleVersion(saved: String?, minimum: String)
        /// The state was saved on a device with another idiom, or has no idiom.
        case idiom(saved: UserInterfaceIdiom?, current: UserInterfaceIdiom)
        /// The state was saved on a system version below the minimum.
        case systemVersion(saved: String?, minimum: String)
        /// The state is too old, or has no timestamp. The age and the maximum are in seconds.
        case age(seconds: Double?, maximum: Double)
    }

    /// Returns the reason why the state is refused: the first requirement that it does not meet. Nil if the state meets
    /// all requirements.
    /// - Parameters:
    ///   - coder: Any coder of the archive. All coders of an archive give the same context.
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
            // A timestamp in the future means that the clock was set back. The age is negative, so the state is
            // accepted.
            if age.map({ $0 > maximumAge }) ?? true { return .age(seconds: age, maximum: maximumAge) }
        }
        return nil
    }
}
