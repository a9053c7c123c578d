import PlacekeeperStandIns
package import PlacekeeperRuntime

/// An effect of a photo, which saves its own settings. The photo's screen and the inspector share one effect. An effect
/// exists only after a person has used it, so a restoration class recreates the effect at launch.
@MainActor
package final class Filter: StateRestoring, ObjectRestoration {
    package let name: String
    package var amount = 0.5
    package var isEnabled = true
    /// The object whose path begins the effect's restoration path. If two effects have the same identifier, different
    /// parents make their paths different.
    package weak var restorationParent: (any StateRestoring)?

    package init(_ name: String, in parent: (any StateRestoring)? = nil) {
        self.name = name
        restorationParent = parent
    }

    package var restorationIdentifier: String? { name }
    package var restorationClass: (any RestorationClass.Type)? { Filter.self }

    package static func object(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any StateRestoring)? {
        path.last.map { Filter($0) }
    }

    package func encodeRestorableState(with coder: StateEncoder) {
        coder.encode(amount, forKey: "amount")
        coder.encode(isEnabled, forKey: "isEnabled")
    }

    package func decodeRestorableState(with coder: StateDecoder) throws {
        amount = coder.decodeDouble(forKey: "amount")
        isEnabled = coder.decodeBool(forKey: "isEnabled")
    }
}
