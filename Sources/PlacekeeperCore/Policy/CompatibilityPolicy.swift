/// An app's compatibility rules (docs/policy.md). Bundle versions and system versions are compared as dotted numbers.
package struct CompatibilityPolicy: Sendable, Hashable, Codable {
    package enum StateVersionRule: String, Sendable, Codable {
        case exact, atMost, any
    }

    /// Maps the name of a device's idiom to the names of the other idioms whose full state the device may restore. A
    /// device whose idiom is not a key of this dictionary may restore the full state of the same idiom only.
    package var acceptedIdioms: [String: [String]] = [:]
    package var allowsPlace = true
    package var stateVersions = StateVersionRule.atMost
    /// Whether an older version of the app may restore the full state of a newer one. It gets the place in any case.
    package var allowsNewerBundleVersion = false
    package var minimumBundleVersion: String?
    /// Whether an older major system version may restore the full state of a newer one. It gets the place in any case.
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
