package import Observation

/// Holds an `ObservationRegistrar` on the systems that have one, for types that also exist on older systems.
package struct ObservationBox: Sendable {
    private let stored: (any Sendable)?

    package init() {
        if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *) {
            stored = ObservationRegistrar()
        } else {
            stored = nil
        }
    }

    /// The registrar of the properties that SwiftUI observes.
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    package var registrar: ObservationRegistrar? { stored as? ObservationRegistrar }
}
