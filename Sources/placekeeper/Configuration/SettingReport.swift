/// A setting with its value and where the value comes from. Never contains a secret.
struct SettingReport: Encodable {
    /// The name of the setting, as in the configuration file.
    var name: String
    /// Nil if there is no value, or if it may contain a secret.
    var value: String?
    /// `flag`, `variable`, `file` or `default`.
    var source: String
    /// The environment variable of the setting.
    var variable: String
    /// The path of the configuration file, if the value comes from it.
    var file: String?
    /// Whether there is a value that isn't shown.
    var isHidden = false
    /// Where the value comes from, for a table.
    private(set) var place: String

    private enum CodingKeys: CodingKey { case name, value, source, variable, file, isHidden }

    init(_ option: Option, of arguments: Arguments) {
        name = option.name
        variable = option.variable
        (source, place) =
            switch arguments.source(of: option) {
            case .flag: ("flag", "--" + option.name)
            case .variable: ("variable", option.variable)
            case .file: ("file", arguments.file.name)
            case nil: ("default", "default")
            }
        if source == "file" { file = arguments.file.name }
        if option == .config, source == "default", !arguments.file.name.isEmpty {
            value = arguments.file.name
            return
        }
        let isSwitch = option.value == nil
        value = isSwitch && source == "flag" ? "true" : arguments.value(of: option) ?? (isSwitch ? "false" : nil)
        guard value != nil, !arguments.isFreeOfSecrets(option) else { return }
        (value, isHidden) = (nil, true)
    }

    var row: [String] { [name, value ?? (isHidden ? "not shown: it may have a password" : "–"), place] }
}

extension Arguments {
    /// Whether a setting's value may be shown. A URL that `serve` rejects may contain a password.
    fileprivate func isFreeOfSecrets(_ option: Option) -> Bool {
        guard option == .database || option == .url else { return true }
        return (try? option == .database ? databaseURL() : url()) != nil
    }
}
