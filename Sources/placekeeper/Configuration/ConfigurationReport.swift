/// The findings of `config check`.
struct ConfigurationReport: Encodable, Hashable {
    /// The faults, each a sentence without a period.
    var problems: [String] = []
    /// The variables that start with `PLACEKEEPER_` but aren't settings.
    var ignoredVariables: [String] = []

    /// - Parameter settings: the settings of all commands.
    init(_ arguments: Arguments, settings: [Option]) {
        problems = arguments.file.faults.map(\.message)
        // If the file can't be read, its settings are unknown.
        if arguments.file.name.isEmpty, !problems.isEmpty { return }
        for check in SettingCheck.all {
            do throws(CommandFailure) { try check.read(arguments) } catch { problems.append(error.message) }
        }
        let names = settings.map { String($0.variable.dropFirst(Self.prefix.count)) }
        for variable in arguments.environment.keys.sorted() where variable.utf8.starts(with: Self.prefix.utf8) {
            let name = String(variable.dropFirst(Self.prefix.count))
            guard !names.contains(where: { isSame($0, name) }) else { continue }
            // Other programs may set variables with this prefix: tests, compose files, and Kubernetes for a Service
            // named placekeeper.
            if let meant = nearest(to: name, among: names) {
                problems.append(
                    "\(escapedForTerminal(variable)) is not a setting; did you mean \(Self.prefix)\(meant)?")
            } else {
                ignoredVariables.append(variable)
            }
        }
    }

    private static let prefix = "PLACEKEEPER_"
}
