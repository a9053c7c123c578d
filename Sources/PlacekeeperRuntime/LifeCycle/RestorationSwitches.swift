/// Switches that turn on logging and developer mode without a change to the app's code (row 76).
///
/// The library does not read them by itself. Pass them to `RestorableApplication.Configuration`: the switches of the
/// process (`ofProcess()`), or your own.
public struct RestorationSwitches: Sendable, Equatable {
    /// The name of the environment variable and user default for logging.
    public static let loggingName = "StateRestorationDebugLogging"
    /// The name of the environment variable and user default for developer mode.
    public static let developerModeName = "StateRestorationDeveloperMode"

    /// Whether each step of saving and restoring is written to the console (row 50).
    public var isLogging: Bool
    /// Whether archives are kept after they were restored, after a force quit, and after a crash (rows 49 and 76).
    public var isDeveloperMode: Bool

    /// Creates switches.
    public init(isLogging: Bool = false, isDeveloperMode: Bool = false) {
        self.isLogging = isLogging
        self.isDeveloperMode = isDeveloperMode
    }

    /// Reads the switches from environment variables and user defaults. The values `1`, `true`, `yes` and `on` turn a
    /// switch on, in upper or lower case.
    /// - Parameters:
    ///   - environment: The environment variables. They take precedence over user defaults of the same name.
    ///   - defaults: Returns the user default with a name, or `nil` if it is not set.
    public init(environment: [String: String], defaults: (String) -> String? = { _ in nil }) {
        func isOn(_ name: String) -> Bool {
            guard let value = environment[name] ?? defaults(name) else { return false }
            return ["1", "true", "yes", "on"].contains(value.lowercased())
        }
        self.init(isLogging: isOn(Self.loggingName), isDeveloperMode: isOn(Self.developerModeName))
    }
}
