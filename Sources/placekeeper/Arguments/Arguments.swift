/// What a command was given: flag before environment before file before default.
struct Arguments: Sendable {
    var operands: [String] = []
    /// Values of the flags by the option's name; a switch has an empty one.
    var flags: [String: [String]] = [:]
    var environment: [String: String] = [:]
    var file: ConfigurationFile = ConfigurationFile()

    /// The option's value; of several the last. nil when it is given nowhere and has no default.
    func value(of option: Option) -> String? {
        if let flag = flags[option.name]?.last { return flag }
        if option.isSetting {
            // An empty variable is one that a shell or a unit file left blank.
            if let variable = environment[option.variable], !variable.isEmpty { return variable }
            if let line = file.values[option.name] { return line }
        }
        return option.initial
    }

    /// Every value of an option that repeats, in order.
    func values(of option: Option) -> [String] { flags[option.name] ?? [] }

    /// Whether a switch is on.
    func isOn(_ option: Option) throws(CommandFailure) -> Bool {
        if flags[option.name] != nil { return true }
        guard let text = value(of: option) else { return false }
        switch text.lowercased() {
        case "1", "true", "yes", "on": return true
        case "0", "false", "no", "off": return false
        default:
            throw CommandFailure(.configuration, "\(option.name) is \(quoted(text)): set it to true or false")
        }
    }

    /// The option's value as a number within a range.
    func number<Number: FixedWidthInteger>(
        of option: Option, in range: ClosedRange<Number>
    ) throws(CommandFailure) -> Number? {
        guard let text = value(of: option) else { return nil }
        guard let number = Number(text), range.contains(number) else {
            throw CommandFailure(
                flags[option.name] == nil ? .configuration : .usage,
                "--\(option.name) is \(quoted(text)): give a whole number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }
}
