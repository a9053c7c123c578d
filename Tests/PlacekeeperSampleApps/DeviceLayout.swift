import PlacekeeperArchive
import PlacekeeperStandIns
package import PlacekeeperRuntime

/// The layout of the sample apps on a device.
package enum DeviceLayout: String, CaseIterable, Sendable {
    /// A phone with tabs.
    case tabs
    /// A pad with a list and its detail screen side by side.
    case split
    /// A pad whose split view shows only one column: the list or the detail screen.
    case collapsed

    /// Returns the context of a device with this layout.
    package func context(bundleVersion: String) -> RestorationContext {
        RestorationContext(
            idiom: self == .tabs ? .phone : .pad, bundleVersion: bundleVersion, systemVersion: "17.4",
            layout: self == .split ? .regular : .compact)
    }
}
