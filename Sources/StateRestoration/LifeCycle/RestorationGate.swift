import KeyedArchive

/// What an app asks of saved state before it takes it back: to be used in `shouldRestoreApplicationState(_:)`, or by one
/// object for itself in its own decoding (seed rows 60 to 62, 68).
public struct RestorationGate: Sendable, Hashable {
    /// The oldest bundle version whose state is understood; a missing one counts as 0.
    public var minimumBundleVersion: String?
    /// The only idiom whose state fits.
    public var idiom: UserInterfaceIdiom?
    /// The oldest system version whose state is understood.
    public var minimumSystemVersion: String?
    /// How old state may be, in seconds.
    public var maximumAge: Double?

    /// Makes a gate; what is nil lets everything pass.
    public init(
        minimumBundleVersion: String? = nil, idiom: UserInterfaceIdiom? = nil, minimumSystemVersion: String? = nil,
        maximumAge: Double? = nil
    ) {
        self.minimumBundleVersion = minimumBundleVersion
        self.idiom = idiom
        self.minimumSystemVersion = minimumSystemVersion
        self.maximumAge = maximumAge
    }

    /// Why state does not pass.
    public enum Refusal: Sendable, Hashable {
        /// An older version of the app saved it.
        case bundleVersion(saved: String?, minimum: String)
        /// It was saved on another idiom, or on none that it tells.
        case idiom(saved: UserInterfaceIdiom?, current: UserInterfaceIdiom)
        /// An older system saved it.
        case systemVersion(saved: String?, minimum: String)
        /// It was saved too long ago, in seconds, or does not tell when.
        case age(seconds: Double?, maximum: Double)
    }

    /// The first thing that is wrong with the state that a coder reads; nil lets it pass.
    /// - Parameters:
    ///   - coder: any coder of the archive: all of them tell who saved it.
    ///   - now: the time, in seconds since the start of 2001, UTC.
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
            // State from the future tells of a clock that was set back: it is not old.
            if age.map({ $0 > maximumAge }) ?? true { return .age(seconds: age, maximum: maximumAge) }
        }
        return nil
    }
}
