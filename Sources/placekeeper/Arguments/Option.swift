/// An option of a command.
struct Option: Sendable, Hashable {
    /// The name without the dashes, such as `bundle-version`.
    var name: String
    /// The placeholder for the value, such as `DIR`. Nil for a switch.
    var value: String?
    var help: String
    /// The default value.
    var initial: String?
    /// Whether the option may be given more than once.
    var repeats: Bool
    /// Whether the value may also come from the environment and the configuration file.
    var isSetting: Bool
    /// Whether the option must be on the command line.
    var isRequired: Bool
    /// The allowed values. Empty if any value is allowed.
    var words: [String]

    init(
        _ name: String, _ value: String? = nil, help: String, initial: String? = nil, repeats: Bool = false,
        isSetting: Bool = false, isRequired: Bool = false, words: [String] = []
    ) {
        self.name = name
        self.value = value
        self.help = help
        self.initial = initial
        self.repeats = repeats
        self.isSetting = isSetting
        self.isRequired = isRequired
        self.words = words
    }

    /// The words, such as `all or errors`.
    var choices: String { words.alternatives }

    /// The option as it appears in help texts and errors, such as `--data DIR`.
    var spelling: String { "--\(name)" + (value.map { " " + $0 } ?? "") }

    /// The environment variable of a setting, such as `PLACEKEEPER_DATA`.
    var variable: String { "PLACEKEEPER_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined() }

    static let help = Option("help", help: "print this help")
    static let config = Option(
        "config", "FILE", help: "read settings from a file of `key = value` lines", isSetting: true)
    static let json = Option("json", help: "print JSON")
    static let data = Option(
        "data", "DIR", help: "directory of the database", initial: "data", isSetting: true)
    static let database = Option(
        "database", "URL",
        help: "postgres://… for the data in PostgreSQL; by default, SQLite in --data",
        isSetting: true)
    static let databasePassword = Option(
        "database-password-file", "FILE", help: "file with the password of --database", isSetting: true)
    static let databaseConnections = Option(
        "database-connections", "N",
        help: "connections to PostgreSQL; by default, four for each processor core", isSetting: true)
    static let usersPerTransaction = Option(
        "database-users-per-transaction", "N",
        help: "users whose writes share a transaction; 1 for an engine that keeps users on different machines",
        initial: "32", isSetting: true)
}
