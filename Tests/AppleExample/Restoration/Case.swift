import Foundation

/// A case of the matrix.
struct Case: Sendable {
    /// Where the screens come from.
    enum Origin: String, Sendable { case storyboard, nib, code }
    /// What the window shows: a container with two screens, a screen with a table, or a screen with a text field.
    enum Screen: String, Sendable { case navigation, tab, split, page, table, text }

    static let current = Case(ProcessInfo.processInfo.environment)

    let origin: Origin
    let screen: Screen
    /// Whether the app's delegate opts in to secure state restoration, or with the older methods.
    let isSecure: Bool
    /// The folder of the state. Another folder is another installation.
    let folder: URL
    /// Whether the process ends while a screen is restored.
    let endsWhileRestoring: Bool

    private init(_ environment: [String: String]) {
        origin = environment["RESTORATION_FROM"].flatMap { Origin(rawValue: $0) } ?? .code
        screen = environment["RESTORATION_SCREEN"].flatMap { Screen(rawValue: $0) } ?? .navigation
        isSecure = environment["RESTORATION_SECURE"] != "0"
        endsWhileRestoring = environment["RESTORATION_ENDS"] == "1"
        let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        folder = (support ?? FileManager.default.temporaryDirectory)
            .appendingPathComponent(environment["RESTORATION_FOLDER"] ?? "default")
    }
}
