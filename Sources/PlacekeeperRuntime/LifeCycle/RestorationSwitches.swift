/// Switches with which a developer turns on logging and developer mode without changing the app's code (row 76).
///
/// The library does not read the switches by itself. The app must pass switches to
/// `RestorableApplication.Configuration`: the switches of the process (`ofProcess()`), or switches from another
/// source.
public struct RestorationSwitches: Sendable, Hashable {
    /// The name of the environment variable and of the user default for logging.
    public static let loggingName = "StateRestorationDebugLogging"
    /// The name of the environment variable and of the user default for developer mode.
    public static let developerModeName = "StateRestorationDeveloperMode"

    /// Whether each step of saving and restoring is written to the console (row 50).
    public var isLogging: Bool
    /// Whether archives are kept after they were restored, after a person ended the app, and after a crash (rows 49
    /// and 76).
    public var isDeveloperMode: Bool

    /// Creates switches. Both switches are off by default.
    public init(isLogging: Bool = false, isDeveloperMode: Bool = false) {
        self.isLogging = isLogging
        self.isDeveloperMode = isDeveloperMode
    }

    /// Reads the switches from environment variables and user defaults. A switch is on if its value is `1`, `true`,
    /// `yes` or `on`, in upper or lower case.
    /// - Parameters:
    ///   - environment: The environment variables. A variable takes precedence over the user default of the same
    ///     name.
    ///   - defaults: Returns the user default with a name. Nil if this user default is not set.
    public init(environment: [String: String], defaults: (String) -> String? = { _ in nil }) {
        func isOn(_ name: String) -> Bool {
            guard let value = environment[name] ?? defaults(name) else { return false }
            return ["1", "true", "yes", "on"].contains(value.lowercased())
        }
        self.init(isLogging: isOn(Self.loggingName), isDeveloperMode: isOn(Self.developerModeName))
    }
}
