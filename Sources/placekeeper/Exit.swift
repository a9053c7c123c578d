/// The exit code of the process. Codes above 2 are from sysexits.h.
struct Exit: RawRepresentable, Sendable, Hashable {
    var rawValue: Int32

    static let success = Exit(rawValue: 0)
    /// The answer is no: an input is rejected, inputs differ, or an object isn't found.
    static let failure = Exit(rawValue: 1)
    /// The command line is wrong.
    static let usage = Exit(rawValue: 2)
    /// The service, its database or another resource is unavailable (EX_UNAVAILABLE).
    static let unavailable = Exit(rawValue: 69)
    /// A setting has an invalid value (EX_CONFIG).
    static let configuration = Exit(rawValue: 78)
}

/// The error that a command ends with. The message is one line: the problem and the next step.
struct CommandFailure: Error, Sendable, Hashable {
    var exit: Exit
    var message: String
    /// Why the store can't be used at the moment, as a sentence that anyone may read. Nil if waiting doesn't help.
    var outage: String?

    init(_ exit: Exit, _ message: String) {
        self.exit = exit
        self.message = message
    }
}
