/// An app's compatibility rules (docs/policy.md). Versions are compared as dotted numbers.
package struct CompatibilityPolicy: Sendable, Hashable, Codable {
    package enum StateVersionRule: String, Sendable, Codable {
        case exact, atMost, any
    }

    /// Maps the name of a device's idiom to the names of the other idioms whose full state the device may restore. A
    /// device whose idiom is not listed may restore only the full state of its own idiom.
    package var acceptedIdioms: [String: [String]] = [:]
    package var allowsPlace = true
    package var stateVersions = StateVersionRule.atMost
    package var allowsNewerBundleVersion = false
    package var minimumBundleVersion: String?
    package var allowsNewerSystemVersion = false
    /// The maximum age of an archive, measured from `capturedAt`. Nil means no maximum.
    package var maximumAgeDays: Int? = 30

    package init() {}

    enum CodingKeys: CodingKey {
        case acceptedIdioms, allowsPlace, stateVersions, allowsNewerBundleVersion, minimumBundleVersion,
            allowsNewerSystemVersion, maximumAgeDays
    }
}
