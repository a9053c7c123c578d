/// A user interface idiom. The raw value is the number that archives store under the key
/// `UIApplicationStateRestorationUserInterfaceIdiom`.
package enum Idiom: Int, Sendable, Hashable, CaseIterable {
    case unspecified = -1
    case phone = 0
    case pad = 1
    case tv = 2
    case carPlay = 3
    case watch = 4
    case mac = 5
    case vision = 6

    package static let least = unspecified.rawValue
    package static let greatest = vision.rawValue

    /// The idiom's name on the wire, such as `pad` in `?idiom=pad`.
    package var name: String {
        switch self {
        case .unspecified: "unspecified"
        case .phone: "phone"
        case .pad: "pad"
        case .tv: "tv"
        case .carPlay: "carPlay"
        case .watch: "watch"
        case .mac: "mac"
        case .vision: "vision"
        }
    }

    package init?(name: some StringProtocol) {
        guard let idiom = Idiom.allCases.first(where: { $0.name == name }) else { return nil }
        self = idiom
    }
}

/// The layout of a screen: its horizontal size class. Two iPads may have different layouts.
package enum Layout: UInt8, Sendable, Hashable, CaseIterable {
    case compact
    case regular

    package var name: String { self == .compact ? "compact" : "regular" }

    package init?(name: some StringProtocol) {
        guard let layout = Layout.allCases.first(where: { $0.name == name }) else { return nil }
        self = layout
    }
}

/// The idiom, layout and versions of a device. An archive has the context of the device that captured it.
package struct Context: Sendable, Hashable {
    package var idiom: Idiom
    package var layout: Layout?
    package var bundleVersion: String?
    package var systemVersion: String?
    /// The app's own version number for its interface.
    package var stateVersion: Int64?
    /// Whether the device restores only places, because it asks for them as JSON.
    package var takesPlacesOnly = false

    package init(
        idiom: Idiom, layout: Layout? = nil, bundleVersion: String? = nil, systemVersion: String? = nil,
        stateVersion: Int64? = nil
    ) {
        self.idiom = idiom
        self.layout = layout
        self.bundleVersion = bundleVersion
        self.systemVersion = systemVersion
        self.stateVersion = stateVersion
    }
}

extension Context {
    /// Fills in the device's last known versions, unless a bundle version or a state version was sent. A system version
    /// that was sent isn't replaced.
    package mutating func complete(by last: Context?) {
        guard let last, bundleVersion == nil, stateVersion == nil else { return }
        bundleVersion = last.bundleVersion
        stateVersion = last.stateVersion
        systemVersion = systemVersion ?? last.systemVersion
    }
}

/// How much of an archive may be restored.
package enum Fidelity: UInt8, Sendable, Hashable, Comparable {
    case place
    case full
    package static func < (left: Fidelity, right: Fidelity) -> Bool { left.rawValue < right.rawValue }
}
