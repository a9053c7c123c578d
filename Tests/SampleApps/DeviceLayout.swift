import KeyedArchive
import RestorationInterface
package import StateRestoration

/// How a device lays the sample apps' screens out.
package enum DeviceLayout: String, CaseIterable, Sendable {
    /// A phone: tabs.
    case tabs
    /// A pad: lists beside what they lead to.
    case split
    /// A pad that gives the app a narrow column: one of the two.
    case collapsed

    /// What such a device is and runs.
    package func context(bundleVersion: String) -> RestorationContext {
        RestorationContext(
            idiom: self == .tabs ? .phone : .pad, bundleVersion: bundleVersion, systemVersion: "17.4",
            layout: self == .split ? .regular : .compact)
    }
}
