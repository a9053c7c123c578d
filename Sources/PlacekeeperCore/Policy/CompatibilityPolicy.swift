/// An app's compatibility rules (docs/policy.md). Bundle versions and system versions are compared as dotted numbers.
package struct CompatibilityPolicy: Sendable, Hashable, Codable {
    package enum StateVersionRule: String, Sendable, Codable {
        case exact, atMost, any
    }

    /// Maps a device's idiom to the other idioms whose full state the device may restore, by name. A device whose idiom
    /// isn't listed restores the full state of its own idiom only.
    package var acceptedIdioms: [String: [String]] = [:]
    package var allowsPlace = true
    package var stateVersions = StateVersionRule.atMost
    /// Whether an older version of the app may restore the full state of a newer one. If not, it may still restore the
    /// place.
    package var allowsNewerBundleVersion = false
    package var minimumBundleVersion: String?
    /// Whether an older major system version may restore the full state of a newer one. If not, it may still restore
    /// the place.
    package var allowsNewerSystemVersion = false
    /// The maximum age of an archive, measured from `Archive.stateTime`. Nil means no maximum.
    package var maximumAge: TimeSpan? = .days(30)

    package init() {}

    enum CodingKeys: CodingKey {
        case acceptedIdioms, allowsPlace, stateVersions, allowsNewerBundleVersion, minimumBundleVersion,
            allowsNewerSystemVersion, maximumAge
        /// The name of the maximum age in 0.1.0.
        case maximumAgeDays
    }
}
