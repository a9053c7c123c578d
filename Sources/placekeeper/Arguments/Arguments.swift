/// A command's operands and options. Flags override the environment, which overrides the configuration file, which
/// overrides the defaults.
struct Arguments: Sendable {
    var operands: [String] = []
    /// The flags' values by option name. A switch has an empty value.
    var flags: [String: [String]] = [:]
    var environment: [String: String] = [:]
    var file: ConfigurationFile = ConfigurationFile()

    /// Returns the option's value, or the last one if it is given several times. Falls back to the option's default, or
    /// nil if there is none.
    func value(of option: Option) -> String? {
        switch source(of: option) {
        case .flag: flags[option.name]?.last
        case .variable: environment[option.variable]
        case .file: file.values[option.name]
        case nil: option.initial
        }
    }

    /// Where an option's value comes from.
    enum Source: Sendable, Hashable { case flag, variable, file }

    /// Returns where the option's value comes from. Nil if it is not given.
    func source(of option: Option) -> Source? {
        if flags[option.name] != nil { return .flag }
        guard option.isSetting else { return nil }
        // An empty variable counts as unset, because a shell or a unit file may leave a variable blank.
        if environment[option.variable]?.isEmpty == false { return .variable }
        return file.values[option.name] == nil ? nil : .file
    }

    /// Returns the exit code for an invalid value of the option: `usage` if it came from a flag, or else
    /// `configuration`.
    func exit(over option: Option) -> Exit {
        switch source(of: option) {
        case .variable, .file: .configuration
        case .flag, nil: .usage
        }
    }

    /// Returns the error for an invalid value of the option. Its message names where the value came from.
    func failure(over option: Option, _ advice: String) -> CommandFailure {
        CommandFailure(exit(over: option), "\(origin(of: option)) is \(quoted(value(of: option) ?? "")): \(advice)")
    }

    /// Returns the option's name in the form of its source, such as `--data` or `PLACEKEEPER_DATA`.
    func origin(of option: Option) -> String {
        switch source(of: option) {
        case .variable: option.variable
        case .file: "\(option.name) in \(quoted(file.name))"
        case .flag, nil: "--\(option.name)"
        }
    }

    /// The flags that select the configuration file and the database, for the suggested next command.
    var sharedFlags: String { flagText(of: [.config, .data, .database, .databasePassword]) }

    /// Returns the given options that were set by flags, quoted for a shell, each after a space.
    func flagText(of options: [Option]) -> String {
        options.compactMap { option in
            flags[option.name]?.last.map { " --\(option.name)" + (option.value == nil ? "" : " " + shellQuoted($0)) }
        }.joined()
    }

    /// Returns all values of a repeatable option, in order.
    func values(of option: Option) -> [String] { flags[option.name] ?? [] }

    /// Returns whether a switch is on.
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

    /// Returns the value of an option that allows only `words`. Nil if there is no value.
    func word(of option: Option) throws(CommandFailure) -> String? {
        guard let text = value(of: option) else { return nil }
        if option.words.contains(where: { isSame($0, text) }) { return text }
        throw failure(
            over: option,
            nearest(to: text, among: option.words).map { "did you mean \($0)?" } ?? "set it to \(option.choices)")
    }

    /// Returns the option's value as a number of bytes within a range.
    func byteCount(of option: Option, in range: ClosedRange<Int>) throws(CommandFailure) -> Int? {
        guard let text = value(of: option) else { return nil }
        guard let bytes = ByteCount.parse(text) else { throw failure(over: option, "give " + ByteCount.advice) }
        guard range.contains(bytes) else {
            let bounds = "\(ByteCount.text(range.lowerBound)) to \(ByteCount.text(range.upperBound))"
            throw failure(over: option, "give a size from \(bounds)")
        }
        return bytes
    }

    /// Returns the option's value as a number within a range.
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
