/// Why bytes were refused as a property list or as a keyed archive.
public struct ArchiveError: Error, Sendable, Hashable {
    /// What is wrong, as a stable code: the same in every release and on the wire.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The code's text, lower case with hyphens.
        public var rawValue: String
        /// Makes a code of its text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// What is wrong.
    public var code: Code
    /// The byte at which it is wrong, from the start of the file.
    public var offset: Int

    /// Makes an error of what is wrong and where.
    public init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }

    /// One sentence for a person. It holds no byte of the file.
    public var message: String {
        "\(Self.explanations[code] ?? "The archive cannot be read") (byte \(offset))."
    }
}

extension ArchiveError: CustomStringConvertible {
    /// The code with the message.
    public var description: String { "\(code.rawValue): \(message)" }
}
