/// A word from an extensible list. Later service versions may add words. A client that decodes a response keeps unknown
/// words. The server decodes requests with `refusesUnknownWords`, which rejects them.
package protocol WireWord: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible
where RawValue == String {
    /// The words known to this version.
    static var known: [Self] { get }

    init(rawValue: String)
}

extension CodingUserInfoKey {
    /// If true, the decoder rejects words unknown to this version. The force-unwrap can't fail, because the initializer
    /// accepts every string.
    package static let refusesUnknownWords = CodingUserInfoKey(rawValue: "refusesUnknownWords")!
}

extension WireWord {
    /// The error detail for an unknown word, which lists the known words.
    package static var refusal: String { "The member must be one of \(known.map(\.rawValue).joined(separator: ", "))." }

    package init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
        if decoder.userInfo[.refusesUnknownWords] as? Bool == true, !Self.known.contains(self) {
            throw DecodingError.invalidMember(Self.refusal, at: decoder.codingPath)
        }
    }

    package var description: String { rawValue }
}
