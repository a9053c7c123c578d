/// What a command was given: flag before environment before file before default.
struct Arguments: Sendable {
    var operands: [String] = []
    /// Values of the flags by the option's name; a switch has an empty one.
    var flags: [String: [String]] = [:]
    var environment: [String: String] = [:]
    var file: ConfigurationFile = ConfigurationFile()

    /// The option's value; of several the last. nil when it is given nowhere and has no default.
    func value(of option: Option) -> String? {
        switch source(of: option) {
        case .flag: flags[option.name]?.last
        case .variable: environment[option.variable]
        case .file: file.values[option.name]
        case nil: option.initial
        }
    }

    /// Where a value was given.
    enum Source: Sendable, Hashable { case flag, variable, file }

    /// Where the option's value was given; nil when it has its default or none.
    func source(of option: Option) -> Source? {
        if flags[option.name] != nil { return .flag }
        guard option.isSetting else { return nil }
        // An empty variable is one that a shell or a unit file left blank.
        if environment[option.variable]?.isEmpty == false { return .variable }
        return file.values[option.name] == nil ? nil : .file
    }

    /// What a wrong value of the option ends a command with: a flag is wrong usage, the rest wrong configuration.
    func exit(over option: Option) -> Exit {
        switch source(of: option) {
        case .variable, .file: .configuration
        case .flag, nil: .usage
        }
    }

    /// Why the option's value will not do, naming where it was given.
    func failure(over option: Option, _ advice: String) -> CommandFailure {
        let origin =
            switch source(of: option) {
            case .variable: option.variable
            case .file: "\(option.name) in \(quoted(file.name))"
            case .flag, nil: "--\(option.name)"
            }
        return CommandFailure(exit(over: option), "\(origin) is \(quoted(value(of: option) ?? "")): \(advice)")
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
            throw failure(over: option, "set it to true or false")
        }
    }

    /// The option's value as a number within a range.
    func number<Number: FixedWidthInteger>(
        of option: Option, in range: ClosedRange<Number>
    ) throws(CommandFailure) -> Number? {
        guard let text = value(of: option) else { return nil }
        guard let number = Number(text), range.contains(number) else {
            throw failure(over: option, "give a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
