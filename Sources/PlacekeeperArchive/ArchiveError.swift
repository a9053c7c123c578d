/// The error for bytes that are not a valid property list or keyed archive.
public struct ArchiveError: Error, Sendable, Hashable {
    /// A stable error code: the same in every release and on the wire.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The code's text, in lowercase with hyphens.
        public var rawValue: String
        /// Creates a code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The error code.
    public var code: Code
    /// Where the problem is, as a byte offset from the start of the file.
    public var offset: Int

    /// Creates an error from a code and a byte offset.
    public init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }

    /// A sentence to show to a user. It contains no bytes of the file.
    public var message: String {
        "\(Self.explanations[code] ?? "The archive cannot be read") (byte \(offset))."
    }
}

extension ArchiveError: CustomStringConvertible {
    /// The code, followed by the message.
    public var description: String { "\(code.rawValue): \(message)" }
}
