/// The error for a value that cannot be written to an archive, because readers would reject it.
public struct ArchiveWritingError: Error, Sendable, Hashable {
    /// The code that a reader would report for the same problem.
    public var code: ArchiveError.Code
    /// The part of the archive with the problem: a restoration path, a class, a data source, a screen, or
    /// `application`, `timestamp` or `place`. `nil` for a `PropertyListValue`.
    public var subject: String?

    /// Creates an error from a code and the part of the archive with the problem.
    public init(_ code: ArchiveError.Code, in subject: String? = nil) {
        self.code = code
        self.subject = subject
    }

    /// A sentence to show to a user.
    public var message: String {
        let explanation = ArchiveError.explanations[code] ?? "The archive cannot be written"
        return subject.map { "\(explanation) (\($0))." } ?? "\(explanation)."
    }
}

extension ArchiveWritingError: CustomStringConvertible {
    /// The code, followed by the message.
    public var description: String { "\(code.rawValue): \(message)" }
}
