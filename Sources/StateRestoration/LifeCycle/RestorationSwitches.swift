/// Switches that a developer sets from outside an app, without changing its code: logging and developer mode (row 76).
///
/// Nothing is read behind the app's back. The app gives the switches to `RestorableApplication.Configuration`: those of
/// the process (`ofProcess()`), or others that it read itself.
public struct RestorationSwitches: Sendable, Hashable {
    /// The name of the switch for logging, in the environment and in the user defaults.
    public static let loggingName = "StateRestorationDebugLogging"
    /// The name of the switch for developer mode.
    public static let developerModeName = "StateRestorationDeveloperMode"

    /// Whether each step of saving and restoring is written to the console (row 50).
    public var isLogging: Bool
    /// Whether archives are kept although they were restored, the app was ended, or a launch crashed (row 49).
    public var isDeveloperMode: Bool

    /// Sets each switch; both are off by default.
    public init(isLogging: Bool = false, isDeveloperMode: Bool = false) {
        self.isLogging = isLogging
        self.isDeveloperMode = isDeveloperMode
    }

    /// Reads the switches from values by name. A switch is on where its value is `1`, `true`, `yes` or `on`, in any
    /// case.
    /// - Parameters:
    ///   - environment: variables of the environment. A variable that is set counts alone, whatever the defaults say.
    ///   - defaults: returns the user default of a name; nil when it is not set.
    public init(environment: [String: String], defaults: (String) -> String? = { _ in nil }) {
        func isOn(_ name: String) -> Bool {
            guard let value = environment[name] ?? defaults(name) else { return false }
            return ["1", "true", "yes", "on"].contains(value.lowercased())
        }
        self.init(isLogging: isOn(Self.loggingName), isDeveloperMode: isOn(Self.developerModeName))
    }
}
