public import Foundation

extension RestorationSwitches {
    /// The switches of the process: by its environment, then by its user defaults, to which arguments such as
    /// `-StateRestorationDeveloperMode YES` belong. An app that calls this on Apple's systems says so in its privacy manifest,
    /// as with any use of user defaults.
    public static func ofProcess(defaults: UserDefaults = .standard) -> RestorationSwitches {
        RestorationSwitches(environment: ProcessInfo.processInfo.environment) { name in
            defaults.object(forKey: name).map { "\($0)" }
        }
    }
}

extension ConsoleLog {
    /// Writes a line to the standard error. A line that cannot be written is lost.
    public static func writeToStandardError(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }
}
