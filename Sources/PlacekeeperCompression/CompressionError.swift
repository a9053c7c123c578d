/// An error of a deflating or an inflating stream.
package struct CompressionError: Error, Sendable, Hashable {
    package struct Code: RawRepresentable, Sendable, Hashable {
        package var rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The bytes are not one stream in the expected format, or the checksum or the count is wrong.
        package static let corrupt = Code(rawValue: "corrupt")
        /// The bytes end before the stream ends.
        package static let truncated = Code(rawValue: "truncated")
        /// The inflated bytes exceed the limit in bytes, or the input has 4 GiB or more.
        package static let tooLarge = Code(rawValue: "too-large")
        /// The ratio of inflated bytes to input bytes exceeds the limit.
        package static let ratioExceeded = Code(rawValue: "ratio-exceeded")
        /// The message has many more blocks than a compressor makes.
        package static let tooManyBlocks = Code(rawValue: "too-many-blocks")
        /// The system has no memory for the state of the stream.
        package static let outOfMemory = Code(rawValue: "out-of-memory")
    }

    package var code: Code

    package init(_ code: Code) { self.code = code }
}
