public import Foundation

extension RestorationSwitches {
    /// Reads the switches of the process from its environment variables and its user defaults. An environment variable
    /// takes precedence over a user default. The user defaults include the arguments of the process, such as
    /// `-StateRestorationDeveloperMode YES`. On Apple's systems, an app that calls this method must declare its use of
    /// user defaults in its privacy manifest.
    public static func ofProcess(defaults: UserDefaults = .standard) -> RestorationSwitches {
        RestorationSwitches(environment: ProcessInfo.processInfo.environment) { name in
            defaults.object(forKey: name).map { "\($0)" }
        }
    }
}

extension ConsoleLog {
    /// Writes a line to the standard error. If writing fails, the line is lost.
    public static func writeToStandardError(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }
}
