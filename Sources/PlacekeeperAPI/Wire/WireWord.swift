/// One word from a list of words. Later versions of the service may add words to the list. A client that decodes a
/// response keeps a word that it does not know. A decoder with `refusesUnknownWords` refuses an unknown word. The
/// server decodes requests with such a decoder.
package protocol WireWord: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible
where RawValue == String {
    /// The words that this version knows.
    static var known: [Self] { get }

    init(rawValue: String)
}

extension CodingUserInfoKey {
    /// If the value is true, the decoder refuses words that this version does not know. The force-unwrap can't fail,
    /// because the initializer accepts every string.
    package static let refusesUnknownWords = CodingUserInfoKey(rawValue: "refusesUnknownWords")!
}

extension WireWord {
    /// The detail of the error about an unknown word. The detail lists the known words.
    package static var refusal: String { "The member must be one of \(known.map(\.rawValue).joined(separator: ", "))." }

    package init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
        if decoder.userInfo[.refusesUnknownWords] as? Bool == true, !Self.known.contains(self) {
            throw DecodingError.invalidMember(Self.refusal, at: decoder.codingPath)
        }
    }

    package var description: String { rawValue }
}
