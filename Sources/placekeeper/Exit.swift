/// What the process ends with. Values over 2 are those of sysexits.h.
struct Exit: RawRepresentable, Sendable, Hashable {
    var rawValue: Int32

    static let success = Exit(rawValue: 0)
    /// The answer is no: refused, different, not found.
    static let failure = Exit(rawValue: 1)
    /// The command line is wrong.
    static let usage = Exit(rawValue: 2)
    /// The service or what it needs cannot be reached (EX_UNAVAILABLE).
    static let unavailable = Exit(rawValue: 69)
    /// Something is set wrongly (EX_CONFIG).
    static let configuration = Exit(rawValue: 78)
}

/// Why the command ends early: one line that says what is wrong and what to do next.
struct CommandFailure: Error, Sendable, Hashable {
    var exit: Exit
    var message: String

    init(_ exit: Exit, _ message: String) {
        self.exit = exit
        self.message = message
    }
}
