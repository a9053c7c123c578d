public import Foundation

extension RestorationSwitches {
    /// Reads the switches from the environment variables and user defaults of the process. Environment variables take
    /// precedence. The user defaults include launch arguments, such as `-StateRestorationDeveloperMode YES`.
    ///
    /// On Apple's systems, an app that calls this method must declare its use of user defaults in its privacy manifest.
    public static func ofProcess(defaults: UserDefaults = .standard) -> RestorationSwitches {
        RestorationSwitches(environment: ProcessInfo.processInfo.environment) { name in
            defaults.object(forKey: name).map { "\($0)" }
        }
    }
}

extension ConsoleLog {
    /// Writes a line to standard error. If writing fails, the line is lost.
    public static func writeToStandardError(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }
}
