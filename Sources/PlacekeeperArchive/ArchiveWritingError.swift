/// An error for a value that cannot be written as an archive. The reader would refuse an archive with this value.
public struct ArchiveWritingError: Error, Sendable, Hashable {
    /// The code that the reader would report for the same problem.
    public var code: ArchiveError.Code
    /// The part of the archive that has the problem: a restoration path, a class, a data source, a screen, or
    /// `application`, `timestamp` or `place`. Nil for a `PropertyListValue`.
    public var subject: String?

    /// Creates an error from a code and the part of the archive that has the problem.
    public init(_ code: ArchiveError.Code, in subject: String? = nil) {
        self.code = code
        self.subject = subject
    }

    /// A sentence that describes the problem to a person.
    public var message: String {
        let explanation = ArchiveError.explanations[code] ?? "The archive cannot be written"
        return subject.map { "\(explanation) (\($0))." } ?? "\(explanation)."
    }
}

extension ArchiveWritingError: CustomStringConvertible {
    /// The code, followed by the message.
    public var description: String { "\(code.rawValue): \(message)" }
}
