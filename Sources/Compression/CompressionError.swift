/// Why bytes could not be inflated.
package struct CompressionError: Error, Sendable, Hashable {
    package struct Code: RawRepresentable, Sendable, Hashable {
        package var rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        /// Not in the framing's form, or its checksum does not hold.
        package static let corrupt = Code(rawValue: "corrupt")
        /// They end before the stream does.
        package static let truncated = Code(rawValue: "truncated")
        /// They inflate beyond the limit in bytes.
        package static let tooLarge = Code(rawValue: "too-large")
        /// They inflate beyond the limit as a multiple of what came in.
        package static let ratioExceeded = Code(rawValue: "ratio-exceeded")
        /// No memory for the stream's own state.
        package static let outOfMemory = Code(rawValue: "out-of-memory")
    }

    package var code: Code

    package init(_ code: Code) { self.code = code }
}
