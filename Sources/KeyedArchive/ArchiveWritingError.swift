/// Why a value cannot be written as an archive: what the reader would refuse is not written.
public struct ArchiveWritingError: Error, Sendable, Hashable {
    /// What is wrong, as the reader would say it.
    public var code: ArchiveError.Code
    /// What it is wrong in: a restoration path or a table's name; nil for a value that stands by itself.
    public var subject: String?

    /// Makes an error of what is wrong and where.
    public init(_ code: ArchiveError.Code, in subject: String? = nil) {
        self.code = code
        self.subject = subject
    }

    /// One sentence for a person.
    public var message: String {
        let explanation = ArchiveError.explanations[code] ?? "The archive cannot be written"
        return subject.map { "\(explanation) (\($0))." } ?? "\(explanation)."
    }
}

extension ArchiveWritingError: CustomStringConvertible {
    /// The code with the message.
    public var description: String { "\(code.rawValue): \(message)" }
}
