/// A word out of a fixed set. Decoding another word fails, and the error lists the allowed words.
package protocol WireChoice: RawRepresentable, Sendable, Hashable, Codable, CaseIterable where RawValue == String {}

extension WireChoice {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let choice = Self(rawValue: text) else {
            let choices = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw DecodingError.invalidMember("The member must be one of \(choices).", at: decoder.codingPath)
        }
        self = choice
    }
}
