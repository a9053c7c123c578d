/// A place in the app of the simulation, which shows books: a page of a book.
struct Spot: Sendable, Hashable {
    var book: Int
    var page: Int

    /// How far the page is in the book.
    var progress: Double { min(1, Double(page) / 5000) }
}

extension Spot: CustomStringConvertible {
    var description: String { "book \(book) page \(page)" }
}

/// The state of the app's window.
struct Screen: Sendable, Hashable {
    /// The page that the window shows. Nil for the home screen.
    var spot: Spot?
    /// How far the person scrolled. Two states of one page may differ by it.
    var scroll = 0
}

extension Screen: CustomStringConvertible {
    var description: String { spot.map { "\($0)" } ?? "the home screen" }
}

/// A version of the app.
struct Release: Sendable, Hashable {
    var bundleVersion: Int
    /// The number of the last small update.
    var patch = 0
    /// The version of the state's format. Nil if the app gives none.
    var stateVersion: Int64?

    /// The app's bundle version.
    var text: String { patch == 0 ? "\(bundleVersion)" : "\(bundleVersion).\(patch)" }
}

/// The kind of a device.
enum Model: String, Sendable, Hashable {
    case phone, pad, mac

    /// Phones and pads compare bundle versions with each other. The bundle versions of a mac are not comparable.
    var hasMobileVersions: Bool { self != .mac }
}

/// A saved state, as the service or a rival stores it.
struct Saved: Sendable, Hashable {
    var screen: Screen
    var release: Release
    var model: Model

    /// Whether a device may restore the state, by the documented default policy: not a state of a newer version. State
    /// versions are compared if the app gives them. Otherwise bundle versions are compared within a platform.
    func isRestorable(on model: Model, _ release: Release) -> Bool {
        if let saved = self.release.stateVersion, let own = release.stateVersion { return saved <= own }
        guard self.model.hasMobileVersions == model.hasMobileVersions else { return true }
        return (self.release.bundleVersion, self.release.patch) <= (release.bundleVersion, release.patch)
    }
}
