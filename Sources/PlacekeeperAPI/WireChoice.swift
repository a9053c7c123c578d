/// One of a few words. Another word is refused with those that it may be.
package protocol WireChoice: RawRepresentable, Sendable, Hashable, Codable, CaseIterable where RawValue == String {}

/// Why a word was not read: what stands beneath the decoding error.
package struct UnknownChoice: Error {
    package var choices: [String]
}

extension WireChoice {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let choice = Self(rawValue: text) else {
            let unknown = UnknownChoice(choices: Self.allCases.map(\.rawValue))
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "unknown choice", underlyingError: unknown))
        }
        self = choice
    }
}
