/// Why bytes were refused as a property list or as a keyed archive.
public struct ArchiveError: Error, Sendable, Hashable {
    /// What is wrong, as a stable code.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public var code: Code
    /// The byte at which it is wrong, from the start of the file.
    public var offset: Int

    public init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }
}
