/// An app's compatibility rules (design, "Compatibility policy"). Versions compare as dotted numbers.
package struct CompatibilityPolicy: Sendable, Hashable, Codable {
    package enum StateVersionRule: String, Sendable, Codable {
        case exact, atMost, any
    }

    /// Idioms whose full state a target idiom accepts, by name; a target that is not named accepts its own only.
    package var acceptedIdioms: [String: [String]] = [:]
    package var allowsPlace = true
    package var stateVersions = StateVersionRule.atMost
    package var allowsNewerBundleVersion = false
    package var minimumBundleVersion: String?
    package var allowsNewerSystemVersion = false
    /// By `capturedAt`; nil for no bound.
    package var maximumAgeDays: Int? = 30

    package init() {}

    enum CodingKeys: CodingKey {
        case acceptedIdioms, allowsPlace, stateVersions, allowsNewerBundleVersion, minimumBundleVersion,
            allowsNewerSystemVersion, maximumAgeDays
    }
}
